// Where processes count together: in Postgres, while Redis cannot be reached. With Redis: test/faults.
import { afterAll, expect, test } from 'vitest'
import { purgeLimiterWindows } from '../../../src/api/rate-limit.ts'
import { connectDatabase } from '../../../src/database/connect.ts'
import { newId } from '../../../src/database/id.ts'
import { createMemoryLimiter, readSteadyMs } from '../../../src/http/limiters/memory.ts'
import { createPostgresCounter } from '../../../src/http/limiters/postgres.ts'
import { createRedisLimiter } from '../../../src/http/limiters/redis.ts'
import { openDatabase } from '../../support/postgres/database.ts'

const LIMIT = { max: 100, windowMs: 60_000 }
const GONE = 'redis://127.0.0.1:1'

const { db, url } = await openDatabase()
const errors: Error[] = []
const pools = [db, connectDatabase(url)]
const limiters = pools.map((pool) =>
  createRedisLimiter(GONE, { db: pool, onError: (error) => errors.push(error) }),
)
const [one, other] = [limiters[0]!, limiters[1]!]

afterAll(async () => {
  await Promise.all(limiters.map((limiter) => limiter.close()))
  await pools[1]!.$client.end()
})

test('without Redis two processes together let 100 requests of a key through', async () => {
  const key = newId()

  const hits = await Promise.all(
    Array.from({ length: 150 }, (_, i) => limiters[i % 2]!.countHit(key, LIMIT)),
  )
  const another = await one.countHit(newId(), LIMIT)

  expect(hits.filter(({ exceeded }) => !exceeded)).toHaveLength(100)
  const refused = hits.find(({ exceeded }) => exceeded)
  expect(refused!.retryAfterMs).toBeGreaterThan(50_000)
  expect(refused!.retryAfterMs).toBeLessThanOrEqual(60_000)
  expect(another).toMatchObject({ exceeded: false, current: 1 })
  expect(errors).not.toEqual([])
})

test('without Redis what is named and comes again counts once for both processes', async () => {
  const key = newId()

  const hits = []
  for (const [i, what] of ['a', 'a', 'b', 'c', 'a'].entries()) {
    hits.push(await limiters[i % 2]!.countHit(key, { ...LIMIT, max: 2 }, what))
  }

  expect(hits.map(({ exceeded, current }) => [exceeded, current])).toEqual([
    [false, 1],
    [false, 1],
    [false, 2],
    [true, 2],
    [false, 2],
  ])
})

test('without Redis a hit that is forgiven by one process makes room at the other', async () => {
  const key = newId()
  const hit = async () => (await one.countHit(key, { ...LIMIT, max: 2 })).exceeded

  const before = [await hit(), await hit(), await hit()]
  await other.undoHit(key)

  expect([...before, await hit(), await hit()]).toEqual([false, false, true, false, true])
})

test('without Redis what left the window is let through again', async () => {
  const [key, short] = [newId(), { max: 2, windowMs: 300 }]
  for (const limiter of limiters) await limiter.countHit(key, short)

  const refused = await one.countHit(key, short)

  expect(refused.exceeded).toBe(true)
  await expect.poll(() => other.countHit(key, short).then(({ exceeded }) => exceeded)).toBe(false)
})

test('a counter takes over what was let through before, once', async () => {
  const counter = createPostgresCounter(db)
  const own = createMemoryLimiter()
  const key = newId()
  for (const what of ['a', 'b']) await own.countHit(key, { ...LIMIT, max: 3 }, what)

  for (let i = 0; i < 2; i++) await counter.addWindows(own.listWindows(), readSteadyMs())
  const hits = []
  for (const what of ['b', 'c', 'd'])
    hits.push(await counter.countHit(key, { ...LIMIT, max: 3 }, what))

  expect(hits.map(({ exceeded, current }) => [exceeded, current])).toEqual([
    [false, 2],
    [false, 3],
    [true, 3],
  ])
})

test('where neither Redis nor Postgres answers a process counts alone', async () => {
  const away = connectDatabase('postgres://nobody@127.0.0.1:2/none')
  const told: Error[] = []
  const alone = createRedisLimiter(GONE, { db: away, onError: (error) => told.push(error) })
  const key = newId()

  const hits = []
  for (let i = 0; i < 3; i++) hits.push(await alone.countHit(key, { ...LIMIT, max: 2 }))

  expect(hits.map(({ exceeded }) => exceeded)).toEqual([false, false, true])
  const reasons = told.map(({ message }) => message).join()
  expect(reasons).toContain('127.0.0.1:1')
  expect(reasons).not.toContain('127.0.0.1:2')
  await alone.close()
  await away.$client.end()
})

test('counts that are over are purged', async () => {
  const rows = async () => (await db.$client.query('select key from limiter_windows')).rows
  await one.countHit('over', { max: 1, windowMs: 1 })
  await one.countHit('counting', LIMIT)

  await purgeLimiterWindows(db, new Date(Date.now() + 1_000))

  const keys = (await rows()).map(({ key }) => key)
  expect(keys).toContain('counting')
  expect(keys).not.toContain('over')
})
