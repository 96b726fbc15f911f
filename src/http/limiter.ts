// Limits accepted hits in a sliding window: at most `max` in any `windowMs`. A caller who waits as long as told is
// accepted. Refused hits do not count, or the limit would never end. The counters: rate-limit-store.ts.
import type { FastifyReply } from 'fastify'
import { SECOND_MS } from '../database/instant.ts'
import { type AppError, tooManyRequestsError } from './errors.ts'
import { listNetworks } from './ip.ts'
import type { Metrics } from './metrics.ts'

export type Limit = { max: number; windowMs: number }
export type KeyedLimit = { key: string; limit: Limit }

export type LimitCount = {
  exceeded: boolean
  /** Hits in the window, this one included if it was accepted. */
  current: number
  /** When exceeded, the time until one more hit is accepted; else the time until the window is empty. */
  retryAfterMs: number
}

export type Limiter = {
  /** Connects to Redis, if there is one. While a process still loads, the time limits of a connection would end first. */
  connect(): void
  /** Counts a hit. Hits with the same `what` count once in the window and are always accepted. */
  countHit(key: string, limit: Limit, what?: string): Promise<LimitCount>
  /** Removes the newest hit, for a hit that was counted before its outcome was known and that went well. */
  undoHit(key: string): Promise<void>
  close(): Promise<void>
}

/** Builds the limit of one address, and a higher one for each network around it (listNetworks). */
export function buildNetworkLimits(name: string, address: string, { max, windowMs }: Limit) {
  return listNetworks(address).map(
    ({ network, factor }): KeyedLimit => ({
      key: `${name}:${network}`,
      limit: { max: max * factor, windowMs },
    }),
  )
}

/** Counts a hit under each of these limits, and throws 429 when one is exceeded. `what`: see countHit. */
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
 * Counts a hit under each of these limits, or under none when one is exceeded. All limits are asked even then, because
 * the caller is told the longest wait.
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

/** For a page that shows the refused form again. */
export function askToWait(reply: FastifyReply, retryAfterMs: number) {
  reply.code(429).header('retry-after', Math.ceil(retryAfterMs / SECOND_MS))
}

/** Runs `work`, and undoes the hits of these limits when it throws. */
export async function undoHitsOnError<Outcome>(
  limiter: Limiter,
  limits: KeyedLimit[],
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    await undoHits(limiter, limits)
    throw error
  }
}

export async function undoHits(limiter: Limiter, limits: KeyedLimit[]) {
  for (const { key } of limits) await limiter.undoHit(key)
}

/** The name of the API's limit in the metrics: its keys are plain ids without a prefix. */
const API_LIMIT_NAME = 'api-key'

/** Counts refused hits in the metrics by the prefix of their key, never by client. */
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

type SlotLimits = {
  max: number
  maxOfCompany: number
  refuse: () => AppError
  refuseCompany: () => AppError
}

/**
 * Limits how many requests read something large at once, in this process and for one company, so that no company locks
 * the others out.
 */
export function createSlots({ max, maxOfCompany, refuse, refuseCompany }: SlotLimits) {
  const byCompany = new Map<string, number>()
  let total = 0

  return {
    /** Reserves a slot, or throws when none is free. Returns the function that releases it. */
    reserve(companyId: string) {
      const own = byCompany.get(companyId) ?? 0
      if (own >= maxOfCompany) throw refuseCompany()
      if (total >= max) throw refuse()
      byCompany.set(companyId, own + 1)
      total++
      return () => release(companyId)
    },
  }

  function release(companyId: string) {
    const left = (byCompany.get(companyId) ?? 0) - 1
    if (left > 0) byCompany.set(companyId, left)
    else byCompany.delete(companyId)
    total--
  }
}
