import type { Database } from '../database/connect.ts'
import { and, inArray, isNull, or, orm } from '../database/drizzle.ts'
import { companies, providerAccounts } from '../database/tables.ts'
import { REAL_PROVIDERS } from '../providers/registry.ts'
import { hasUsers } from '../users/user.ts'
import { CommandError, createCommand, createProgress } from './command.ts'
import { printingInContext } from './context.ts'
import { seedDemo } from './demo/seed.ts'
import { DEMO_COMPANY } from './demo/shop.ts'

const SETUP_OVER =
  'The set-up code of the first start no longer works; create other people with user create.'

export const command = createCommand('demo')
  .description(
    `Creates the company "${DEMO_COMPANY.name}" with a year of invented business in its test environment.`,
  )
  .option('--again', 'Creates another one if there is one already.')
  .option('--force', 'Allows it beside companies with live payments.')
  .action(
    printingInContext(async ({ db, cipher, config, now }, { again, force }) => {
      const { baseUrl, checkoutUrl } = config
      const before = await countDemoCompanies(db)
      if (before > 0 && !again) {
        throw new CommandError(
          `There is a company "${DEMO_COMPANY.name}" already: --again creates another.`,
        )
      }
      if (!force && (await hasRealPayments(db))) {
        throw new CommandError(
          'A company here takes live payments: --force creates the demo beside it.',
        )
      }
      const nth = before === 0 ? '' : `${before + 1}`
      const names = {
        name: `${DEMO_COMPANY.name} ${nth}`.trim(),
        owner: `helena${nth}@solemar.example`,
        member: `tiago${nth}@solemar.example`,
      }
      const isFirst = !(await hasUsers(db))
      const needs = { db, cipher, checkoutUrl, now, onProgress: createProgress() }
      const made = await seedDemo(needs, names)
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

async function countDemoCompanies(db: Database) {
  const named = orm.like(companies.name, `${DEMO_COMPANY.name}%`)
  return db.$count(companies, and(named, isNull(companies.testOf)))
}

async function hasRealPayments(db: Database) {
  const real = or(
    inArray(companies.pixProvider, REAL_PROVIDERS),
    inArray(companies.cardProvider, REAL_PROVIDERS),
  )
  return (await db.$count(companies, real)) > 0 || (await db.$count(providerAccounts)) > 0
}
