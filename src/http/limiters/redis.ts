// Counts in Redis, for all processes, and in Postgres while Redis is gone. At each change every process
// tells the new place what it let through itself. At the loss it counts nothing until the others could; at the
// return, which no two notice at once, it counts in both for a while: so all of them together never let more
// through than one would. Where neither answers each counts alone.

import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import type { Database } from '../../database/connect.ts'
import { newId } from '../../database/id.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { toError } from '../../system-error.ts'
import type { Limit, Limiter } from '../limiter.ts'
import { type CountedWindow, createMemoryLimiter, readSteadyMs } from './memory.ts'
import { createPostgresCounter, type SharedCounter } from './postgres.ts'

export type RedisLimiterNeeds = {
  db: Database
  /** Again and again while Redis does not answer. */
  onError: (error: Error) => void
  /** Redis is counted in anew, and then alone. */
  onReturn?: () => void
}
type RedisClient = ReturnType<typeof openRedisClient>

/** One that hangs, or whose network is gone, is as good as gone; what it counts after all has a name, and counts once. */
const REDIS_TIMEOUT_MS = 500
/** A process that Redis was lost to knows it at once, as its connection ends; this is for its telling. */
const SETTLE_MS = 300
const MAX_RECONNECT_MS = 3_000
/** Longer than it may take until the last process has noticed that Redis is back. */
const COUNT_IN_BOTH_MS = MAX_RECONNECT_MS + 2 * SECOND_MS

type Place = 'redis' | 'both' | 'postgres'

export function createRedisLimiter(
  url: string,
  { db, onError, onReturn }: RedisLimiterNeeds,
): Limiter {
  const client = openRedisClient(url)
  const counters = { redis: createRedisCounter(client), postgres: createPostgresCounter(db) }
  /** Postgres's are told by whoever asks it for more than counts. */
  const note = { redis: (error: unknown) => onError(toError(error)), postgres: () => {} }
  const own = createMemoryLimiter()
  const processId = newId()
  let hits = 0
  let place: Place = 'redis'
  let probe: NodeJS.Timeout | undefined
  let leaving: NodeJS.Timeout | undefined

  client.on('error', (error) => {
    onError(error)
    moveTo('postgres')
  })
  const connecting = client.connect().catch(onError)
  let settled: Promise<unknown> = Promise.race([connecting, sleep(REDIS_TIMEOUT_MS)])

  return {
    async countHit(key, limit, what = `${processId}.${++hits}`) {
      await settled
      const before = place === 'both' ? await countAt('postgres', key, limit, what) : undefined
      if (before?.exceeded) return before
      const inRedis = place === 'postgres' ? undefined : await countAt('redis', key, limit, what)
      if (inRedis) return inRedis
      moveTo('postgres')
      await settled
      return (await countAt('postgres', key, limit, what)) ?? own.countHit(key, limit, what)
    },
    async undoHit(key) {
      await settled
      await own.undoHit(key)
      const places = place === 'both' ? (['postgres', 'redis'] as const) : [place]
      for (const at of places) {
        await counters[at].undoHit(key).catch(note[at])
      }
    },
    async close() {
      clearInterval(probe)
      clearTimeout(leaving)
      client.destroy()
      await connecting
    },
  }

  async function countAt(at: keyof typeof counters, key: string, limit: Limit, what: string) {
    try {
      const count = await counters[at].countHit(key, limit, what)
      if (!count.exceeded) await own.countHit(key, limit, what)
      return count
    } catch (error) {
      note[at](error)
      return undefined
    }
  }

  function moveTo(next: Place) {
    if (place === next) return
    place = next
    clearInterval(probe)
    clearTimeout(leaving)
    if (next === 'postgres') {
      settled = copyOwnHits('postgres').then(() => sleep(SETTLE_MS))
      probe = setInterval(tryRedis, SECOND_MS).unref()
    }
    if (next !== 'postgres') onReturn?.()
    if (next === 'both') {
      settled = copyOwnHits('redis')
      leaving = setTimeout(() => moveTo('redis'), COUNT_IN_BOTH_MS).unref()
    }
  }

  async function copyOwnHits(to: keyof typeof counters) {
    await counters[to].addWindows(own.listWindows(), readSteadyMs()).catch(note[to])
  }

  async function tryRedis() {
    if (!client.isReady) return
    const answer = await limitRedis(client.ping()).catch(() => undefined)
    if (answer !== undefined) moveTo('both')
  }
}

function openRedisClient(url: string) {
  return createClient({
    url,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (tries) => Math.min(tries * 100, MAX_RECONNECT_MS),
    },
    disableOfflineQueue: true,
  })
}

/** Throws where Redis does not answer in time: the client's own time-out ends with the sending. */
export function limitRedis<T>(answer: Promise<T>, timeoutMs = REDIS_TIMEOUT_MS): Promise<T> {
  const patience = Promise.withResolvers<never>()
  const refuse = () => patience.reject(new Error(`Redis does not answer within ${timeoutMs} ms`))
  // After work of ours that took as long, the answer may be there and only not read yet.
  const timer = setTimeout(() => setImmediate(refuse), timeoutMs)
  return Promise.race([answer, patience.promise]).finally(() => clearTimeout(timer))
}

/** By Redis's own clock, so that processes agree. */
function createRedisCounter(client: RedisClient): SharedCounter {
  return {
    async countHit(key, { max, windowMs }, what) {
      const given = [String(max), String(windowMs), what]
      const answer = await limitRedis(
        client.eval(HIT_SCRIPT, { keys: [buildRedisKey(key)], arguments: given }),
      )
      // What the script returns; the client knows no type of a script's answer.
      const [exceeded, current, retryAfterMs] = answer as [number, number, number]
      return { exceeded: exceeded === 1, current, retryAfterMs }
    },
    async undoHit(key) {
      await limitRedis(client.zPopMax(buildRedisKey(key)))
    },
    async addWindows(windows, at) {
      for (const window of windows) await addRedisWindow(client, window, at)
    },
  }
}

async function addRedisWindow(
  client: RedisClient,
  { key, windowMs, hits }: CountedWindow,
  at: number,
) {
  const ages = hits.flatMap((hit) => [hit.what ?? '', String(at - hit.at)])
  const keys = [buildRedisKey(key)]
  await limitRedis(client.eval(ADD_SCRIPT, { keys, arguments: [String(windowMs), ...ages] }))
}

const NOW_SCRIPT = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)`

const HIT_SCRIPT = `${NOW_SCRIPT}
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

const ADD_SCRIPT = `${NOW_SCRIPT}
for i = 2, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], 'NX', now - ARGV[i + 1], ARGV[i])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])`

function buildRedisKey(key: string) {
  return `vintem:limit:${key}`
}
