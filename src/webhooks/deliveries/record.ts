import type { Database, Db } from '../../database/connect.ts'
import type { DeliveryStatus } from '../../database/enums.ts'
import { runNamedStatement } from '../../database/statement.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { ownsLease } from '../../queue/lease.ts'
import type { FinishedAttempt } from './attempt.ts'
import { type ClaimedDelivery, DELIVERY_QUEUE } from './claim.ts'
import { lockEndpoint, queueGivenUpMail } from './given-up.ts'
import { getNextDeliveryAttemptAt } from './retry-schedule.ts'

type RecordResult =
  | { kind: 'recorded'; status: DeliveryStatus }
  /** The attempt no longer held its lease: nothing changes. */
  | { kind: 'leaseLost' }

/** Writes what became of an attempt, and tells the company by `mail` when it was the last. */
export async function recordDeliveryAttempt(
  db: Database,
  delivery: ClaimedDelivery,
  made: FinishedAttempt,
  mail?: Outbox | null,
): Promise<RecordResult> {
  const { id, attempt, resends } = delivery
  const { outcome, statusCode, retryAfter, startedAt, endedAt } = made
  const over = outcome === 'delivered' || outcome === 'gone'
  const failedAttempt = { attempt: attempt - resends, statusCode, retryAfter }
  const dueAt = over ? null : getNextDeliveryAttemptAt(failedAttempt, endedAt)
  const failed = dueAt === null ? 'failed' : 'pending'
  const status = outcome === 'delivered' ? 'delivered' : failed
  const values = [
    id,
    attempt,
    status,
    dueAt?.toISOString() ?? null,
    outcome,
    statusCode,
    endedAt.toISOString(),
    startedAt.toISOString(),
    endedAt.getTime() - startedAt.getTime(),
    made.answer,
    delivery.url,
  ]
  if (!mail || status !== 'failed') return writeDeliveryAttempt(db, status, values)
  return db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, delivery.endpointId)
    const written = await writeDeliveryAttempt(tx, status, values)
    if (written.kind === 'recorded' && endpoint) {
      await queueGivenUpMail(mail, tx, endpoint, delivery, made)
    }
    return written
  })
}

async function writeDeliveryAttempt(
  db: Db,
  status: DeliveryStatus,
  values: unknown[],
): Promise<RecordResult> {
  const written = await runNamedStatement(db, 'record_attempt', RECORD_ATTEMPT_SQL, values)
  return written.length === 1 ? { kind: 'recorded', status } : { kind: 'leaseLost' }
}

const RECORD_ATTEMPT_SQL = `
with recorded as (
  update webhook_deliveries
  set status = $3, due_at = $4, leased_until = null, outcome = $5, status_code = $6,
    delivered_at = case when $3 = 'delivered' then $7 else delivered_at end
  where ${ownsLease(DELIVERY_QUEUE)}
  returning endpoint_id
),
disabled as (
  update webhook_endpoints set disabled_at = $7
  where $5 = 'gone' and url = $11 and disabled_at is null and id = (select endpoint_id from recorded)
)
insert into webhook_attempts
  (delivery_id, number, url, started_at, duration_ms, outcome, status_code, answer)
select $1, $2, $11, $8, $9, $5, $6, $10 from recorded
returning number`
