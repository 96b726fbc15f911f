// Counts what was let through in a sliding window: never more than `max` in any `windowMs`, and a
// caller who waits as told is let through. What was refused does not count, or it would never end.

import { createClient } from '@redis/client'
import { SECOND_MS } from '../database/instant.ts'
import { toError } from '../system-error.ts'
import { tooManyRequestsError } from './errors.ts'

export type Limit = { max: number; windowMs: number }
export type KeyedLimit = { key: string; limit: Limit }

type LimitCount = {
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

/** Counts, and throws 429 once there were too many. */
export async function enforceLimit(limiter: Limiter, key: string, limit: Limit, message?: string) {
  const { exceeded, retryAfterMs } = await limiter.countHit(key, limit)
  if (exceeded) throw tooManyRequestsError(Math.ceil(retryAfterMs / SECOND_MS), message)
}

/** The same under several limits at once. */
export async function enforceLimits(limiter: Limiter, limits: KeyedLimit[], message?: string) {
  const { exceeded, retryAfterMs } = await countHits(limiter, limits)
  if (exceeded) throw tooManyRequestsError(Math.ceil(retryAfterMs / SECOND_MS), message)
}

/**
 * Counts for each of these limits or, where any is exceeded, for none. All are asked even so: each reads
 * the clock for itself, and whoever waits as the first one says may still be too early for another.
 */
export async function countHits(limiter: Limiter, limits: KeyedLimit[]) {
  const counted: KeyedLimit[] = []
  let retryAfterMs = 0
  for (const keyed of limits) {
    const count = await limiter.countHit(keyed.key, keyed.limit)
    if (count.exceeded) retryAfterMs = Math.max(retryAfterMs, count.retryAfterMs)
    else counted.push(keyed)
  }
  const exceeded = counted.length < limits.length
  if (exceeded) await undoHits(limiter, counted)
  return { exceeded, retryAfterMs }
}

export async function undoHits(limiter: Limiter, limits: KeyedLimit[]) {
  for (const { key } of limits) await limiter.undoHit(key)
}

const MAX_LIMITER_KEYS = 50_000

type WindowHit = { at: number; what: string | undefined }

/** Counts in this process alone. */
export function createMemoryLimiter(now: () => number = Date.now): Limiter {
  const windows = new Map<string, WindowHit[]>()
  return {
    countHit: async (key, limit, what) => hit(key, limit, { at: now(), what }),
    undoHit: async (key) => {
      const hits = windows.get(key)
      hits?.pop()
      // What never counted keeps no other key out.
      if (hits?.length === 0) windows.delete(key)
    },
    close: async () => {},
  }

  function hit(key: string, { max, windowMs }: Limit, { at, what }: WindowHit): LimitCount {
    const hits = dropHitsBefore(windows.get(key) ?? [], at - windowMs)
    windows.delete(key)
    // The map's order is the order of use: the first key is the one that was not used for longest.
    if (windows.size >= MAX_LIMITER_KEYS) {
      const [unused = key] = windows.keys()
      windows.delete(unused)
    }
    windows.set(key, hits)
    const again = what !== undefined && hits.some((hit) => hit.what === what)
    const [oldest] = hits
    if (!again && oldest && hits.length >= max) {
      return { exceeded: true, current: hits.length, retryAfterMs: oldest.at + windowMs - at }
    }
    if (!again) hits.push({ at, what })
    return { exceeded: false, current: hits.length, retryAfterMs: windowMs }
  }
}

/** Forgets those before. */
function dropHitsBefore(hits: WindowHit[], since: number) {
  const firstInside = hits.findIndex((hit) => hit.at > since)
  hits.splice(0, firstInside === -1 ? hits.length : firstInside)
  return hits
}

// The same in one script, by Redis's own clock, so that processes agree.
const HIT_SCRIPT = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local max, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
local what = ARGV[3]
if what == '' then
  what = now .. ':' .. count .. ':' .. t[2]
elseif redis.call('ZSCORE', KEYS[1], what) then
  return {0, count, window}
end
if count >= max then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return {1, count, oldest[2] + window - now}
end
redis.call('ZADD', KEYS[1], now, what)
redis.call('PEXPIRE', KEYS[1], window)
return {0, count + 1, window}`

const REDIS_TIMEOUT_MS = 500

/** Shared by all processes. While Redis can't be reached each process counts alone. */
export function createRedisLimiter(url: string, onError: (error: Error) => void): Limiter {
  const alone = createMemoryLimiter()
  const client = createClient({
    url,
    socket: { connectTimeout: 2_000, reconnectStrategy: (tries) => Math.min(tries * 100, 3_000) },
    disableOfflineQueue: true,
    commandOptions: { timeout: REDIS_TIMEOUT_MS },
  })
  client.on('error', onError)
  const connecting = client.connect().catch(onError)

  return {
    async countHit(key, limit, what) {
      try {
        const answer = await client.eval(HIT_SCRIPT, {
          keys: [buildRedisKey(key)],
          arguments: [String(limit.max), String(limit.windowMs), what ?? ''],
        })
        // What the script returns; the client knows no type of a script's answer.
        const [exceeded, current, retryAfterMs] = answer as [number, number, number]
        return { exceeded: exceeded === 1, current, retryAfterMs }
      } catch (error) {
        onError(toError(error))
        return alone.countHit(key, limit, what)
      }
    },
    async undoHit(key) {
      try {
        await client.zPopMax(buildRedisKey(key))
      } catch (error) {
        onError(toError(error))
        await alone.undoHit(key)
      }
    },
    async close() {
      client.destroy()
      await connecting
    },
  }
}

function buildRedisKey(key: string) {
  return `vintem:limit:${key}`
}
