import {
  type Company,
  type CompanyPair,
  createCompany,
  findCompanyPair,
  getUsualCompany,
  listCompanies,
} from '../companies/company.ts'
import { decryptRedirectSecret } from '../companies/redirect-secret.ts'
import { parseTaxId } from '../customers/tax-id.ts'
import type { Database } from '../database/connect.ts'
import { and, eq, isNull, type SQL } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { isUuid } from '../database/id.ts'
import { companies } from '../database/tables.ts'
import { textField } from '../http/text.ts'
import { generatePassword } from '../users/password.ts'
import { createUser } from '../users/user.ts'
import {
  CommandError,
  type Commands,
  defineCommand,
  formatColumns,
  type Option,
  requireOption,
  UsageError,
} from './command.ts'
import { withContext } from './context.ts'
import { createOptionParser, emailOption, nameOption } from './options.ts'

const CITY_MAX = 64

const taxIdOption: Option<string> = {
  value: 'CNPJ|CPF',
  about: 'Its document, with or without punctuation.',
  parse: parseTaxId,
  mustBe: 'a CNPJ or a CPF whose check digits are right',
}

const cityOption: Option<string> = {
  value: 'CITY',
  about: 'Its city, of which a Pix code shows 15 characters (default: SAO PAULO).',
  parse: createOptionParser(textField({ min: 1, max: CITY_MAX })),
  mustBe: `1 to ${CITY_MAX} characters, none of them invisible`,
}

export const commands: Commands = {
  create: defineCommand({
    about: "Makes a company and shows its secret; with --email also its first owner's password.",
    options: {
      name: requireOption(nameOption('What payers read as the name of who is paid.')),
      email: { ...emailOption, about: 'The e-mail of its first owner, who is made too.' },
      'tax-id': taxIdOption,
      city: cityOption,
    },
    run: ({ name, email, 'tax-id': taxId, city }) =>
      withContext(async ({ db, cipher }) => {
        const password = generatePassword()
        const { real, test } = await db.transaction(async (tx) => {
          const made = await createCompany(tx, cipher, { name, taxId, city })
          if (!email) return made
          const owner = { companyId: made.real.id, email, password, role: 'owner' } as const
          const { kind } = await createUser(tx, owner)
          if (kind === 'emailTaken') throw emailTakenError(email)
          return made
        })
        const redirectSecret = decryptRedirectSecret(cipher, real)
        const testRedirectSecret = decryptRedirectSecret(cipher, test)
        const said = [
          `Company "${real.name}" is made: ${real.id}`,
          `Secret that signs the return to a shop (shown only now): ${redirectSecret}`,
          `The same of the test environment: ${testRedirectSecret}`,
          ...(email ? [`Password of ${email} (shown only now): ${password}`] : []),
        ]
        const owner = email && { owner: { email, password } }
        return {
          json: { id: real.id, name: real.name, redirectSecret, testRedirectSecret, ...owner },
          text: said.join('\n'),
        }
      }),
  }),

  list: defineCommand({
    about: 'Lists the companies, the oldest first.',
    options: {},
    run: () =>
      withContext(async ({ db }) => {
        const found = await listCompanies(db)
        const rows = found.map(({ id, name, taxId, createdAt }) => [
          id,
          name,
          taxId ?? '-',
          createdAt,
        ])
        return {
          json: found.map(({ id, name, taxId, city, createdAt }) => ({
            id,
            name,
            taxId,
            city,
            createdAt,
          })),
          text: found.length > 0 ? formatColumns(rows) : 'There is no company yet.',
        }
      }),
  }),
}

export function emailTakenError(email: string) {
  return new CommandError(`Somebody already has the e-mail ${email}: give another one.`)
}

/** Both environments of the company of that id or exact name. Throws when there is none, or more than one. */
export async function findCompanyByIdOrName(db: Database, chosen: string): Promise<CompanyPair> {
  const byId = isUuid(chosen) ? await findCompanyPair(db, chosen) : undefined
  if (byId) return byId
  const named = await listRealIds(db, eq(companies.name, chosen))
  if (named.length > 1) {
    throw new CommandError(
      `More than one company is named "${chosen}": give its id (see company list).`,
    )
  }
  const [id] = named
  if (!id) throw new CommandError(`There is no company "${chosen}": see company list.`)
  return requireFound(await findCompanyPair(db, id))
}

/** The company that was chosen or, where none was, the only one there is. */
export async function findCompanyOrOnly(db: Database, chosen: string | undefined) {
  if (chosen !== undefined) return findCompanyByIdOrName(db, chosen)
  const [only, ...others] = await listRealIds(db)
  if (!only) throw new CommandError('There is no company yet: make one with company create.')
  if (others.length > 0) {
    throw new CommandError('There is more than one company: give --company (see company list).')
  }
  return requireFound(await findCompanyPair(db, only))
}

export type EnvironmentFlags = { test?: boolean | undefined; live?: boolean | undefined }

/** The environment that the flags name, else the one in which the company works by now. */
export function chooseEnvironment(pair: CompanyPair, { test, live }: EnvironmentFlags): Company {
  if (test && live) throw new UsageError('Give either --test or --live.')
  if (test) return pair.test
  return live ? pair.real : getUsualCompany(pair)
}

/** The ids of both environments of the company that was chosen; none, if none was. */
export async function findCompanyIds(db: Database, chosen: string | undefined) {
  if (chosen === undefined) return []
  const { real, test } = await findCompanyByIdOrName(db, chosen)
  return [real.id, test.id]
}

/** Of two at the most. */
async function listRealIds(db: Database, condition?: SQL) {
  const found = await db
    .select({ id: companies.id })
    .from(companies)
    .where(and(isNull(companies.testOf), condition))
    .limit(2)
  return found.map(({ id }) => id)
}
