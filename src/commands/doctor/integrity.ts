// What must be true of the data, each as one statement.

import type { Config } from '../../config.ts'
import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { countSealed, type SealedCount } from '../../database/sealing/reseal.ts'
import { checkBook } from './book.ts'
import { type DoctorCheck, reportFailure, reportOk, reportWarning } from './finding.ts'

const CHECK_TIMEOUT_MS = MINUTE_MS
const MAX_NAMED_IDS = 3

type DataNeeds = { cipher: Cipher; config: Config }

/** In the order in which they are told. */
export function listDataChecks({ cipher, config }: DataNeeds): DoctorCheck[] {
  return [
    { about: 'secret key', run: (db) => checkSecrets(db, cipher, config) },
    { about: 'approved payments', run: checkApprovedPayments },
    { about: 'deliveries', run: checkDeliveries },
    { about: 'payments in processing', run: checkProcessingPayments },
    { about: 'notifications', run: checkNotifications },
    { about: 'companies', run: checkCompanies },
    { about: 'book of money', run: checkBook },
  ]
}

async function checkSecrets(db: Database, cipher: Cipher, { previousSecretKey }: Config) {
  const columns = await countSealed(db, cipher)
  const [sealed = 0, stale = 0, unreadable = 0] = (['sealed', 'stale', 'unreadable'] as const).map(
    (what) => columns.reduce((sum, column) => sum + column[what], 0),
  )
  const opened = `secret key: opens ${sealed - unreadable} of ${sealed} sealed secrets`
  if (unreadable > 0) {
    return reportFailure(
      `${opened} (others: ${formatColumnCounts(columns, 'unreadable')})`,
      'set the SECRET_KEY that they were sealed with, or as SECRET_KEY_PREVIOUS; "secrets rotate" names them',
    )
  }
  if (stale > 0) {
    return reportWarning(
      `${opened}, ${stale} of them sealed before this key (${formatColumnCounts(columns, 'stale')})`,
      'run "secrets rotate"; until then keep SECRET_KEY_PREVIOUS where one is set',
    )
  }
  const all = `secret key: opens all of ${sealed} sealed secrets`
  if (!previousSecretKey) return reportOk(all)
  return reportWarning(
    `${all}; SECRET_KEY_PREVIOUS opens none of them`,
    'keep it while you change keys: it is the new one until both are swapped (.github/SECURITY.md); after the change, or where none is under way, remove it everywhere',
  )
}

function formatColumnCounts(columns: SealedCount[], what: 'stale' | 'unreadable') {
  const some = columns.filter((column) => column[what] > 0)
  return some.map((column) => `${column.name} ${column[what]}`).join(', ')
}

/** An approval and its event are one transaction. Older ones were looked at before. */
async function checkApprovedPayments(db: Database) {
  const found = await countRows(
    db,
    sql`transactions payment
    where approved_at >= now() - interval '30 days' and not exists (
      select from events event
      where event.type = 'transaction.approved' and event.company_id = payment.company_id
        and event.created_at >= now() - interval '31 days'
        and event.body::jsonb #>> '{data,transaction,id}' = payment.id::text
    )`,
  )
  if (found.count === 0)
    return reportOk('approved payments: each of the last 30 days has its event')
  return reportFailure(
    `approved payments: ${found.text} without a transaction.approved event`,
    'tell the company of these payments, and us: this must not happen',
  )
}

async function checkDeliveries(db: Database) {
  const found = await countRows(
    db,
    sql`webhook_deliveries delivery
    where leased_until < now() - interval '60 seconds' and exists (
      select from webhook_endpoints endpoint
      where endpoint.id = delivery.endpoint_id and endpoint.disabled_at is null
    )`,
  )
  if (found.count === 0) return reportOk('deliveries: none is held past its lease')
  return reportFailure(
    `deliveries: ${found.text} held more than 60 s past the lease`,
    'see whether the service is running; it takes them up again',
  )
}

/** One that is held waits for its company. */
async function checkProcessingPayments(db: Database) {
  const found = await countRows(
    db,
    sql`transactions
    where status = 'processing' and hold_reason is null
      and created_at < now() - interval '10 minutes'`,
  )
  if (found.count === 0) return reportOk('payments: none is in processing for more than 10 minutes')
  return reportWarning(
    `payments: ${found.text} in processing for more than 10 minutes`,
    'run "reconcile"; if they stay, ask the provider',
  )
}

/** Looked at once a day by the service. */
async function checkNotifications(db: Database) {
  const found = await countRows(
    db,
    sql`(select company_id as id from provider_accounts where registration = 'lost') lost`,
  )
  if (found.count === 0) return reportOk('notifications: no provider has stopped telling us')
  return reportWarning(
    `notifications: ${found.text} companies whose bank tells somebody else by now`,
    'payments are found later; register the address again, in the dashboard or by "provider set --replace-webhook"',
  )
}

async function checkCompanies(db: Database) {
  const found = await countRows(
    db,
    sql`companies where test_of is null and pix_provider is null and card_provider is null`,
  )
  if (found.count === 0) return reportOk('companies: each can be paid for real')
  return reportWarning(
    `companies: ${found.text} can only be paid in tests`,
    'no real money moves before "provider set --live"',
  )
}

/** Of the rows that `these` (all that follows `from`) selects: how many, and the ids of a few. */
async function countRows(db: Database, these: SQL) {
  const { rows } = await db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local statement_timeout = ${CHECK_TIMEOUT_MS}`))
    return tx.execute<{ count: number; ids: string[] | null }>(
      sql`select count(*)::int as count, (array_agg(id order by id))[1:${sql.raw(`${MAX_NAMED_IDS}`)}] as ids from ${these}`,
    )
  })
  const { count, ids } = requireFound(rows[0])
  const more = count > MAX_NAMED_IDS ? ', …' : ''
  return { count, text: `${count} (${ids?.join(', ')}${more})` }
}
