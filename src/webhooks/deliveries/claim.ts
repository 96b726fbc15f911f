// The queue is the deliveries table itself: a delivery is claimed with all that its attempt needs, and no
// endpoint has more than its share under way.
import type { Database, Transaction } from '../../database/connect.ts'
import { DELIVERY_CLAIM_LOCK } from '../../database/locks.ts'
import { runNamedStatement } from '../../database/statement.ts'
import { type Claim, getLeaseEnd, type QueueTable } from '../../queue/lease.ts'

/** So many deliveries of one endpoint are under way at a time, over all processes. */
const MAX_PER_ENDPOINT = 5

export const DELIVERY_QUEUE: QueueTable = {
  name: 'webhook_deliveries',
  leaseColumn: 'leased_until',
  channel: 'delivery_due',
}

export type ClaimedDelivery = Claim & {
  endpointId: string
  eventId: string
  body: string
  url: string
  /** Sealed. */
  secret: Buffer
  /** Sealed; null unless it must still sign too. */
  previousSecret: Buffer | null
}

/** Claims up to `limit` deliveries that are due, the longest due first. */
export async function claimDeliveries(db: Database, now: Date, limit: number) {
  const values = [now.toISOString(), getLeaseEnd(now), limit, MAX_PER_ENDPOINT]
  const connection = await db.$client.connect()
  try {
    await connection.query(LOCK_CLAIMS_SQL)
    const named = { name: 'claim_deliveries', text: CLAIM_DELIVERIES_SQL, values }
    const { rows } = await connection.query<ClaimedDelivery>(named)
    await connection.query('commit')
    connection.release()
    return rows
  } catch (error) {
    // Closed rather than rolled back: it may be the connection that failed.
    connection.release(true)
    throw error
  }
}

type ClaimResult =
  | { kind: 'claimed'; delivery: ClaimedDelivery }
  /** The event goes nowhere. */
  | { kind: 'undelivered' }

/**
 * Claims what the caller's transaction has just recorded, before any worker can see it: whoever waits at
 * a screen is one more than MAX_PER_ENDPOINT.
 */
export async function claimRecordedDelivery(
  tx: Transaction,
  eventId: string,
  now: Date,
): Promise<ClaimResult> {
  const values = [now.toISOString(), getLeaseEnd(now), eventId]
  const text = CLAIM_RECORDED_SQL
  const [claimed] = await runNamedStatement<ClaimedDelivery>(tx, 'claim_recorded', text, values)
  return claimed ? { kind: 'claimed', delivery: claimed } : { kind: 'undelivered' }
}

// One claim at a time, over all processes, or two could each see four under way and both take one
// more. A process that freezes in between must not stop the others; a claim that a crash of Postgres
// forgets is merely claimed again, so its commit does not wait for the disk; and with many endpoints
// the planner thinks the claim worth compiling, which takes longer than the claim.
const LOCK_CLAIMS_SQL = `
begin;
set local idle_in_transaction_session_timeout = 2000;
set local synchronous_commit = off;
set local jit = off;
select pg_advisory_xact_lock(${DELIVERY_CLAIM_LOCK})`

const CLAIM_DELIVERIES_SQL = buildClaimSql(`
  webhook_endpoints endpoint
  cross join lateral (
    select delivery.id, delivery.event_id, delivery.due_at
    from webhook_deliveries delivery
    where delivery.endpoint_id = endpoint.id and delivery.due_at <= $1
    order by delivery.due_at
    limit greatest(0, $4 - (
      select count(*) from webhook_deliveries leased
      where leased.endpoint_id = endpoint.id and leased.leased_until > $1
    ))
    for update skip locked
  ) next
  join events event on event.id = next.event_id
  where endpoint.disabled_at is null
  order by next.due_at
  limit $3`)

const CLAIM_RECORDED_SQL = buildClaimSql(`
  webhook_deliveries next
  join webhook_endpoints endpoint on endpoint.id = next.endpoint_id
  join events event on event.id = next.event_id
  where next.event_id = $3`)

/** What both claims set and answer: `$1` is now, `$2` the end of the lease. */
function buildClaimSql(next: string) {
  return `
with due as (
  select next.id, endpoint.id as endpoint_id, endpoint.url, endpoint.secret,
    case when endpoint.previous_secret_until > $1 then endpoint.previous_secret end as previous_secret,
    event.id as event_id, event.body
  from ${next}
)
update webhook_deliveries delivery
set attempts = delivery.attempts + 1, due_at = $2, leased_until = $2
from due
where delivery.id = due.id
returning delivery.id, delivery.attempts as attempt, due.endpoint_id as "endpointId",
  due.event_id as "eventId", due.body, due.url, due.secret, due.previous_secret as "previousSecret"`
}
