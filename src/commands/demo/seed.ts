// Fills a new company with a year of a bakery's business, in one transaction.
import { issueApiKey } from '../../api/api-key.ts'
import { CHALLENGE_PATH } from '../../checkout/payment/sandbox-routes.ts'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import { createCompany, getRealId, updateCompany } from '../../companies/company.ts'
import { buildFeeRows } from '../../companies/fee-terms.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { eq, sql } from '../../database/drizzle.ts'
import type { Cipher } from '../../database/encryption/cipher.ts'
import { EVENT_TYPES, type Role } from '../../database/enums.ts'
import { DAY_MS } from '../../database/instant.ts'
import * as tables from '../../database/tables.ts'
import { createLogger } from '../../http/log.ts'
import { withWords } from '../../payment-links/payment-link.ts'
import { createSandboxProvider } from '../../providers/sandbox/sandbox.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import { generatePassword } from '../../users/password.ts'
import { createUser } from '../../users/user.ts'
import { createEndpoint } from '../../webhooks/endpoints/endpoint.ts'
import { simulatePayments } from './payments.ts'
import {
  buildDemoLinks,
  buildDemoPayers,
  DEMO_COMPANY,
  DEMO_DAYS,
  DEMO_FEE_TERMS,
  DEMO_SETTINGS,
} from './shop.ts'

type SeedNeeds = {
  db: Database
  cipher: Cipher
  checkoutUrl: string
  now: Date
  /** Called with what has been written so far. */
  onProgress?: (progress: string) => void
}
type DemoUser = Awaited<ReturnType<typeof createDemoUser>>

const ENDPOINT_URL = 'https://erp.solemar.example/eventos'
const DEMO_ADDRESS = '198.51.100.23'

/** `name` is the company's; `owner` and `member` are e-mails of its users. */
export async function seedDemo(
  { db, cipher, checkoutUrl, now, onProgress = () => {} }: SeedNeeds,
  { name, ...emails }: Record<'name' | 'owner' | 'member', string>,
) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return db.transaction(async (tx) => {
    const company = await createDemoCompany(tx, cipher, name, now)
    const { id: companyId } = company
    const owner = await createDemoUser(tx, getRealId(company), emails.owner, 'owner')
    const member = await createDemoUser(tx, getRealId(company), emails.member, 'member')
    const { key } = await issueApiKey(tx, companyId, 'Loja virtual')
    const links = buildDemoLinks(company, now)
    await tx.insert(tables.payoutTerms).values(buildFeeRows(companyId, DEMO_FEE_TERMS))
    await tx.insert(tables.paymentLinks).values(links.map(withWords))

    const needs = buildPayNeeds(db, tx, checkoutUrl)
    await simulatePayments({ needs, company, links, payers: buildDemoPayers(), now, onProgress })
    await writeWebhooks(needs.db, cipher, companyId)
    await recordDemoAct(tx, companyId, owner, 'settings_changed', daysAgo(DEMO_DAYS))
    await recordDemoAct(tx, companyId, member, 'user_joined', daysAgo(DEMO_DAYS - 1))
    await recordDemoAct(tx, companyId, owner, 'sign_in', daysAgo(0.1))

    const ofCompany = (table: typeof tables.customers | typeof tables.transactions) =>
      tx.$count(table, eq(table.companyId, companyId))
    return {
      company: { id: companyId, name },
      owner,
      member,
      key,
      links: links.length,
      customers: await ofCompany(tables.customers),
      payments: await ofCompany(tables.transactions),
    }
  })
}

/** Nested transactions become savepoints of `tx`, so that other processes never see, or settle, a part of the data. */
function buildPayNeeds(db: Database, tx: Transaction, checkoutUrl: string): PayNeeds {
  const { $client, probeConnection } = db
  const within: Database = Object.assign(tx, { $client, probeConnection })
  const challengeUrl = (reference: string) => `${checkoutUrl}${CHALLENGE_PATH}/${reference}`
  const sandbox = createSandboxProvider({ db: within, challengeUrl })
  const providers = { open: async () => sandbox }
  const log = createLogger('silent')
  return { db: within, providers, checkoutUrl, log, now: () => new Date() }
}

async function createDemoCompany(tx: Transaction, cipher: Cipher, name: string, now: Date) {
  const { test } = await createCompany(tx, cipher, { ...DEMO_COMPANY, name })
  const updated = await updateCompany(tx, test.id, DEMO_SETTINGS, now)
  if (updated.kind === 'notFound') throw new Error('The company that was just made is gone')
  return updated.company
}

async function createDemoUser(tx: Transaction, companyId: string, email: string, role: Role) {
  const password = generatePassword()
  const user = await createUser(tx, { companyId, email, role, password })
  if (user.kind === 'emailTaken') throw new Error(`Somebody else has the e-mail ${email}`)
  return { id: user.id, email, password }
}

/** Creates an endpoint for all events that fails for refunds; nothing is left for a worker to send. */
async function writeWebhooks(db: Database, cipher: Cipher, companyId: string) {
  const events = EVENT_TYPES.filter((type) => type !== 'transaction.created')
  const endpoint = { companyId, url: ENDPOINT_URL, events }
  const { id: endpointId } = await createEndpoint(db, cipher, endpoint)
  const isRefused = sql`event.type = 'transaction.refunded'`
  await db.execute(sql`
    insert into webhook_deliveries (id, event_id, endpoint_id, created_at, status, attempts, outcome,
      status_code, due_at, delivered_at)
    select id, id, ${endpointId}, created_at, case when ${isRefused} then 'failed' else 'delivered' end, 1,
      case when ${isRefused} then 'http_error' else 'delivered' end,
      case when ${isRefused} then 422 else 200 end, null, case when not (${isRefused}) then created_at end
    from events event where company_id = ${companyId}`)
  await db.execute(sql`
    insert into webhook_attempts (delivery_id, number, url, started_at, duration_ms, outcome, status_code, answer)
    select id, 1, ${ENDPOINT_URL}, created_at, 120, outcome, status_code,
      case outcome when 'delivered' then '{"ok":true}' else '{"erro":"tipo de evento desconhecido"}' end
    from webhook_deliveries where endpoint_id = ${endpointId}`)
}

async function recordDemoAct(
  tx: Transaction,
  companyId: string,
  { id: userId, email: actor }: DemoUser,
  action: AuditAction,
  now: Date,
) {
  await recordAudit(tx, { companyId, actor, userId, action, address: DEMO_ADDRESS, now })
}
