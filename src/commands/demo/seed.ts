// Fills a new company with three months of a bakery's business: all of it or nothing.
import { issueApiKey } from '../../api/api-key.ts'
import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import { createCompany, updateCompany } from '../../companies/company.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { eq, type PgTable } from '../../database/drizzle.ts'
import type { Cipher } from '../../database/encryption.ts'
import { DAY_MS } from '../../database/instant.ts'
import * as tables from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import type { RefundRow, TransactionRow } from '../../transactions/transaction.ts'
import { generatePassword } from '../../users/password.ts'
import { createUser } from '../../users/user.ts'
import { createCatalog } from './catalog.ts'
import { createLedger } from './ledger.ts'
import { generatePayments } from './payments.ts'
import { DEMO_COMPANY } from './products.ts'
import { createSeededRandom } from './random.ts'
import { generateCustomers } from './visits.ts'
import { buildEndpoints, simulateDeliveries } from './webhooks.ts'

type SeedNeeds = { db: Database; cipher: Cipher; checkoutUrl: string; now: Date }
type AuditedAction = Pick<NewAuditEntry, 'action' | 'subject' | 'subjectId' | 'now'>

const RANDOM_SEED = 20_261_121
const INSERT_BATCH_SIZE = 250
const DEMO_ADDRESS = '198.51.100.23'

/** `name` is the company's; `owner` and `member` the e-mails of its people. */
export async function seedDemo(
  { db, cipher, checkoutUrl, now }: SeedNeeds,
  { name, owner: ownerEmail, member: memberEmail }: Record<'name' | 'owner' | 'member', string>,
) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return db.transaction(async (tx) => {
    const company = await createDemoCompany(tx, cipher, name, daysAgo(93))
    const owner = await createDemoUser(tx, company.id, ownerEmail, 'owner')
    const member = await createDemoUser(tx, company.id, memberEmail, 'member')
    const key = await issueDemoKeys(tx, company.id, daysAgo)

    const random = createSeededRandom(RANDOM_SEED)
    const ledger = createLedger(checkoutUrl)
    const catalog = await createCatalog(tx, ledger, company.id, now)
    const customers = generateCustomers(random)
    await generatePayments({ ledger, random, company, customers, catalog, now })
    const endpoints = buildEndpoints(company.id, cipher, daysAgo(91))
    const { deliveries, attempts } = simulateDeliveries(random, endpoints, ledger.events, now)
    const payers = customers.flatMap(({ firstSeenAt, ...customer }) => {
      const at = firstSeenAt?.toISOString()
      return at ? [{ ...customer, companyId: company.id, createdAt: at, updatedAt: at }] : []
    })

    await insertInBatches(tx, tables.customers, payers)
    await insertInBatches(tx, tables.transactions, ledger.payments)
    await insertInBatches(tx, tables.transactionSteps, ledger.steps)
    await insertInBatches(tx, tables.refunds, ledger.refunds)
    await insertInBatches(tx, tables.sandboxCharges, toBankCharges(ledger.payments))
    await insertInBatches(tx, tables.webhookEndpoints, endpoints)
    await insertInBatches(tx, tables.events, ledger.events)
    await insertInBatches(tx, tables.webhookDeliveries, deliveries)
    await insertInBatches(tx, tables.webhookAttempts, attempts)
    const { links } = catalog
    await recordHistory(tx, company.id, { owner, member, links, refunds: ledger.refunds, daysAgo })

    const counts = { customers: payers.length, payments: ledger.payments.length }
    return { company: { id: company.id, name }, owner, member, key, links: links.length, ...counts }
  })
}

/** The money that the simulated bank took in, so that it can be refunded there. */
function toBankCharges(payments: TransactionRow[]) {
  return payments
    .filter(({ approvedAt, receivedCents }) => approvedAt ?? receivedCents)
    .map((row) => ({
      reference: row.providerReference!,
      scenario: row.threeDsFlow === 'challenge' ? 'challenge' : 'ok',
      status: 'approved' as const,
      amountCents: row.receivedCents ?? row.totalCents,
      eci: row.threeDsEci,
      endToEndId: row.pixEndToEndId,
      paidAt: row.approvedAt ?? row.updatedAt,
      createdAt: row.createdAt,
    }))
}

