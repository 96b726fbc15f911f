// Fills a new company with three months of a bakery's business: all of it or nothing.
import { issueApiKey } from '../../api/api-key.ts'
import { CHALLENGE_PATH } from '../../checkout/payment/sandbox-routes.ts'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import { createCompany, getRealId, updateCompany } from '../../companies/company.ts'
import { buildFeeRows } from '../../companies/fee-terms.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { eq } from '../../database/drizzle.ts'
import type { Role } from '../../database/enums.ts'
import { DAY_MS } from '../../database/instant.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import * as tables from '../../database/tables.ts'
import { createLogger } from '../../http/log.ts'
import { createSandboxProvider } from '../../providers/sandbox/sandbox.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import { generatePassword } from '../../users/password.ts'
import { createUser } from '../../users/user.ts'
import { simulatePayments } from './payments.ts'
import { createSeededRandom } from './random.ts'
import { buildLinks, DEMO_COMPANY, DEMO_FEE_TERMS, DEMO_SETTINGS } from './shop.ts'
import { generatePayers } from './visitors.ts'
import { writeWebhooks } from './webhooks.ts'

type SeedNeeds = {
  db: Database
  cipher: Cipher
  checkoutUrl: string
  now: Date
  /** Hears what has been written so far. */
  onProgress?: (progress: string) => void
}
type DemoUser = Awaited<ReturnType<typeof createDemoUser>>

const RANDOM_SEED = 20_261_121
const DEMO_ADDRESS = '198.51.100.23'

/** `name` is the company's; `owner` and `member` the e-mails of its people. */
export async function seedDemo(
  { db, cipher, checkoutUrl, now, onProgress = () => {} }: SeedNeeds,
  { name, ...emails }: Record<'name' | 'owner' | 'member', string>,
) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return db.transaction(async (tx) => {
    const company = await createDemoCompany(tx, cipher, name, daysAgo(93))
    const { id: companyId } = company
    const owner = await createDemoUser(tx, getRealId(company), emails.owner, 'owner')
    const member = await createDemoUser(tx, getRealId(company), emails.member, 'member')
    const key = await issueDemoKeys(tx, companyId, daysAgo)
    const random = createSeededRandom(RANDOM_SEED)
    const links = buildLinks(company, now)
    await tx.insert(tables.payoutTerms).values(buildFeeRows(companyId, DEMO_FEE_TERMS))
    await tx.insert(tables.paymentLinks).values(links.map(({ row }) => row))

    const needs = buildPayNeeds(db, tx, checkoutUrl)
    const payers = generatePayers(random)
    await simulatePayments({ needs, random, company, links, payers, now, onProgress })
    await writeWebhooks(needs.db, cipher, { companyId, random, madeAt: daysAgo(91) })
    await recordHistory(tx, companyId, [
      [daysAgo(92), owner, 'settings_changed', 'Ajustes'],
      [daysAgo(91.9), owner, 'fees_changed', 'Tarifas e prazos'],
      [daysAgo(91.5), owner, 'user_invited', member.email],
      [daysAgo(91.2), member, 'user_joined', member.email],
      [daysAgo(2.4), member, 'sign_in', undefined],
      [daysAgo(0.1), owner, 'sign_in', undefined],
    ])

    const ofCompany = (table: typeof tables.customers | typeof tables.transactions) =>
      tx.$count(table, eq(table.companyId, companyId))
    const customers = await ofCompany(tables.customers)
    const payments = await ofCompany(tables.transactions)
    return {
      ...{ company: { id: companyId, name }, owner, member, key },
      ...{ links: links.length, customers, payments },
    }
  })
}

/** What opens a transaction of its own has a savepoint of this one, so that nobody sees, or settles, half of it. */
function buildPayNeeds(db: Database, tx: Transaction, checkoutUrl: string): PayNeeds {
  const { $client, probeConnection } = db
  const within: Database = Object.assign(tx, { $client, probeConnection })
  const challengeUrl = (reference: string) => `${checkoutUrl}${CHALLENGE_PATH}/${reference}`
  const sandbox = { ...createSandboxProvider({ db: within, challengeUrl }), notifyUrl: checkoutUrl }
  const providers = { open: async () => sandbox }
  const log = createLogger('silent')
  return { db: within, providers, checkoutUrl, log, now: () => new Date() }
}

async function createDemoCompany(tx: Transaction, cipher: Cipher, name: string, madeAt: Date) {
  const { id } = (await createCompany(tx, cipher, { ...DEMO_COMPANY, name })).test
  const at = madeAt.toISOString()
  await tx.update(tables.companies).set({ createdAt: at }).where(eq(tables.companies.id, id))
  const updated = await updateCompany(tx, id, DEMO_SETTINGS, madeAt)
  if (updated.kind === 'notFound') throw new Error('The company that was just made is gone')
  return updated.company
}

async function createDemoUser(tx: Transaction, companyId: string, email: string, role: Role) {
  const password = generatePassword()
  const user = await createUser(tx, { companyId, email, role, password })
  if (user.kind === 'emailTaken') throw new Error(`Somebody else has the e-mail ${email}`)
  return { id: user.id, email, password }
}

/** One that a shop works with, which is answered, and one that was revoked. */
async function issueDemoKeys(tx: Transaction, companyId: string, daysAgo: (days: number) => Date) {
  const at = (days: number) => daysAgo(days).toISOString()
  const shop = await issueApiKey(tx, companyId, 'Loja virtual')
  const old = await issueApiKey(tx, companyId, 'Integração antiga', ['read'])
  const date = (id: string, dates: Partial<typeof tables.apiKeys.$inferInsert>) =>
    tx.update(tables.apiKeys).set(dates).where(eq(tables.apiKeys.id, id))
  await date(shop.id, { createdAt: at(91), lastUsedAt: at(0.01) })
  await date(old.id, { createdAt: at(91.5), lastUsedAt: at(70), revokedAt: at(69) })
  return shop.key
}

type HistoryEntry = [at: Date, by: DemoUser, AuditAction, subject: string | undefined]

async function recordHistory(tx: Transaction, companyId: string, entries: HistoryEntry[]) {
  for (const [now, by, action, subject] of entries) {
    const who = { companyId, actor: by.email, userId: by.id, address: DEMO_ADDRESS }
    await recordAudit(tx, { ...who, action, subject, now })
  }
}
