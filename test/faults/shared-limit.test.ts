// The rate limit over several processes, on a real Redis.
import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import { newId } from '../../src/database/id.ts'
import { createRedisLimiter } from '../../src/http/limiters/redis.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { openAddress } from '../support/processes/address.ts'
import { findRedis, startRedis } from '../support/processes/redis.ts'

const LIMIT = { max: 100, windowMs: 60_000 }
const installed = findRedis() !== undefined

const redis = installed ? await startRedis() : undefined
const port = Number(new URL(redis?.url ?? 'redis://127.0.0.1:6379').port)
/** By which the second comes to Redis, and which can be cut. */
const line = await openAddress(port)
const urls = [`redis://127.0.0.1:${port}`, `redis://127.0.0.1:${line.port}`]
const { db, url: databaseUrl } = await openDatabase()
const pools = [db, connectDatabase(databaseUrl)]
const errors: Error[] = []
const limiters = pools.map((pool, i) =>
  createRedisLimiter(urls[i]!, { db: pool, onError: (error) => errors.push(error) }),
)

afterAll(async () => {
  await Promise.all(limiters.map((limiter) => limiter.close()))
  await pools[1]!.$client.end()
  await line.close()
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

describe.skipIf(!installed)('when Redis was lost (skipped where none is installed)', () => {
  test('over the loss of Redis, and its return with nothing in it, two processes let 100 through', async () => {
    await expect.poll(connected).toBe(true)
    const before = await hitBoth('lost', 60)
    await redis!.kill()

    const without = await hitBoth('lost', 60)
    const whole = await hitBoth('new', 150)
    await redis!.resume()
    await expect.poll(countsInRedis, { timeout: 10_000 }).toBe(true)
    const after = [await hitBoth('lost', 20), await hitBoth('new', 20)]

    expect([before, without, whole, after]).toEqual([60, 40, 100, [0, 0]])
  })

  test('a Redis that is there and answers nothing is done without, until it answers', async () => {
    await expect.poll(countsInRedis, { timeout: 20_000 }).toBe(true)
    const before = await hitBoth('frozen', 60)
    redis!.freeze()
    onTestFinished(() => void redis!.thaw())

    const askedAt = performance.now()
    const without = await hitBoth('frozen', 60)
    const tookMs = performance.now() - askedAt
    redis!.thaw()
    await expect.poll(countsInRedis, { timeout: 20_000 }).toBe(true)
    const after = await hitBoth('frozen', 20)

    expect([before, without, after]).toEqual([60, 40, 0])
    expect(tookMs).toBeLessThan(3_000)
  })

  test('a Redis that answers nothing from the first holds up neither a request nor the end', async () => {
    redis!.freeze()
    onTestFinished(() => void redis!.thaw())
    const limiter = createRedisLimiter(urls[0]!, { db, onError: () => {} })

    const hit = await limiter.countHit(newId(), LIMIT)
    await limiter.close()

    expect(hit).toMatchObject({ exceeded: false, current: 1 })
  })

  test('a process that finds Redis again before the other does lets nothing more through', async () => {
    await expect.poll(countsInRedis, { timeout: 20_000 }).toBe(true)
    expect(await hitBoth('apart', 100)).toBe(100)
    await redis!.kill()
    expect(await hitBoth('apart', 20)).toBe(0)
    line.pointTo(1)
    await redis!.resume()

    // What the first has told Redis shows that it has found it.
    const hits = []
    for (let more = 0; more < 20; more += countInRedis('apart') > 0 ? 1 : 0) {
      hits.push(await limiters[0]!.countHit('apart', LIMIT))
    }
    line.pointTo(port)

    expect(hits.filter(({ exceeded }) => !exceeded)).toEqual([])
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
  const asked = ['-p', String(port), 'zcard', `vintem:limit:${key}`]
  return Number(spawnSync('redis-cli', asked).stdout.toString().trim())
}
