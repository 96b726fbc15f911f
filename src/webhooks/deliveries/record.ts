// Records the outcome of an attempt, decides when a failed delivery is tried again, and informs the company by e-mail
// when a delivery is given up.
import type { Database, Db, Transaction } from '../../database/connect.ts'
import { eq, sql } from '../../database/drizzle.ts'
import type { DeliveryStatus, EventType } from '../../database/enums.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { webhookEndpoints } from '../../database/tables.ts'
import { parseRetryAfterMs } from '../../http/outbound.ts'
import { type NewMail, type Outbox, queueMail } from '../../mail/outbox.ts'
import { ownsLease } from '../../queue/lease.ts'
import { stripUrlQuery } from '../endpoints/endpoint.ts'
import type { FinishedAttempt } from './attempt.ts'
import { type ClaimedDelivery, DELIVERY_QUEUE } from './claim.ts'

type RecordResult =
  | { kind: 'recorded'; status: DeliveryStatus }
  /** The attempt no longer held its lease, so nothing is written. */
  | { kind: 'leaseLost' }

/** Writes the outcome of an attempt, and informs the company by `mail` when it was the last one. */
export async function recordDeliveryAttempt(
  db: Database,
  delivery: ClaimedDelivery,
  made: FinishedAttempt,
  mail?: Outbox | null,
): Promise<RecordResult> {
  const { outcome, statusCode, retryAfter, endedAt } = made
  const over = outcome === 'delivered' || outcome === 'gone'
  const failedAttempt = { attempt: delivery.attempt - delivery.resends, statusCode, retryAfter }
  const dueAt = over ? null : getNextDeliveryAttemptAt(failedAttempt, endedAt)
  const failed = dueAt === null ? 'failed' : 'pending'
  const status = outcome === 'delivered' ? 'delivered' : failed
  const decided = { status, dueAt: dueAt?.toISOString() ?? null } as const
  if (!mail || status !== 'failed') return writeDeliveryAttempt(db, delivery, made, decided)
  return db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, delivery.endpointId)
    const written = await writeDeliveryAttempt(tx, delivery, made, decided)
    if (written.kind === 'recorded' && endpoint) {
      await queueGivenUpMail(mail, tx, endpoint, delivery, made)
    }
    return written
  })
}

type Decided = { status: DeliveryStatus; dueAt: string | null }

async function writeDeliveryAttempt(
  db: Db,
  delivery: ClaimedDelivery,
  { outcome, statusCode, answer, startedAt, endedAt }: FinishedAttempt,
  { status, dueAt }: Decided,
): Promise<RecordResult> {
  const at = sql`${endedAt.toISOString()}::timestamptz`
  const durationMs = endedAt.getTime() - startedAt.getTime()
  const { rowCount } = await db.execute(sql`
    with recorded as (
      update webhook_deliveries
      set status = ${status}, due_at = ${dueAt}, leased_until = null, outcome = ${outcome},
        status_code = ${statusCode},
        delivered_at = case when ${status}::text = 'delivered' then ${at} else delivered_at end
      where ${ownsLease(DELIVERY_QUEUE, delivery)}
      returning endpoint_id
    ),
    disabled as (
      update webhook_endpoints set disabled_at = ${at}
      where ${outcome}::text = 'gone' and url = ${delivery.url} and disabled_at is null
        and id = (select endpoint_id from recorded)
    )
    insert into webhook_attempts
      (delivery_id, number, url, started_at, duration_ms, outcome, status_code, answer)
    select ${delivery.id}::uuid, ${delivery.attempt}::int, ${delivery.url}::text,
      ${startedAt.toISOString()}::timestamptz, ${durationMs}::int, ${outcome}::text,
      ${statusCode}::int, ${answer}::text
    from recorded`)
  return rowCount === 1 ? { kind: 'recorded', status } : { kind: 'leaseLost' }
}

/**
 * Locks the endpoint until the transaction ends, so that of several deliveries given up together only the first is
 * reported. It is locked before the delivery, in the same order as when an endpoint is removed.
 */
async function lockEndpoint(tx: Transaction, endpointId: string) {
  const [endpoint] = await tx
    .select({ companyId: webhookEndpoints.companyId })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpointId))
    .for('no key update')
  return endpoint
}

async function queueGivenUpMail(
  mail: Outbox,
  tx: Transaction,
  { companyId }: { companyId: string },
  { id, endpointId, attempt, url, body }: ClaimedDelivery,
  { outcome, statusCode, endedAt }: FinishedAttempt,
) {
  const { type, testMode }: { type: EventType; testMode: boolean } = JSON.parse(body)
  const data = {
    deliveryId: id,
    url: stripUrlQuery(url),
    eventType: type,
    attempts: attempt,
    outcome,
    statusCode,
    failedAt: endedAt.toISOString(),
    testMode,
  }
  const newMail: NewMail = { template: 'webhook-failed', subjectId: endpointId, data }
  await queueMail(mail, tx, { companyId, now: endedAt }, newMail)
}

/** The delay after the nth failed attempt. After the last one a delivery is given up. */
export const DELIVERY_RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** The share by which a delay may vary. */
const JITTER_RATIO = 0.1
const MIN_RETRY_AFTER_MS = SECOND_MS
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS
/**
 * The number of delays that a receiver may shorten: if it could shorten all, a delivery would be given up in seconds
 * instead of three days.
 */
const SHORTENED_WAITS = 3

type FailedAttempt = {
  /** The number of the failed attempt, from 1, without those that a person asked for. */
  attempt: number
  statusCode: number | null
  retryAfter: string | null
}

/** Returns null when the attempt was the last one. */
export function getNextDeliveryAttemptAt(
  { attempt, statusCode, retryAfter }: FailedAttempt,
  now: Date,
) {
  const delayMs = DELIVERY_RETRY_DELAYS_MS[attempt - 1]
  if (delayMs === undefined) return null
  const factor = 1 - JITTER_RATIO + 2 * JITTER_RATIO * Math.random()
  const at = new Date(now.getTime() + Math.round(delayMs * factor))
  if (statusCode !== 429 && statusCode !== 503) return at
  const askedMs = parseRetryAfterMs(retryAfter, now)
  if (askedMs === null) return at
  const waitMs = Math.min(Math.max(askedMs, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS)
  const askedAt = new Date(now.getTime() + waitMs)
  return attempt > SHORTENED_WAITS && askedAt < at ? at : askedAt
}
