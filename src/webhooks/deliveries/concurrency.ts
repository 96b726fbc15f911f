// Adjusts how many deliveries of an endpoint may run at a time, over all processes. The claim reads the number from the
// endpoint's row. As in TCP, it grows by one for each fast answer while more was due, and is halved at each sign of
// overload.
import type { Database } from '../../database/connect.ts'
import { and, eq, gt, gte, lt, sql } from '../../database/drizzle.ts'
import { webhookEndpoints } from '../../database/tables.ts'
import { ATTEMPT_TIMEOUT_MS, type FinishedAttempt } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'

const MAX_CONCURRENCY = 50
/** A slower endpoint is too close to the timeout for more attempts at a time. */
const GROWTH_ANSWER_MS = ATTEMPT_TIMEOUT_MS / 2
const OVERLOADED_STATUS = 429

type Judged = Pick<FinishedAttempt, 'outcome' | 'statusCode' | 'startedAt' | 'endedAt'>

/**
 * Adjusts an endpoint's concurrency after an attempt, relative to its value at the claim: attempts that fail together
 * halve it only once, and successful ones among them do not undo that.
 */
export async function adjustConcurrency(
  db: Database,
  { endpointId, concurrency: claimedUnder, isSaturated }: ClaimedDelivery,
  made: Judged,
) {
  const { id, concurrency } = webhookEndpoints
  if (isOverloaded(made)) {
    const half = Math.max(1, Math.floor(claimedUnder / 2))
    if (half === claimedUnder) return
    const isMore = and(eq(id, endpointId), gt(concurrency, half))
    await db.update(webhookEndpoints).set({ concurrency: half }).where(isMore)
  } else if (isSaturated && claimedUnder < MAX_CONCURRENCY && isPrompt(made)) {
    const mayGrow = and(gte(concurrency, claimedUnder), lt(concurrency, MAX_CONCURRENCY))
    await db
      .update(webhookEndpoints)
      .set({ concurrency: sql`concurrency + 1` })
      .where(and(eq(id, endpointId), mayGrow))
  }
}

/** An answer that refuses, such as 404, is cheap for the receiver. */
function isOverloaded({ outcome, statusCode }: Judged) {
  if (outcome === 'timeout' || outcome === 'connection_refused') return true
  const isAnswered = outcome === 'http_error' && statusCode !== null
  return isAnswered && (statusCode >= 500 || statusCode === OVERLOADED_STATUS)
}

function isPrompt({ outcome, startedAt, endedAt }: Judged) {
  const tookMs = endedAt.getTime() - startedAt.getTime()
  return outcome === 'delivered' && tookMs <= GROWTH_ANSWER_MS
}
