// When a delivery that failed is tried again.

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How long to wait after the nth failed attempt. After the one that has none it is given up. */
export const RETRY_DELAYS_MS = [
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

const JITTER = 0.1
const MIN_ASKED_MS = SECOND_MS
const MAX_ASKED_MS = 24 * HOUR_MS

type Failure = {
  /** The number of the attempt that failed, from 1. */
  attempt: number
  statusCode: number | null
  retryAfter: string | null
}

/** When to try again, or null when this was the last attempt. */
export function nextAttemptAt({ attempt, statusCode, retryAfter }: Failure, now: Date) {
  const delayMs = RETRY_DELAYS_MS[attempt - 1]
  if (delayMs === undefined) return null
  const throttled = statusCode === 429 || statusCode === 503
  const waitMs = (throttled ? askedMs(retryAfter, now) : null) ?? withJitter(delayMs)
  return new Date(now.getTime() + waitMs)
}

/** `Retry-After` in seconds or as an HTTP date; null when it says neither. */
function askedMs(retryAfter: string | null, now: Date) {
  if (retryAfter === null) return null
  const askedMs = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * SECOND_MS
    : httpDate(retryAfter) - now.getTime()
  if (Number.isNaN(askedMs)) return null
  return Math.min(Math.max(askedMs, MIN_ASKED_MS), MAX_ASKED_MS)
}

// Date.parse alone makes a date of almost anything with a number in it.
function httpDate(text: string) {
  return text.endsWith(' GMT') ? Date.parse(text) : Number.NaN
}

function withJitter(delayMs: number) {
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * Math.random()))
}
