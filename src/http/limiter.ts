// Limits accepted hits in a sliding window: never more than `max` in any `windowMs`, and a caller who waits as told
// is let in. Refused hits do not count, or the limit would never end. The counters: rate-limit-store.ts.

import { SECOND_MS } from '../database/instant.ts'
import { tooManyRequestsError } from './errors.ts'
import { listNetworks } from './ip.ts'
import type { Metrics } from './metrics/metrics.ts'

export type Limit = { max: number; windowMs: number }
export type KeyedLimit = { key: string; limit: Limit }

export type LimitCount = {
  exceeded: boolean
  /** Hits in the window, this one included when it was let through. */
  current: number
  /** Until one more is let through, when exceeded; else until the window is empty again. */
  retryAfterMs: number
}

export type Limiter = {
  /** With `what`, the same again within the window counts once and is always let through. */
  countHit(key: string, limit: Limit, what?: string): Promise<LimitCount>
  /** Takes the newest hit back: what was counted before its outcome was known, and went well. */
  undoHit(key: string): Promise<void>
  close(): Promise<void>
}

/** Counts, and throws 429 once there were too many. `what`: as of countHit. */
export async function enforceLimit(
  limiter: Limiter,
  key: string,
  limit: Limit,
  message?: string,
  what?: string,
) {
  const { exceeded, retryAfterMs } = await limiter.countHit(key, limit, what)
  if (exceeded) throw tooManyRequestsError(Math.ceil(retryAfterMs / SECOND_MS), message)
}

/** The limit of one address, and a higher one for each network around it: see listNetworks. */
export function buildNetworkLimits(name: string, address: string, { max, windowMs }: Limit) {
  return listNetworks(address).map(
    ({ network, factor }): KeyedLimit => ({
      key: `${name}:${network}`,
      limit: { max: max * factor, windowMs },
    }),
  )
}

/** The same under several limits at once. */
export async function enforceLimits(
  limiter: Limiter,
  limits: KeyedLimit[],
  message?: string,
  what?: string,
) {
  const { exceeded, retryAfterMs } = await countHits(limiter, limits, what)
  if (exceeded) throw tooManyRequestsError(Math.ceil(retryAfterMs / SECOND_MS), message)
}

/**
 * Counts a hit for each of these limits or, when any limit is exceeded, for none. All limits are asked even
 * then, since each has its own wait: the caller is told the longest one.
 */
export async function countHits(limiter: Limiter, limits: KeyedLimit[], what?: string) {
  const counted: KeyedLimit[] = []
  let retryAfterMs = 0
  for (const keyed of limits) {
    const count = await limiter.countHit(keyed.key, keyed.limit, what)
    if (count.exceeded) retryAfterMs = Math.max(retryAfterMs, count.retryAfterMs)
    else counted.push(keyed)
  }
  const exceeded = counted.length < limits.length
  if (exceeded) await undoHits(limiter, counted)
  return { exceeded, retryAfterMs }
}

/** Runs `judge`; when it throws, the hits of these limits are undone. */
export async function judgeCounted<Outcome>(
  limiter: Limiter,
  limits: KeyedLimit[],
  judge: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await judge()
  } catch (error) {
    await undoHits(limiter, limits)
    throw error
  }
}

export async function undoHits(limiter: Limiter, limits: KeyedLimit[]) {
  for (const { key } of limits) await limiter.undoHit(key)
}

/** The keys of the API's own limit are ids, without a word before. */
const API_LIMIT_NAME = 'api-key'

/** Counts refused hits by the prefix of their key, never by client. */
export function measureLimiter(limiter: Limiter, metrics: Metrics): Limiter {
  return {
    ...limiter,
    async countHit(key, limit, what) {
      const count = await limiter.countHit(key, limit, what)
      const end = key.indexOf(':')
      if (count.exceeded) metrics.countRefusal(end === -1 ? API_LIMIT_NAME : key.slice(0, end))
      return count
    },
  }
}
