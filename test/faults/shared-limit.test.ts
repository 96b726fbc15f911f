// The rate limit over several processes, on a real Redis.
import { spawnSync } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { createRedisLimiter } from '../../src/http/rate-limit-store.ts'
import { findRedis, startRedis } from '../support/processes/redis.ts'

const LIMIT = { max: 100, windowMs: 60_000 }
/** Longer than Redis may take to answer. */
const LOADING_MS = 600
const installed = findRedis() !== undefined

const redis = installed ? await startRedis() : undefined
const port = Number(new URL(redis?.url ?? 'redis://127.0.0.1:6379').port)
const url = `redis://127.0.0.1:${port}`
const errors: unknown[] = []
const openLimiter = () => createRedisLimiter(url, { onError: (error) => errors.push(error) })
const limiters = await Promise.all([openLimiter(), openLimiter()])

afterAll(async () => {
  await Promise.all(limiters.map((limiter) => limiter.close()))
  await redis?.kill()
})

describe.skipIf(!installed)('while Redis is there (skipped where none is installed)', () => {
  test('two processes together let 100 requests of a key through', async () => {
    await expect.poll(connected).toBe(true)

    const hits = await Promise.all(
      Array.from({ length: 150 }, (_, i) => limiters[i % 2]!.countHit('key', LIMIT)),
    )
    const other = await limiters[0]!.countHit('another key', LIMIT)

    expect(hits.filter(({ exceeded }) => !exceeded)).toHaveLength(100)
    const refused = hits.find(({ exceeded }) => exceeded)
    expect(refused?.retryAfterMs).toBeGreaterThan(50_000)
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(60_000)
    expect(other.exceeded).toBe(false)
  })

  test('what is named and comes again counts once for both processes', async () => {
    await expect.poll(connected).toBe(true)
    const named = ['a', 'a', 'b', 'c', 'a']

    const hits = []
    for (const [i, what] of named.entries()) {
      hits.push(await limiters[i % 2]!.countHit('named', { ...LIMIT, max: 2 }, what))
    }

    expect(hits.map(({ exceeded, current }) => [exceeded, current])).toEqual([
      [false, 1],
      [false, 1],
      [false, 2],
      [true, 2],
      [false, 2],
    ])
    expect(errors).toEqual([])
  })

  test('what left the window is let through again', async () => {
    const short = { max: 2, windowMs: 300 }
    for (const limiter of [...limiters]) await limiter.countHit('short', short)

    const refused = await limiters[0]!.countHit('short', short)

    expect(refused.exceeded).toBe(true)
    await expect
      .poll(() => limiters[1]!.countHit('short', short).then(({ exceeded }) => exceeded))
      .toBe(false)
  })

  test('a hit that one process forgives makes room for another', async () => {
    await expect.poll(connected).toBe(true)
    const hit = async () => (await limiters[0]!.countHit('forgiven', { ...LIMIT, max: 2 })).exceeded

    const before = [await hit(), await hit(), await hit()]
    await limiters[1]!.undoHit('forgiven')

    expect([...before, await hit(), await hit()]).toEqual([false, false, true, false, true])
  })
})

describe.skipIf(!installed)('when a process connects (skipped where no Redis is)', () => {
  test('a Redis that answers is not reported while the program still loads', async () => {
    await expect.poll(countsInRedis, { timeout: 20_000 }).toBe(true)
    const reported: unknown[] = []
    const limiter = await createRedisLimiter(url, { onError: (error) => reported.push(error) })
    onTestFinished(() => limiter.close())
    for (let i = 0; i < 4; i++) {
      const loadedAt = performance.now() + LOADING_MS
      while (performance.now() < loadedAt);
      await nextTurn()
    }

    limiter.connect()
    await expect.poll(() => limiter.countHit(newId(), LIMIT).then(() => reported)).toEqual([])
  })

  test('the reason why Redis refuses a connection is reported first', async () => {
    await expect.poll(countsInRedis, { timeout: 20_000 }).toBe(true)
    runRedis('config', 'set', 'requirepass', 'secret')
    onTestFinished(() => void runRedis('-a', 'secret', 'config', 'set', 'requirepass', ''))
    const reported: unknown[] = []
    const wrong = url.replace('redis://', 'redis://:wrong@')
    const limiter = await createRedisLimiter(wrong, { onError: (error) => reported.push(error) })
    onTestFinished(() => limiter.close())

    limiter.connect()
    await expect.poll(() => String(reported[0])).toContain('WRONGPASS')
  })

  test('a limiter that never connected can be closed', async () => {
    const limiter = await createRedisLimiter(url, { onError: () => {} })

    await expect(limiter.close()).resolves.toBeUndefined()
  })
})

describe.skipIf(!installed)('when Redis was lost (skipped where none is installed)', () => {
  test('each process counts for itself until Redis is back, and then all count together', async () => {
    await expect.poll(connected).toBe(true)
    const before = await hitBoth('lost', 60)
    await redis!.kill()

    const without = await hitBoth('new', 300)
    await redis!.resume()
    await expect.poll(countsInRedis, { timeout: 10_000 }).toBe(true)
    const after = await hitBoth('fresh', 150)

    expect([before, without, after]).toEqual([60, 200, 100])
  })

  test('a Redis that is there and answers nothing is done without, until it answers', async () => {
    await expect.poll(countsInRedis, { timeout: 20_000 }).toBe(true)
    redis!.freeze()
    onTestFinished(() => void redis!.thaw())

    const askedAt = performance.now()
    const without = await hitBoth('frozen', 60)
    const tookMs = performance.now() - askedAt
    redis!.thaw()

    expect(without).toBe(60)
    expect(tookMs).toBeLessThan(3_000)
    await expect.poll(countsInRedis, { timeout: 20_000 }).toBe(true)
  })

  test('a Redis that answers nothing from the first holds up neither a request nor the end', async () => {
    redis!.freeze()
    onTestFinished(() => void redis!.thaw())
    const limiter = await createRedisLimiter(url, { onError: () => {} })

    const hit = await limiter.countHit(newId(), LIMIT)
    await limiter.close()

    expect(hit).toMatchObject({ exceeded: false, current: 1 })
  })

  test('a replica that may only be read is no Redis to count in', async () => {
    await expect.poll(countsInRedis, { timeout: 20_000 }).toBe(true)
    runRedis('replicaof', '127.0.0.1', '1')
    onTestFinished(() => void runRedis('replicaof', 'no', 'one'))
    errors.length = 0

    const passed = await hitBoth('replica', 150)

    expect(passed).toBe(150)
    expect(errors.length).toBeGreaterThan(0)
  })
})

/** How many of them were let through. */
async function hitBoth(key: string, times: number) {
  const hits = await Promise.all(
    Array.from({ length: times }, (_, i) => limiters[i % 2]!.countHit(key, LIMIT)),
  )
  return hits.filter(({ exceeded }) => !exceeded).length
}

/** Whether both limiters have reached Redis: what they count in vain is reported. */
async function connected() {
  errors.length = 0
  await Promise.all(limiters.map((limiter) => limiter.countHit('warm', LIMIT)))
  return errors.length === 0
}

/** Whether both limiters count in Redis again. */
async function countsInRedis() {
  const key = newId()
  await Promise.all(limiters.map((limiter) => limiter.countHit(key, LIMIT)))
  return countInRedis(key) === 2
}

function countInRedis(key: string) {
  return Number(runRedis('zcard', `vintem:limit:${key}`))
}

function runRedis(...words: string[]) {
  return spawnSync('redis-cli', ['-p', String(port), ...words])
    .stdout.toString()
    .trim()
}
