// Fills a new company with three months of a bakery's business: all of it or nothing.
import { issueApiKey } from '../../api/api-key.ts'
import { changeCompany, createCompany } from '../../companies/company.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { eq, type PgTable } from '../../database/drizzle.ts'
import type { Seal } from '../../database/encryption.ts'
import * as tables from '../../database/tables.ts'
import { createSandboxProvider } from '../../providers/sandbox/sandbox.ts'
import { randomPassword } from '../../users/password.ts'
import { createUser } from '../../users/user.ts'
import { createCatalog } from './catalog.ts'
import { buildAuditRows, toCustomerRows } from './history.ts'
import { createLedger } from './ledger.ts'
import { generatePayments } from './payments.ts'
import { generateCustomers } from './people.ts'
import { DEMO_COMPANY } from './products.ts'
import { createSeededRandom } from './random.ts'
import { buildEndpoints, simulateDeliveries } from './webhooks.ts'

type SeedNeeds = { db: Database; seal: Seal; checkoutUrl: string; now: Date }

const RANDOM_SEED = 20_261_121
const INSERT_BATCH_SIZE = 250
const DAY_MS = 86_400_000

/** `name` is the company's; `owner` and `member` the e-mails of its people. */
export async function seedDemo(
  { db, seal, checkoutUrl, now }: SeedNeeds,
  { name, owner, member }: { name: string; owner: string; member: string },
) {
  // Never asked where a challenge is: none is open any more.
  const provider = createSandboxProvider({ db, challengeUrl: () => checkoutUrl })
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return db.transaction(async (tx) => {
    const company = await createDemoCompany(tx, seal, name, daysAgo(93))
    const people = {
      owner: await createDemoUser(tx, company.id, owner, 'owner'),
      member: await createDemoUser(tx, company.id, member, 'member'),
    }
    const key = await createDemoKeys(tx, company.id, now)

    const chance = createSeededRandom(RANDOM_SEED)
    const book = createLedger(checkoutUrl)
    const shelf = createCatalog(book, company, now)
    const customers = generateCustomers(chance)
    await generatePayments({ book, chance, company, customers, shelf, provider, now })
    const links = shelf.close()
    const endpoints = buildEndpoints(company.id, seal, daysAgo(91))
    const { deliveries, attempts } = simulateDeliveries(chance, endpoints, book.events, now)
    const { payments, refunds } = book
    const story = { companyId: company.id, ...people, links, refunds, now }

    const payers = toCustomerRows(company.id, customers)
    await insertInBatches(tx, tables.customers, payers)
    await insertInBatches(tx, tables.paymentLinks, links)
    await insertInBatches(tx, tables.transactions, [...payments.values()])
    await insertInBatches(tx, tables.transactionSteps, book.steps)
    await insertInBatches(tx, tables.refunds, refunds)
    await insertInBatches(tx, tables.sandboxCharges, book.charges)
    await insertInBatches(tx, tables.sandboxRefunds, book.givenBack)
    await insertInBatches(tx, tables.webhookEndpoints, endpoints)
    await insertInBatches(tx, tables.events, book.events)
    await insertInBatches(tx, tables.webhookDeliveries, deliveries)
    await insertInBatches(tx, tables.webhookAttempts, attempts)
    await insertInBatches(tx, tables.auditEntries, buildAuditRows(story))
    const made = { links: links.length, customers: payers.length, payments: payments.size }
    return { company: { id: company.id, name }, ...people, key, ...made }
  })
}

async function createDemoCompany(tx: Transaction, seal: Seal, name: string, madeAt: Date) {
  const { name: _, taxId, city, ...settings } = DEMO_COMPANY
  const { id } = await createCompany(tx, seal, { name, taxId, city })
  await tx
    .update(tables.companies)
    .set({ createdAt: madeAt.toISOString() })
    .where(eq(tables.companies.id, id))
  return (await changeCompany(tx, id, settings, madeAt))!
}

async function createDemoUser(
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
async function createDemoKeys(tx: Transaction, companyId: string, now: Date) {
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

async function insertInBatches<T extends PgTable>(
  tx: Transaction,
  table: T,
  rows: T['$inferInsert'][],
) {
  for (let i = 0; i < rows.length; i += INSERT_BATCH_SIZE) {
    await tx.insert(table).values(rows.slice(i, i + INSERT_BATCH_SIZE))
  }
}
