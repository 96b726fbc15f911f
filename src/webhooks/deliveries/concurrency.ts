// How many deliveries of one endpoint may be under way at a time, over all processes: it stands in the
// endpoint's row, where the claim that counts them reads it. One more for each answer in good time while
// there was work for more, half as many for each sign of overload, as TCP shares a line.
import type { Database } from '../../database/connect.ts'
import { runNamedStatement } from '../../database/statement.ts'
import { ATTEMPT_TIMEOUT_MS, type FinishedAttempt } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'

const MAX_CONCURRENCY = 50
/** Whoever takes longer than this is too near to the deadline to be sent more at a time. */
const GROWTH_ANSWER_MS = ATTEMPT_TIMEOUT_MS / 2
const OVERLOADED_STATUS = 429

type Judged = Pick<FinishedAttempt, 'outcome' | 'statusCode' | 'startedAt' | 'endedAt'>

/** Nothing is written unless it changes. */
export async function adjustConcurrency(
  db: Database,
  { endpointId, concurrency, isSaturated }: ClaimedDelivery,
  made: Judged,
) {
  if (isOverloaded(made)) {
    const half = Math.max(1, Math.floor(concurrency / 2))
    if (half < concurrency) {
      await runNamedStatement(db, 'shrink_concurrency', SHRINK_SQL, [endpointId, half])
    }
  } else if (isSaturated && concurrency < MAX_CONCURRENCY && isPrompt(made)) {
    const values = [endpointId, concurrency, MAX_CONCURRENCY]
    await runNamedStatement(db, 'grow_concurrency', GROW_SQL, values)
  }
}

/** An answer that refuses, such as 404, costs the receiver nothing. */
function isOverloaded({ outcome, statusCode }: Judged) {
  if (outcome === 'timeout' || outcome === 'connection_refused') return true
  const isAnswered = outcome === 'http_error' && statusCode !== null
  return isAnswered && (statusCode >= 500 || statusCode === OVERLOADED_STATUS)
}

function isPrompt({ outcome, startedAt, endedAt }: Judged) {
  const tookMs = endedAt.getTime() - startedAt.getTime()
  return outcome === 'delivered' && tookMs <= GROWTH_ANSWER_MS
}

// By what each attempt was claimed under: those that fail together halve it once, and what succeeds of
// them afterwards does not undo that.
const SHRINK_SQL =
  'update webhook_endpoints set concurrency = $2 where id = $1 and concurrency > $2'
const GROW_SQL = `
update webhook_endpoints set concurrency = concurrency + 1
where id = $1 and concurrency >= $2 and concurrency < $3`
