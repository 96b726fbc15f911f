import { createCompany, listCompanies } from '../companies/company.ts'
import { decryptRedirectSecret } from '../companies/redirect-secret.ts'
import { textField } from '../http/text.ts'
import { parseTaxId } from '../payer-rules.js'
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
  .addOption(nameOption('The name that payers see.'))
  .addOption(emailOption('The e-mail of its first owner, who is created too.'))
  .option(
    '--tax-id <CNPJ|CPF>',
    'Its document, with or without punctuation.',
    parseBy(parseTaxId, 'a CNPJ or CPF with correct check digits'),
  )
  .option(
    '--city <CITY>',
    'Its city; a Pix code shows 15 characters of it (default: SAO PAULO).',
    parseAs(
      textField({ min: 1, max: CITY_MAX }),
      `1 to ${CITY_MAX} characters, none of them invisible`,
    ),
  )
  .action(printingInContext(createCompanyWithOwner))

command
  .command('list')
  .description('Lists the companies, oldest first.')
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
    `Company "${real.name}" is created: ${real.id}`,
    `Secret that signs returns to a shop (shown only once): ${redirectSecret}`,
    `The same for the test environment: ${testRedirectSecret}`,
    ...(email ? [`Password of ${email} (shown only once): ${password}`] : []),
  ]
  return {
    json: { id: real.id, name: real.name, redirectSecret, testRedirectSecret, ...owner },
    text: said.join('\n'),
  }
}

export function emailTakenError(email: string) {
  return new CommandError(`The e-mail ${email} belongs to another user: choose another one.`)
}
