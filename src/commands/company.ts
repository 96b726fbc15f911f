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
  type CommandResult,
  createCommand,
  formatColumns,
  parseBy,
} from './command.ts'
import { type CommandContext, printingInContext } from './context.ts'
import { emailOption, nameOption, parseAs } from './options.ts'

const CITY_MAX = 64

export const command = createCommand('company').description('Companies that are paid.')

command
  .command('create')
  .description(
    "Makes a company and shows its secret; with --email also its first owner's password.",
  )
  .addOption(nameOption('What payers read as the name of who is paid.'))
  .addOption(emailOption('The e-mail of its first owner, who is made too.'))
  .option(
    '--tax-id <CNPJ|CPF>',
    'Its document, with or without punctuation.',
    parseBy(parseTaxId, 'a CNPJ or a CPF whose check digits are right'),
  )
  .option(
    '--city <CITY>',
    'Its city, of which a Pix code shows 15 characters (default: SAO PAULO).',
    parseAs(
      textField({ min: 1, max: CITY_MAX }),
      `1 to ${CITY_MAX} characters, none of them invisible`,
    ),
  )
  .action(printingInContext(createCompanyWithOwner))

command
  .command('list')
  .description('Lists the companies, the oldest first.')
  .action(
    printingInContext(async ({ db }) => {
      const found = (await listCompanies(db)).map(({ id, name, taxId, city, createdAt }) => {
        return { id, name, taxId, city, createdAt }
      })
      const rows = found.map((one) => [one.id, one.name, one.taxId ?? '-', one.createdAt])
      return { json: found, text: formatColumns(rows) || 'There is no company yet.' }
    }),
  )

type NewCompany = { name: string; email?: string; taxId?: string; city?: string }

async function createCompanyWithOwner(
  { db, cipher }: CommandContext,
  { name, email, taxId, city }: NewCompany,
): Promise<CommandResult> {
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
  const owner = email && { owner: { email, password } }
  const said = [
    `Company "${real.name}" is made: ${real.id}`,
    `Secret that signs the return to a shop (shown only now): ${redirectSecret}`,
    `The same of the test environment: ${testRedirectSecret}`,
    ...(email ? [`Password of ${email} (shown only now): ${password}`] : []),
  ]
  return {
    json: { id: real.id, name: real.name, redirectSecret, testRedirectSecret, ...owner },
    text: said.join('\n'),
  }
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

export function formatEnvironment(testMode: boolean) {
  return testMode ? 'test' : 'real'
}

export type EnvironmentFlags = { test?: boolean | undefined; live?: boolean | undefined }

/** The environment that the flags name, of which commander takes only one, else the one in which the company works by now. */
export function chooseEnvironment(pair: CompanyPair, { test, live }: EnvironmentFlags): Company {
  if (test) return pair.test
  return live ? pair.real : getUsualCompany(pair)
}

/** The action of a command about one environment of a company (addEnvironmentCommand). */
export function printingInEnvironment<Options>(
  work: (at: CommandContext, company: Company, options: Options) => Promise<CommandResult>,
) {
  return printingInContext(
    async (at, options: Options & EnvironmentFlags & { company: string }) => {
      const pair = await findCompanyByIdOrName(at.db, options.company)
      return work(at, chooseEnvironment(pair, options), options)
    },
  )
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
