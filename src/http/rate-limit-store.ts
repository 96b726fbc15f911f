// Counts hits of limits in a sliding log, in this process or in Redis for all processes. At most `max` hits pass in any
// window, refused hits do not count, and a caller who waits as long as told is accepted. While Redis is unreachable
// each process counts for itself.
import { randomUUID } from 'node:crypto'
import { SECOND_MS } from '../database/instant.ts'
import type { LimitCount, Limiter } from './limiter.ts'

const MAX_KEYS = 50_000
/** A Redis that takes longer counts as unreachable. */
const REDIS_TIMEOUT_MS = 500
/** After a failure Redis is not asked again for this long. */
const REDIS_PAUSE_MS = SECOND_MS
const MAX_RECONNECT_MS = 3_000

type Hit = { at: number; what: string | undefined }

/** A monotonic clock: if the wall clock were set back, a full window would stay full for longer. */
const readSteadyMs = () => Math.floor(performance.now())

/** Counts hits in this process. Beyond `maxKeys` the least recently used key is dropped first. */
export function createMemoryLimiter(now = readSteadyMs, maxKeys = MAX_KEYS): Limiter {
  const hits = new Map<string, Hit[]>()

  return {
    connect() {},
    async countHit(key, { max, windowMs }, what) {
      const at = now()
      const live = (hits.get(key) ?? []).filter((hit) => hit.at > at - windowMs)
      const [oldest] = live
      const isKnown = what !== undefined && live.some((hit) => hit.what === what)
      const exceeded = !isKnown && oldest !== undefined && live.length >= max
      if (!isKnown && !exceeded) live.push({ at, what })
      storeHits(key, live)
      const retryAfterMs = exceeded ? oldest.at + windowMs - at : windowMs
      return { exceeded, current: live.length, retryAfterMs }
    },
    async undoHit(key) {
      hits.get(key)?.pop()
    },
    async close() {},
  }

  function storeHits(key: string, live: Hit[]) {
    hits.delete(key)
    hits.set(key, live)
    for (const leastUsed of hits.keys()) {
      if (hits.size <= maxKeys) break
      hits.delete(leastUsed)
    }
  }
}

type RedisEvents = {
  onError: (error: unknown) => void
  /** Called at each hit that was counted in Redis. */
  onSuccess?: () => void
}

/** Loads the client of Redis, which is a tenth of what the service would load without one. */
export async function createRedisLimiter(
  url: string,
  { onError, onSuccess }: RedisEvents,
): Promise<Limiter> {
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (tries) => Math.min(tries * 100, MAX_RECONNECT_MS),
    },
    disableOfflineQueue: true,
  })
  client.on('error', onError)
  let connecting: Promise<unknown> | undefined
  const memory = createMemoryLimiter()
  const processId = randomUUID()
  let pausedUntilMs = 0
  let lastHit = 0

  return {
    connect,
    async countHit(key, limit, what) {
      const name = what ?? `${processId}.${++lastHit}`
      const given = [String(limit.max), String(limit.windowMs), name]
      const asked = () => client.eval(HIT_SCRIPT, { keys: [toRedisKey(key)], arguments: given })
      // The client has no type for the result of a script.
      const count = (await askRedis(asked)) as [number, number, number] | undefined
      if (!count) return memory.countHit(key, limit, what)
      return { exceeded: count[0] === 1, current: count[1], retryAfterMs: count[2] }
    },
    async undoHit(key) {
      const undone = await askRedis(() => client.zPopMax(toRedisKey(key)))
      if (undone === undefined) await memory.undoHit(key)
    },
    async close() {
      if (client.isOpen) client.destroy()
      await connecting
    },
  }

  /** The client itself reports why it cannot connect, such as a wrong password. */
  async function connect() {
    connecting ??= limitRedis(client.connect()).catch(() => {})
    await connecting
  }

  /**
   * Returns undefined while Redis is unreachable. It is back once it accepts writes: a read-only replica answers a PING
   * too.
   */
  async function askRedis<T>(ask: () => Promise<T>) {
    await connect()
    if (performance.now() < pausedUntilMs) return undefined
    try {
      const answer = await limitRedis(ask())
      onSuccess?.()
      return answer
    } catch (error) {
      pausedUntilMs = performance.now() + REDIS_PAUSE_MS
      onError(error)
      return undefined
    }
  }
}

/** Throws when Redis does not answer in time; the time-out of the client ends once a command is sent. */
export function limitRedis<T>(answer: Promise<T>, timeoutMs = REDIS_TIMEOUT_MS): Promise<T> {
  const patience = Promise.withResolvers<never>()
  const refuse = () => patience.reject(new Error(`Redis does not answer within ${timeoutMs} ms`))
  // After long work of this process the answer may have arrived and wait to be read.
  const timer = setTimeout(() => setImmediate(refuse), timeoutMs)
  return Promise.race([answer, patience.promise]).finally(() => clearTimeout(timer))
}

function toRedisKey(key: string) {
  return `vintem:limit:${key}`
}

/** Uses Redis's own clock, so that processes agree. */
const HIT_SCRIPT = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local max, window, what = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
if redis.call('ZSCORE', KEYS[1], what) then
  return {0, count, window}
end
if count >= max then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return {1, count, oldest[2] + window - now}
end
redis.call('ZADD', KEYS[1], now, what)
redis.call('PEXPIRE', KEYS[1], window)
return {0, count + 1, window}`

type Answer = (error: Error | null, result?: { current: number; ttl: number }) => void

/** Offers these counts as a store of @fastify/rate-limit. */
export function createRateLimitStore(limiter: Limiter) {
  return class RateLimitStore {
    incr(key: string, answer: Answer, windowMs: number, max: number) {
      limiter
        .countHit(key, { max, windowMs })
        .then(
          ({ exceeded, current, retryAfterMs }: LimitCount) =>
            answer(null, { current: exceeded ? max + 1 : current, ttl: retryAfterMs }),
          answer,
        )
    }

    child() {
      return this
    }
  }
}