async function createDemoCompany(tx: Transaction, cipher: Cipher, name: string, madeAt: Date) {
  const { name: _, taxId, city, ...settings } = DEMO_COMPANY
  const { id } = await createCompany(tx, cipher, { name, taxId, city })
  const { companies } = tables
  await tx.update(companies).set({ createdAt: madeAt.toISOString() }).where(eq(companies.id, id))
  const updated = await updateCompany(tx, id, settings, madeAt)
  if (updated.kind === 'notFound') throw new Error('The company that was just made is gone')
  return updated.company
}

async function createDemoUser(
  tx: Transaction,
  companyId: string,
  email: string,
  role: 'owner' | 'member',
) {
  const password = generatePassword()
  const user = await createUser(tx, { companyId, email, role, password })
  if (user.kind === 'emailTaken') throw new Error(`Somebody else has the e-mail ${email}`)
  return { id: user.id, email, password }
}

type DemoUser = Awaited<ReturnType<typeof createDemoUser>>
type History = {
  owner: DemoUser
  member: DemoUser
  links: LinkRow[]
  refunds: RefundRow[]
  daysAgo(days: number): Date
}

/** Entries are listed in the order in which they were recorded. */
async function recordHistory(tx: Transaction, companyId: string, history: History) {
  const { owner, member, links, refunds, daysAgo } = history
  const byMember: AuditedAction[] = [
    { action: 'user_joined', subject: member.email, now: daysAgo(91.2) },
    { action: 'sign_in', now: daysAgo(2.4) },
  ]
  const byOwner: AuditedAction[] = [
    { action: 'settings_changed', subject: 'Ajustes', now: daysAgo(92) },
    { action: 'user_invited', subject: member.email, now: daysAgo(91.5) },
    { action: 'sign_in', now: daysAgo(7.2) },
    { action: 'settings_changed', subject: 'Ajustes', now: daysAgo(7.1) },
    { action: 'sign_in', now: daysAgo(0.1) },
    ...links.map(({ id: subjectId, title: subject, createdAt }): AuditedAction => {
      return { action: 'link_created', subjectId, subject, now: new Date(createdAt) }
    }),
    ...refunds.map(({ transactionId: subjectId, amountCents, createdAt }): AuditedAction => {
      const subject = formatBrl(amountCents)
      return { action: 'refund_asked', subjectId, subject, now: new Date(createdAt) }
    }),
  ]
  const entries = [
    ...byMember.map((entry) => ({ ...entry, actor: member.email, userId: member.id })),
    ...byOwner.map((entry) => ({ ...entry, actor: owner.email, userId: owner.id })),
  ]
  for (const entry of entries.toSorted((a, b) => a.now.getTime() - b.now.getTime())) {
    await recordAudit(tx, { companyId, address: DEMO_ADDRESS, ...entry })
  }
}

/** One that a shop works with, one that only reads, one that was revoked. The first is answered. */
async function issueDemoKeys(tx: Transaction, companyId: string, daysAgo: (days: number) => Date) {
  const at = (days: number) => daysAgo(days).toISOString()
  const shop = await issueApiKey(tx, companyId, 'Loja virtual')
  const reading = await issueApiKey(tx, companyId, 'Relatórios', ['read'])
  const old = await issueApiKey(tx, companyId, 'Integração antiga')
  const history = [
    [shop.id, { createdAt: at(91), lastUsedAt: at(0.01) }],
    [reading.id, { createdAt: at(60), lastUsedAt: at(1.3) }],
    [old.id, { createdAt: at(91.5), lastUsedAt: at(70), revokedAt: at(69) }],
  ] as const
  for (const [id, dates] of history) {
    await tx.update(tables.apiKeys).set(dates).where(eq(tables.apiKeys.id, id))
  }
  return shop.key
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
