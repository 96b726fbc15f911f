// Fills a new company with three months of a bakery's business: all of it or nothing.
import { issueApiKey } from '../../api/api-key.ts'
import { changeCompany, createCompany } from '../../companies/company.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { eq, type PgTable } from '../../database/drizzle.ts'
import type { Seal } from '../../database/encryption.ts'
import * as tables from '../../database/tables.ts'
import { sandboxProvider } from '../../providers/sandbox/sandbox.ts'
import { randomPassword } from '../../users/password.ts'
import { createUser } from '../../users/user.ts'
import { openShelf } from './catalog.ts'
import { auditRows, customerRows } from './history.ts'
import { openBook } from './ledger.ts'
import { makePayments } from './payments.ts'
import { makeCustomers } from './people.ts'
import { COMPANY } from './products.ts'
import { openChance } from './random.ts'
import { deliverAll, makeEndpoints } from './webhooks.ts'

type Needs = { db: Database; seal: Seal; checkoutUrl: string; now: Date }

const SEED = 20_261_121
const CHUNK = 250
const DAY_MS = 86_400_000

/** `name` is the company's; `owner` and `member` the e-mails of its people. */
export async function fillDemo(
  { db, seal, checkoutUrl, now }: Needs,
  { name, owner, member }: { name: string; owner: string; member: string },
) {
  // Never asked where a challenge is: none is open any more.
  const provider = sandboxProvider({ db, challengeUrl: () => checkoutUrl })
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return db.transaction(async (tx) => {
    const company = await openCompany(tx, seal, name, daysAgo(93))
    const people = {
      owner: await openUser(tx, company.id, owner, 'owner'),
      member: await openUser(tx, company.id, member, 'member'),
    }
    const key = await openKeys(tx, company.id, now)

    const chance = openChance(SEED)
    const book = openBook(checkoutUrl)
    const shelf = openShelf(book, company, now)
    const customers = makeCustomers(chance)
    await makePayments({ book, chance, company, customers, shelf, provider, now })
    const links = shelf.close()
    const endpoints = makeEndpoints(company.id, seal, daysAgo(91))
    const { deliveries, attempts } = deliverAll(chance, endpoints, book.events, now)
    const { payments, refunds } = book
    const story = { companyId: company.id, ...people, links, refunds, now }

    const payers = customerRows(company.id, customers)
    await write(tx, tables.customers, payers)
    await write(tx, tables.paymentLinks, links)
    await write(tx, tables.transactions, [...payments.values()])
    await write(tx, tables.transactionSteps, book.steps)
    await write(tx, tables.refunds, refunds)
    await write(tx, tables.sandboxCharges, book.charges)
    await write(tx, tables.sandboxRefunds, book.givenBack)
    await write(tx, tables.webhookEndpoints, endpoints)
    await write(tx, tables.events, book.events)
    await write(tx, tables.webhookDeliveries, deliveries)
    await write(tx, tables.webhookAttempts, attempts)
    await write(tx, tables.auditEntries, auditRows(story))
    const made = { links: links.length, customers: payers.length, payments: payments.size }
    return { company: { id: company.id, name }, ...people, key, ...made }
  })
}

async function openCompany(tx: Transaction, seal: Seal, name: string, madeAt: Date) {
  const { name: _, taxId, city, ...settings } = COMPANY
  const { id } = await createCompany(tx, seal, { name, taxId, city })
  await tx
    .update(tables.companies)
    .set({ createdAt: madeAt.toISOString() })
    .where(eq(tables.companies.id, id))
  return (await changeCompany(tx, id, settings, madeAt))!
}

async function openUser(
  tx: Transaction,
  companyId: string,
  email: string,
  role: 'owner' | 'member',
) {
  const password = randomPassword()
  const user = await createUser(tx, { companyId, email, role, password })
  if (!user) throw new Error(`Somebody else has the e-mail ${email}`)
  return { id: user.id, email, password }
}

/** One that a shop works with, one that only reads, one that was revoked. The first is answered. */
async function openKeys(tx: Transaction, companyId: string, now: Date) {
  const at = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const { id, key } = await issueApiKey(tx, companyId, 'Loja virtual')
  const reading = await issueApiKey(tx, companyId, 'Relatórios', ['read'])
  const old = await issueApiKey(tx, companyId, 'Integração antiga')
  const history = [
    [id, { createdAt: at(91), lastUsedAt: at(0.01) }],
    [reading.id, { createdAt: at(60), lastUsedAt: at(1.3) }],
    [old.id, { createdAt: at(91.5), lastUsedAt: at(70), revokedAt: at(69) }],
  ] as const
  for (const [keyId, dates] of history) {
    await tx.update(tables.apiKeys).set(dates).where(eq(tables.apiKeys.id, keyId))
  }
  return key
}

async function write<T extends PgTable>(tx: Transaction, table: T, rows: T['$inferInsert'][]) {
  for (let i = 0; i < rows.length; i += CHUNK) {
    await tx.insert(table).values(rows.slice(i, i + CHUNK))
  }
}
