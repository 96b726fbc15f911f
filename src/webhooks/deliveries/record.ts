import type { Database, Db } from '../../database/connect.ts'
import { runNamed } from '../../database/statement.ts'
import type { Mailbox } from '../../mail/outbox.ts'
import type { Attempted } from './attempt.ts'
import type { Claimed } from './claim.ts'
import { mailGivenUp, takeEndpoint } from './given-up.ts'
import { nextAttemptAt } from './retry-schedule.ts'

/**
 * Writes what became of an attempt, and tells the company by `mail` when it was the last. False when it
 * no longer held the delivery: nothing changes.
 */
export async function record(
  db: Database,
  delivery: Claimed,
  made: Attempted,
  mail?: Mailbox | null,
) {
  const { id, attempt } = delivery
  const { outcome, statusCode, retryAfter, startedAt, endedAt } = made
  const over = outcome === 'delivered' || outcome === 'gone'
  const dueAt = over ? null : nextAttemptAt({ attempt, statusCode, retryAfter }, endedAt)
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
  if (!mail || status !== 'failed') return write(db, values)
  return db.transaction(async (tx) => {
    const endpoint = await takeEndpoint(tx, delivery.endpointId)
    const held = await write(tx, values)
    if (held && endpoint) await mailGivenUp(mail, tx, endpoint, delivery, made)
    return held
  })
}

async function write(db: Db, values: unknown[]) {
  const written = await runNamed(db, 'record_attempt', RECORD, values)
  return written.length === 1
}

const RECORD = `
with held as (
  update webhook_deliveries
  set status = $3, due_at = $4, leased_until = null, outcome = $5, status_code = $6,
    delivered_at = case when $3 = 'delivered' then $7 else delivered_at end
  where id = $1 and attempts = $2 and leased_until is not null
  returning endpoint_id
),
disabled as (
  update webhook_endpoints set disabled_at = $7
  where $5 = 'gone' and disabled_at is null and id = (select endpoint_id from held)
)
insert into webhook_attempts
  (delivery_id, number, url, started_at, duration_ms, outcome, status_code, answer)
select $1, $2, $11, $8, $9, $5, $6, $10 from held
returning number`
