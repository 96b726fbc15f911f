import { createCompany, findCompany, listCompanies } from '../companies/company.ts'
import { parseTaxId } from '../customers/tax-id.ts'
import type { Database } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
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
        const company = await db.transaction(async (tx) => {
          const made = await createCompany(tx, cipher, { name, taxId, city })
          if (!email) return made
          const owner = { companyId: made.id, email, password, role: 'owner' } as const
          const { kind } = await createUser(tx, owner)
          if (kind === 'emailTaken') throw emailTakenError(email)
          return made
        })
        const redirectSecret = cipher.decrypt(company.redirectSecret)
        const said = [
          `Company "${company.name}" is made: ${company.id}`,
          `Secret that signs the return to a shop (shown only now): ${redirectSecret}`,
          ...(email ? [`Password of ${email} (shown only now): ${password}`] : []),
        ]
        const owner = email && { owner: { email, password } }
        return {
          json: { id: company.id, name: company.name, redirectSecret, ...owner },
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

/** The company of that id or exact name. Throws when there is none, or more than one. */
export async function findCompanyByIdOrName(db: Database, chosen: string) {
  const byId = isUuid(chosen) ? await findCompany(db, chosen) : undefined
  if (byId) return byId
  const named = await db.select().from(companies).where(eq(companies.name, chosen)).limit(2)
  if (named.length > 1) {
    throw new CommandError(
      `More than one company is named "${chosen}": give its id (see company list).`,
    )
  }
  if (!named[0]) throw new CommandError(`There is no company "${chosen}": see company list.`)
  return named[0]
}

/** The company that was chosen or, where none was, the only one there is. */
export async function findCompanyOrOnly(db: Database, chosen: string | undefined) {
  if (chosen !== undefined) return findCompanyByIdOrName(db, chosen)
  const [only, ...others] = await db.select().from(companies).limit(2)
  if (!only) throw new CommandError('There is no company yet: make one with company create.')
  if (others.length > 0) {
    throw new CommandError('There is more than one company: give --company (see company list).')
  }
  return only
}

/** The id of the company that was chosen, if one was. */
export async function findCompanyId(db: Database, chosen: string | undefined) {
  return chosen === undefined ? undefined : (await findCompanyByIdOrName(db, chosen)).id
}
