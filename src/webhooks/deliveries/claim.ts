// The queue is the deliveries table itself. A delivery is claimed by pushing its due time past a
// lease; whoever dies holding it lets the lease run out, and no lock outlives a transaction. The
// attempt's number fences every later write, so that whoever comes late changes nothing.
import type { Database, Transaction } from '../../database/connect.ts'
import { CLAIM_LOCK } from '../../database/locks.ts'
import { runNamed } from '../../database/statement.ts'

/** Longer than an attempt's deadline by what it may take to record its outcome. */
export const LEASE_MS = 60_000
/** So many deliveries of one endpoint are under way at a time, over all processes. */
export const MAX_PER_ENDPOINT = 5

export type Claimed = {
  id: string
  /** The number of the attempt that this claim allows, from 1. */
  attempt: number
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
export async function claim(db: Database, now: Date, limit: number): Promise<Claimed[]> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const values = [now.toISOString(), leasedUntil.toISOString(), limit, MAX_PER_ENDPOINT]
  const connection = await db.$client.connect()
  try {
    await connection.query(TAKE_TURN)
    const named = { name: 'claim_deliveries', text: CLAIM, values }
    const { rows } = await connection.query<Claimed>(named)
    await connection.query('commit')
    connection.release()
    return rows
  } catch (error) {
    // Closed rather than rolled back: it may be the connection that failed.
    connection.release(true)
    throw error
  }
}

/**
 * Claims what the caller's transaction has just recorded, before any worker can see it: whoever waits at
 * a screen is one more than MAX_PER_ENDPOINT. Undefined when the event goes nowhere.
 */
export async function claimRecorded(tx: Transaction, eventId: string, now: Date) {
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const values = [eventId, now.toISOString(), leasedUntil.toISOString()]
  const [claimed] = await runNamed<Claimed>(tx, 'claim_recorded', CLAIM_RECORDED, values)
  return claimed
}

/**
 * Gives a delivery back that was claimed and not attempted to the end: it is due at once, and the
 * attempt was none. The caller writes nothing more about it, for its number will be given again.
 */
export async function giveBack(db: Database, { id, attempt }: Claimed, now: Date) {
  const values = [id, attempt, now.toISOString()]
  await db.$client.query({ name: 'give_delivery_back', text: GIVE_BACK, values })
}

// One claim at a time, over all processes, or two could each see four under way and both take one
// more. A process that freezes in between must not stop the others; a claim that a crash of Postgres
// forgets is merely claimed again, so its commit does not wait for the disk; and with many endpoints
// the planner thinks the claim worth compiling, which takes longer than the claim.
const TAKE_TURN = `
begin;
set local idle_in_transaction_session_timeout = 2000;
set local synchronous_commit = off;
set local jit = off;
select pg_advisory_xact_lock(${CLAIM_LOCK})`

const CLAIM = `
with due as (
  select next.id, endpoint.id as endpoint_id, endpoint.url, endpoint.secret,
    case when endpoint.previous_secret_until > $1 then endpoint.previous_secret end as previous_secret,
    event.id as event_id, event.body
  from webhook_endpoints endpoint
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
  limit $3
)
update webhook_deliveries delivery
set attempts = delivery.attempts + 1, due_at = $2, leased_until = $2
from due
where delivery.id = due.id
returning delivery.id, delivery.attempts as attempt, due.endpoint_id as "endpointId",
  due.event_id as "eventId", due.body, due.url, due.secret, due.previous_secret as "previousSecret"`

const CLAIM_RECORDED = `
with recorded as (
  select delivery.id, delivery.endpoint_id, endpoint.url, endpoint.secret,
    case when endpoint.previous_secret_until > $2 then endpoint.previous_secret end as previous_secret,
    event.body
  from webhook_deliveries delivery
  join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
  join events event on event.id = delivery.event_id
  where delivery.event_id = $1
)
update webhook_deliveries delivery set attempts = 1, due_at = $3, leased_until = $3
from recorded where delivery.id = recorded.id
returning delivery.id, delivery.attempts as attempt, recorded.endpoint_id as "endpointId",
  delivery.event_id as "eventId", recorded.body, recorded.url, recorded.secret,
  recorded.previous_secret as "previousSecret"`

const GIVE_BACK = `
with held as (
  update webhook_deliveries set attempts = attempts - 1, due_at = $3, leased_until = null
  where id = $1 and attempts = $2 and leased_until is not null
  returning id
)
select pg_notify('delivery_due', '') from held`
