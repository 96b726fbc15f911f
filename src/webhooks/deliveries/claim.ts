// Claims due deliveries, each with all data that its attempt needs: the deliveries table is the queue. An endpoint
// never has more attempts at a time than its concurrency, and endpoints with the fewest come first.
import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { DELIVERY_CLAIM_LOCK } from '../../database/locks.ts'
import { type Claim, getLeaseEnd, type QueueTable } from '../../queue/lease.ts'

/** Every endpoint may have this many attempts at a time before faster endpoints get the reserved ones. */
const BASIC_CONCURRENCY = 5

export const DELIVERY_QUEUE: QueueTable = {
  name: 'webhook_deliveries',
  leaseColumn: 'leased_until',
  channel: 'delivery_due',
}

export type ClaimedDelivery = Claim & {
  /** The number of attempts that a person asked for. */
  resends: number
  endpointId: string
  eventId: string
  body: string
  url: string
  /** Encrypted. */
  secret: Buffer
  /** Encrypted: former secrets that still sign; null without any. */
  previousSecret: Buffer | null
  headerNames: string[]
  /** Encrypted. */
  headerValues: Buffer | null
  /** The endpoint's concurrency at the time of the claim. */
  concurrency: number
  /** Whether the endpoint then had that many attempts, including this one. */
  isSaturated: boolean
}

/**
 * Claims up to `limit` due deliveries, longest due first within an endpoint. The last `reserved` of them go to
 * endpoints with few attempts, so that slow endpoints with a high concurrency cannot take all.
 */
export async function claimDeliveries(db: Database, now: Date, limit: number, reserved = 0) {
  if (!(await isAnythingDue(db, now))) return []
  return db.transaction(async (tx) => {
    await tx.execute(LOCK_CLAIMS_SQL)
    const { rows } = await tx.execute<ClaimedDelivery>(buildDueClaim(now, limit, reserved))
    return rows
  })
}

/** A cheap check before each claim, so that an idle process opens no transaction. */
async function isAnythingDue(db: Database, now: Date) {
  const { rowCount } = await db.execute(sql`
    select from webhook_endpoints endpoint
    where disabled_at is null and exists (
      select from webhook_deliveries
      where endpoint_id = endpoint.id and due_at <= ${now.toISOString()}
    )
    limit 1`)
  return rowCount === 1
}

// Claims take turns over all processes, or two could each see four attempts and both add one. A frozen process must not
// stop the others (the timeout). A claim that a crash of Postgres loses is made again, so the commit need not wait for
// the disk. The joins are by index even when Postgres has no statistics of the tables yet.
const LOCK_CLAIMS_SQL = sql.raw(`
set local idle_in_transaction_session_timeout = 2000;
set local synchronous_commit = off;
set local enable_hashjoin = off;
set local enable_mergejoin = off;
select pg_advisory_xact_lock(${DELIVERY_CLAIM_LOCK})`)

function buildDueClaim(now: Date, limit: number, reserved: number) {
  const at = now.toISOString()
  const leaseEnd = getLeaseEnd(now)
  return sql`
with due as (
  select next.id, endpoint.id as endpoint_id, endpoint.url, endpoint.secret,
    endpoint.header_names, endpoint.header_values,
    case when endpoint.previous_secret_until > ${at} then endpoint.previous_secret end as previous_secret,
    event.id as event_id, event.body, endpoint.concurrency, next.is_saturated
  from (
    select candidate.*, row_number() over (order by candidate.nth, candidate.due_at) as position
    from (
      select next.id, next.event_id, next.due_at, endpoint.id as endpoint_id,
        leased.count + row_number() over (partition by endpoint.id order by next.due_at) as nth,
        leased.count + count(*) over (partition by endpoint.id) >= endpoint.concurrency
          as is_saturated
      from webhook_endpoints endpoint
      cross join lateral (
        select count(*) from webhook_deliveries
        where endpoint_id = endpoint.id and leased_until > ${at}
      ) leased
      cross join lateral (
        select id, event_id, due_at from webhook_deliveries
        where endpoint_id = endpoint.id and due_at <= ${at}
        order by due_at
        limit greatest(0, endpoint.concurrency - leased.count)
        for update skip locked
      ) next
      where endpoint.disabled_at is null
    ) candidate
  ) next
  join webhook_endpoints endpoint on endpoint.id = next.endpoint_id
  join events event on event.id = next.event_id
  where next.position <= ${limit}::int - case when next.nth <= ${BASIC_CONCURRENCY} then 0 else ${reserved}::int end
)
update webhook_deliveries delivery
set attempts = delivery.attempts + 1, due_at = ${leaseEnd}, leased_until = ${leaseEnd}
from due
where delivery.id = due.id
returning delivery.id, delivery.attempts as attempt, delivery.resends, due.endpoint_id as "endpointId",
  due.event_id as "eventId", due.body, due.url, due.secret, due.previous_secret as "previousSecret",
  due.header_names as "headerNames", due.header_values as "headerValues",
  due.concurrency, due.is_saturated as "isSaturated"`
}
