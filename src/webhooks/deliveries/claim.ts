// Claims due deliveries, each with all data that its attempt needs: the deliveries table is the queue. No endpoint
// has more attempts under way than its concurrency allows, and endpoints with the fewest come first.
import type { Database } from '../../database/connect.ts'
import { pgCore, sql } from '../../database/drizzle.ts'
import { DELIVERY_CLAIM_LOCK } from '../../database/locks.ts'
import { type Claim, getLeaseEnd, type QueueTable } from '../../queue/lease.ts'

/** The attempts that every endpoint may have under way before faster endpoints take the reserved places. */
const BASIC_CONCURRENCY = 5

export const DELIVERY_QUEUE: QueueTable = {
  name: 'webhook_deliveries',
  leaseColumn: 'leased_until',
  channel: 'delivery_due',
}

export type ClaimedDelivery = Claim & {
  /** How many of its attempts somebody asked for. */
  resends: number
  endpointId: string
  eventId: string
  body: string
  url: string
  /** Sealed. */
  secret: Buffer
  /** Sealed: all that must still sign too; null where none must. */
  previousSecret: Buffer | null
  headerNames: string[]
  /** Sealed. */
  headerValues: Buffer | null
  /** How many of its endpoint could be under way when this was claimed. */
  concurrency: number
  /** Whether the endpoint then had that many under way, this one included. */
  isSaturated: boolean
}

/**
 * Claims up to `limit` deliveries that are due, of each endpoint the longest due first. The last `reserved`
 * of them go to endpoints with few under way: those that are slow and have earned more must not take all.
 */
export async function claimDeliveries(db: Database, now: Date, limit: number, reserved = 0) {
  if (!(await isAnythingDue(db, now))) return []
  const { sql: text, params } = DIALECT.sqlToQuery(buildDueClaim(now, limit, reserved))
  const connection = await db.$client.connect()
  try {
    // Sent together, so that nobody waits for our round trips while we hold the lock: of eight at once twice as
    // many claims are made. Once the lock is refused, so is the claim. Were `begin` itself refused, the claim
    // would be made all the same, of which an endpoint might have one too many.
    const [, { rows }] = await Promise.all([
      connection.query(LOCK_CLAIMS_SQL),
      connection.query<ClaimedDelivery>(text, params),
      connection.query('commit'),
    ])
    connection.release()
    return rows
  } catch (error) {
    // Closed rather than rolled back: it may be the connection that failed.
    connection.release(true)
    throw error
  }
}

/** Asked before each claim, so that an idle process makes one statement and no transaction. */
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

// One claim at a time, over all processes, or two could each see four under way and both take one
// more. A process that freezes in between must not stop the others; a claim that a crash of Postgres
// forgets is merely claimed again, so its commit does not wait for the disk; and with many endpoints
// the planner thinks the claim worth compiling, which takes longer than the claim. So does planning it
// anew for each claim's values: one plan is kept, that of few rows from indexes, however many are guessed.
const LOCK_CLAIMS_SQL = `
begin;
set local idle_in_transaction_session_timeout = 2000;
set local synchronous_commit = off;
set local jit = off;
set local plan_cache_mode = force_generic_plan;
set local enable_hashjoin = off;
set local enable_mergejoin = off;
select pg_advisory_xact_lock(${DELIVERY_CLAIM_LOCK})`

const DIALECT = new pgCore.PgDialect()

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
    select candidate.*, row_number() over (order by candidate.place, candidate.due_at) as position
    from (
      select next.id, next.event_id, next.due_at, endpoint.id as endpoint_id,
        leased.count + row_number() over (partition by endpoint.id order by next.due_at) as place,
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
  where next.position <= ${limit}::int - case when next.place <= ${BASIC_CONCURRENCY} then 0 else ${reserved}::int end
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
