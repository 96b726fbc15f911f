import type { Database } from '../database/connect.ts'
import { ne, or, orm } from '../database/drizzle.ts'
import { companies, providerAccounts } from '../database/tables.ts'
import { type Commands, command, flag, Refusal } from './command.ts'
import { atHome } from './context.ts'
import { fillDemo } from './demo/fill.ts'
import { COMPANY } from './demo/products.ts'

export const commands: Commands = {
  '': command({
    about: `Makes the company "${COMPANY.name}" in test mode, with three months of invented business.`,
    options: {
      again: flag('Makes another one where there is one already.'),
      force: flag('Also beside companies that take real payments.'),
    },
    run: ({ again, force }) =>
      atHome(async ({ db, seal, config: { baseUrl, checkoutUrl }, now }) => {
        const before = await countDemos(db)
        if (before > 0 && !again) {
          throw new Refusal(`There is a company "${COMPANY.name}" already: --again makes another.`)
        }
        if (!force && (await takesRealPayments(db))) {
          throw new Refusal('A company here takes real payments: --force makes one beside it.')
        }
        const who = namesOf(before + 1)
        const made = await fillDemo({ db, seal, checkoutUrl, now }, who)
        const { owner, member, payments, links, customers } = made
        const said = [
          `Company "${made.company.name}" is made: ${made.company.id}`,
          `It has ${payments} payments of ${links} links by ${customers} customers.`,
          `Sign in at ${baseUrl}/painel (passwords and key are shown only now):`,
          `  owner   ${owner.email}  ${owner.password}`,
          `  member  ${member.email}  ${member.password}`,
          `API key: ${made.key}`,
        ]
        return { json: made, text: said.join('\n') }
      }),
  }),
}

async function countDemos(db: Database) {
  return db.$count(companies, orm.like(companies.name, `${COMPANY.name}%`))
}

async function takesRealPayments(db: Database) {
  const real = or(ne(companies.pixProvider, 'sandbox'), ne(companies.cardProvider, 'sandbox'))
  const [choosing] = await db.select({ id: companies.id }).from(companies).where(real).limit(1)
  const [account] = await db
    .select({ id: providerAccounts.companyId })
    .from(providerAccounts)
    .where(ne(providerAccounts.provider, 'sandbox'))
    .limit(1)
  return choosing !== undefined || account !== undefined
}

function namesOf(count: number) {
  const nth = count === 1 ? '' : `${count}`
  return {
    name: [COMPANY.name, nth].filter(Boolean).join(' '),
    owner: `helena${nth}@solemar.example`,
    member: `tiago${nth}@solemar.example`,
  }
}
