import type { Database } from '../database/connect.ts'
import { eq, inArray, or } from '../database/drizzle.ts'
import { companies, providerAccounts } from '../database/tables.ts'
import { REAL_PROVIDERS } from '../providers/registry.ts'
import { hasUsers } from '../users/user.ts'
import { CommandError, createCommand, createProgress } from './command.ts'
import { printingInContext } from './context.ts'
import { seedDemo } from './demo/seed.ts'
import { DEMO_COMPANY } from './demo/shop.ts'

const DEMO_NAMES = {
  name: DEMO_COMPANY.name,
  owner: 'helena@solemar.example',
  member: 'tiago@solemar.example',
}
const SETUP_OVER =
  'The set-up code of the first start no longer works; create other people with user create.'

export const command = createCommand('demo')
  .description(
    `Creates the company "${DEMO_COMPANY.name}" with a year of invented business in its test environment.`,
  )
  .option('--force', 'Allows it beside companies with live payments.')
  .action(
    printingInContext(async ({ db, cipher, config, now }, { force }) => {
      const { baseUrl, checkoutUrl } = config
      if ((await db.$count(companies, eq(companies.name, DEMO_COMPANY.name))) > 0) {
        throw new CommandError(`There is a company "${DEMO_COMPANY.name}" already.`)
      }
      if (!force && (await hasRealPayments(db))) {
        throw new CommandError(
          'A company here takes live payments: --force creates the demo beside it.',
        )
      }
      const isFirst = !(await hasUsers(db))
      const needs = { db, cipher, checkoutUrl, now, onProgress: createProgress() }
      const made = await seedDemo(needs, DEMO_NAMES)
      const { owner, member, payments, links, customers } = made
      const said = [
        `Company "${made.company.name}" is created: ${made.company.id}`,
        `It has ${payments} payments of ${links} links by ${customers} customers.`,
        `Sign in at ${baseUrl}/painel (passwords and key are shown only once):`,
        `  owner   ${owner.email}  ${owner.password}`,
        `  member  ${member.email}  ${member.password}`,
        `API key: ${made.key}`,
        ...(isFirst ? [SETUP_OVER] : []),
      ]
      return { json: made, text: said.join('\n') }
    }),
  )

async function hasRealPayments(db: Database) {
  const real = or(
    inArray(companies.pixProvider, REAL_PROVIDERS),
    inArray(companies.cardProvider, REAL_PROVIDERS),
  )
  return (await db.$count(companies, real)) > 0 || (await db.$count(providerAccounts)) > 0
}
