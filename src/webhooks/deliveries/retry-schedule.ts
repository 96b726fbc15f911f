// The schedule on which failed deliveries are retried.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { parseRetryAfterMs } from '../../http/retry-after.ts'
import { getNextAttemptAt } from '../../queue/retry.ts'

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

/** Returns the time of the next attempt, or null after the last one. */
export function getNextDeliveryAttemptAt(
  { attempt, statusCode, retryAfter }: FailedAttempt,
  now: Date,
) {
  const at = getNextAttemptAt(DELIVERY_RETRY_DELAYS_MS, attempt, now, JITTER_RATIO)
  if (at === null || (statusCode !== 429 && statusCode !== 503)) return at
  const askedMs = parseRetryAfterMs(retryAfter, now)
  if (askedMs === null) return at
  const waitMs = Math.min(Math.max(askedMs, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS)
  const askedAt = new Date(now.getTime() + waitMs)
  return attempt > SHORTENED_WAITS && askedAt < at ? at : askedAt
}
