// Checks of the data, each as one SQL statement.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { selectBookFaults } from '../../movements/book.ts'
import { MAX_REFUSED, selectSilentAccounts } from '../../providers/notification-log.ts'
import { type DoctorCheck, reportOk } from './finding.ts'

const CHECK_TIMEOUT_MS = MINUTE_MS
const MAX_NAMED_IDS = 3

type RowRule = {
  about: string
  /** The SQL after `from` that selects wrong rows. */
  rows: SQL
  status: 'warn' | 'fail'
  /** The text when there are no such rows. */
  none: string
  /** The text after the number of rows. */
  some: string
  advice: string
}

const ROW_RULES: RowRule[] = [
  {
    // An approval and its event are written in one transaction. Older approvals were checked before.
    about: 'approved payments',
    rows: sql`transactions payment
      where approved_at >= now() - interval '30 days' and not exists (
        select from events event
        where event.type = 'transaction.approved' and event.company_id = payment.company_id
          and event.created_at >= now() - interval '31 days'
          and event.body::jsonb #>> '{data,transaction,id}' = payment.id::text
      )`,
    status: 'fail',
    none: 'each one of the last 30 days has its event',
    some: 'without a transaction.approved event',
    advice: 'inform the company of these payments, and report this to us: it must not happen',
  },
  {
    // A held payment waits for its company.
    about: 'payments',
    rows: sql`transactions
      where status = 'processing' and hold_reason is null
        and created_at < now() - interval '10 minutes'`,
    status: 'warn',
    none: 'none is in processing for more than 10 minutes',
    some: 'in processing for more than 10 minutes',
    advice: 'run "reconcile"; if they stay, ask the provider',
  },
  {
    // The service checks each registration once a day.
    about: 'notifications',
    rows: sql`(select company_id as id from provider_accounts where registration = 'lost') lost`,
    status: 'warn',
    none: 'no provider has stopped notifying us',
    some: 'companies with a bank that now notifies another address',
    advice:
      'payments are found later; register the address again, in the dashboard or by "provider set --replace-webhook"',
  },
  {
    about: 'refused notifications',
    rows: sql`(select company_id as id from provider_accounts where refused_count >= ${MAX_REFUSED}) refused`,
    status: 'warn',
    none: 'all signatures of providers are valid',
    some: 'companies with notifications of their provider that have no good signature',
    advice: 'payments are found later; save the secret that the provider shows again',
  },
  {
    about: 'silent providers',
    rows: sql`(select company_id as id from ${selectSilentAccounts()}) silent`,
    status: 'warn',
    none: 'each one that notified us still does',
    some: 'companies without a notification about any of their last Pix',
    advice: 'payments are found later; check the address for notifications at the provider',
  },
  {
    about: 'held payments',
    rows: sql`transactions
      where hold_reason = 'unreadable' and approved_at is null and status <> 'canceled'`,
    status: 'warn',
    none: 'the received amount of each could be read',
    some: 'called paid by their provider, with an amount that cannot be read',
    advice: 'look at Recebimentos for the field, and report the answer to us',
  },
  {
    about: 'answers',
    rows: sql`(select company_id as id from provider_accounts
      where unreadable_at is not null) unread`,
    status: 'warn',
    none: 'all answers of providers could be read',
    some: 'companies with an unreadable answer of a provider',
    advice: 'look at Recebimentos for the field; "Testar conexão" there clears this',
  },
  {
    about: 'companies',
    rows: sql`companies where test_of is null and pix_provider is null and card_provider is null`,
    status: 'warn',
    none: 'each can receive live payments',
    some: 'can only receive test payments',
    advice: 'no real money moves before "provider set --live"',
  },
]

export const ROW_CHECKS: DoctorCheck[] = ROW_RULES.map((rule) => ({
  about: rule.about,
  run: (db) => checkRows(db, rule),
}))

export function checkBook(db: Database) {
  return checkRows(db, {
    about: 'book of money',
    rows: sql`${selectBookFaults()} wrong`,
    status: 'fail',
    none: 'it agrees with the payments',
    some: 'payments that it differs from',
    advice: 'rely on the payments until it is repaired, and report this to us: it must not happen',
  })
}

async function checkRows(db: Database, { about, rows, status, none, some, advice }: RowRule) {
  const { count, ids } = await db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local statement_timeout = ${CHECK_TIMEOUT_MS}`))
    const found = await tx.execute<{ count: number; ids: string[] | null }>(
      sql`select count(*)::int as count, (array_agg(id order by id))[1:${sql.raw(`${MAX_NAMED_IDS}`)}] as ids from ${rows}`,
    )
    return requireFound(found.rows[0])
  })
  if (count === 0) return reportOk(`${about}: ${none}`)
  const named = `${ids?.join(', ')}${count > MAX_NAMED_IDS ? ', …' : ''}`
  return { status, what: `${about}: ${count} (${named}) ${some}`, advice }
}
