// Fills a new company with three months of a bakery's business: all of it or nothing.
import { issueApiKey } from '../../api/api-key.ts'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import { createCompany, getRealId, updateCompany } from '../../companies/company.ts'
import { buildTermsRows } from '../../companies/payout-terms.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { eq, orm, type PgTable } from '../../database/drizzle.ts'
import type { Role } from '../../database/enums.ts'
import { DAY_MS } from '../../database/instant.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import * as tables from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import { generatePassword } from '../../users/password.ts'
import { createUser } from '../../users/user.ts'
import { generatePayments } from './payments.ts'
import { createSeededRandom } from './random.ts'
import { buildLinks, DEMO_COMPANY, DEMO_PAYOUT_TERMS } from './shop.ts'
import { generateCustomers } from './visitors.ts'
import { buildEndpoints, simulateDeliveries } from './webhooks.ts'

type SeedNeeds = {
  db: Database
  cipher: Cipher
  checkoutUrl: string
  now: Date
  /** Hears what has been written so far. */
  onProgress?: (progress: string) => void
}
type DemoUser = Awaited<ReturnType<typeof createDemoUser>>
type HistoryEntry = [at: Date, by: DemoUser, AuditAction, subject?: string, subjectId?: string]

const RANDOM_SEED = 20_261_121
const INSERT_BATCH_SIZE = 250
const DEMO_ADDRESS = '198.51.100.23'

/** `name` is the company's; `owner` and `member` the e-mails of its people. */
export async function seedDemo(
  { db, cipher, checkoutUrl, now, onProgress = () => {} }: SeedNeeds,
  { name, ...emails }: Record<'name' | 'owner' | 'member', string>,
) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return db.transaction(async (tx) => {
    const company = await createDemoCompany(tx, cipher, name, daysAgo(93))
    const owner = await createDemoUser(tx, getRealId(company), emails.owner, 'owner')
    const member = await createDemoUser(tx, getRealId(company), emails.member, 'member')
    const key = await issueDemoKeys(tx, company.id, daysAgo)

    const random = createSeededRandom(RANDOM_SEED)
    const shop = { company, links: buildLinks(company, now), customers: generateCustomers(random) }
    const run = generatePayments({ random, ...shop, checkoutUrl, now })
    const endpoints = buildEndpoints(company.id, cipher, daysAgo(91))
    const { deliveries, attempts } = simulateDeliveries(random, endpoints, run.events, now)
    const links = run.links.map(({ row }) => row)
    // Nobody is known before the first payment.
    const payers = run.customers.flatMap((customer) => {
      const at = run.payments.find(({ customerId }) => customerId === customer.id)?.createdAt
      return at ? [{ ...customer, companyId: company.id, createdAt: at, updatedAt: at }] : []
    })

    const insertRows = createRowWriter(tx, onProgress)
    await insertRows(tables.payoutTerms, buildTermsRows(company.id, DEMO_PAYOUT_TERMS))
    await insertRows(tables.paymentLinks, links)
    await insertRows(tables.customers, payers)
    await insertRows(tables.transactions, run.payments)
    await insertRows(tables.transactionSteps, run.steps)
    await insertRows(tables.incomingPayments, run.incoming)
    await insertRows(tables.refunds, run.refunds)
    await insertRows(tables.disputes, run.disputes)
    await insertRows(tables.sandboxCharges, run.charges)
    await insertRows(tables.webhookEndpoints, endpoints)
    await insertRows(tables.events, run.events)
    await insertRows(tables.webhookDeliveries, deliveries)
    await insertRows(tables.webhookAttempts, attempts)
    await recordHistory(tx, company.id, [
      [daysAgo(92), owner, 'settings_changed', 'Ajustes'],
      [daysAgo(91.9), owner, 'fees_changed', 'Tarifas e prazos'],
      [daysAgo(91.5), owner, 'user_invited', member.email],
      [daysAgo(91.2), member, 'user_joined', member.email],
      [daysAgo(7.2), owner, 'sign_in'],
      [daysAgo(7.1), owner, 'settings_changed', 'Ajustes'],
      [daysAgo(2.4), member, 'sign_in'],
      [daysAgo(0.1), owner, 'sign_in'],
      ...links.map(({ id, title, createdAt }): HistoryEntry => {
        return [new Date(createdAt), owner, 'link_created', title, id]
      }),
      ...run.refunds.map(({ transactionId, amountCents, createdAt }): HistoryEntry => {
        return [new Date(createdAt), owner, 'refund_asked', formatBrl(amountCents), transactionId]
      }),
    ])

    const counts = { links: links.length, customers: payers.length, payments: run.payments.length }
    return { company: { id: company.id, name }, owner, member, key, ...counts }
  })
}

async function createDemoCompany(tx: Transaction, cipher: Cipher, name: string, madeAt: Date) {
  const { name: _, taxId, city, ...settings } = DEMO_COMPANY
  const { id } = (await createCompany(tx, cipher, { name, taxId, city })).test
  const at = madeAt.toISOString()
  await tx.update(tables.companies).set({ createdAt: at }).where(eq(tables.companies.id, id))
  const updated = await updateCompany(tx, id, settings, madeAt)
  if (updated.kind === 'notFound') throw new Error('The company that was just made is gone')
  return updated.company
}

async function createDemoUser(tx: Transaction, companyId: string, email: string, role: Role) {
  const password = generatePassword()
  const user = await createUser(tx, { companyId, email, role, password })
  if (user.kind === 'emailTaken') throw new Error(`Somebody else has the e-mail ${email}`)
  return { id: user.id, email, password }
}

/** One that a shop works with, one that only reads, one that was revoked. The first is answered. */
async function issueDemoKeys(tx: Transaction, companyId: string, daysAgo: (days: number) => Date) {
  const at = (days: number) => daysAgo(days).toISOString()
  const shop = await issueApiKey(tx, companyId, 'Loja virtual')
  const reading = await issueApiKey(tx, companyId, 'Relatórios', ['read'])
  const old = await issueApiKey(tx, companyId, 'Integração antiga')
  const date = (id: string, dates: Partial<typeof tables.apiKeys.$inferInsert>) =>
    tx.update(tables.apiKeys).set(dates).where(eq(tables.apiKeys.id, id))
  await date(shop.id, { createdAt: at(91), lastUsedAt: at(0.01) })
  await date(reading.id, { createdAt: at(60), lastUsedAt: at(1.3) })
  await date(old.id, { createdAt: at(91.5), lastUsedAt: at(70), revokedAt: at(69) })
  return shop.key
}

function createRowWriter(tx: Transaction, onProgress: (progress: string) => void) {
  return async <T extends PgTable>(table: T, rows: T['$inferInsert'][]) => {
    for (let i = 0; i < rows.length; i += INSERT_BATCH_SIZE) {
      onProgress(`${orm.getTableName(table)}: ${i} of ${rows.length}`)
      await tx.insert(table).values(rows.slice(i, i + INSERT_BATCH_SIZE))
    }
  }
}

/** Entries are listed in the order in which they were recorded. */
async function recordHistory(tx: Transaction, companyId: string, entries: HistoryEntry[]) {
  const inOrder = entries.toSorted(([a], [b]) => a.getTime() - b.getTime())
  for (const [now, by, action, subject, subjectId] of inOrder) {
    const who = { companyId, actor: by.email, userId: by.id, address: DEMO_ADDRESS }
    await recordAudit(tx, { ...who, action, subject, subjectId, now })
  }
}
