// Counts the work that waits in the database for any process: through indexes, and up to a limit.
import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { MAIL_UNREACHABLE } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'

/** At most this many are counted in each queue, and for each endpoint. */
const MAX_COUNTED = 10_000

export type Backlog = {
  deliveriesDue: number
  /** How long the first delivery has been due; 0 without any. The same for the other queues. */
  deliveriesOldestDueSeconds: number
  /** The same, for endpoints that may receive more deliveries at once: those deliveries wait only for this service. */
  deliveriesWaitingForUsSeconds: number
  /** Includes mails that wait because our mail server was unreachable; their age counts from their creation. */
  mailsDue: number
  mailsOldestDueSeconds: number
  /** Payments that a provider must be asked about. */
  checksDue: number
  checksOldestDueSeconds: number
  /** Age of the oldest payment that its provider has not decided, without held payments. */
  oldestProcessingSeconds: number
  databaseSizeBytes: number
}

export async function readBacklog(db: Database, now: Date): Promise<Backlog> {
  const at = now.toISOString()
  const age = (oldest: string) =>
    sql`greatest(0, coalesce(extract(epoch from ${at}::timestamptz - ${sql.raw(oldest)}), 0))::float8`
  // Deliveries of a disabled endpoint are not claimed; an index finds each company's first payment in processing.
  const { rows } = await db.execute<Backlog>(sql`
    select deliveries.due::int as "deliveriesDue", mails.due::int as "mailsDue",
      checks.due::int as "checksDue",
      ${age('deliveries.oldest')} as "deliveriesOldestDueSeconds",
      ${age('deliveries.oldest_for_us')} as "deliveriesWaitingForUsSeconds",
      ${age('mails.oldest')} as "mailsOldestDueSeconds",
      ${age('checks.oldest')} as "checksOldestDueSeconds",
      ${age('processing.oldest')} as "oldestProcessingSeconds",
      pg_database_size(current_database())::float8 as "databaseSizeBytes"
    from (
      select coalesce(sum(waiting.due), 0) as due, min(waiting.oldest) as oldest,
        min(waiting.oldest) filter (where leased.count < endpoint.concurrency) as oldest_for_us
      from webhook_endpoints endpoint
      cross join lateral (
        select count(*) from webhook_deliveries where endpoint_id = endpoint.id and leased_until > ${at}
      ) leased
      cross join lateral (
        select count(*) as due, min(due_at) as oldest from (
          select due_at from webhook_deliveries
          where endpoint_id = endpoint.id and due_at <= ${at} order by due_at limit ${MAX_COUNTED}
        ) first
      ) waiting
      where endpoint.disabled_at is null
    ) deliveries
    cross join (
      select count(*) as due, min(oldest) as oldest from (
        select case failure when ${MAIL_UNREACHABLE} then created_at else due_at end as oldest from mails
        where due_at <= ${at} or (due_at is not null and failure = ${MAIL_UNREACHABLE}) order by due_at limit ${MAX_COUNTED}
      ) first
    ) mails
    cross join (
      select count(*) as due, min(check_at) as oldest
      from (select check_at from transactions where check_at <= ${at} order by check_at limit ${MAX_COUNTED}) first
    ) checks
    cross join (
      select min(first.created_at) as oldest
      from companies company
      cross join lateral (
        select created_at from transactions
        where company_id = company.id and status = 'processing' and hold_reason is null
        order by id limit 1
      ) first
    ) processing`)
  return requireFound(rows[0])
}
