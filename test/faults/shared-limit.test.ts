// The rate limit over several processes, on a real Redis.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '../../src/database/embedded/cluster.ts'
import { createRedisLimiter } from '../../src/http/limiter.ts'

const LIMIT = { max: 100, windowMs: 60_000 }
const installed = spawnSync('redis-server', ['--version']).status === 0

const folder = mkdtempSync(join(tmpdir(), 'vintem-redis-'))
const port = await findFreePort()
const url = `redis://127.0.0.1:${port}`
const server = installed ? await startRedis() : undefined
const errors: Error[] = []
const limiters = [1, 2].map(() => createRedisLimiter(url, (error) => errors.push(error)))

afterAll(async () => {
  await Promise.all(limiters.map((limiter) => limiter.close()))
  server?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!installed)('two processes together let 100 requests of a key through', async () => {
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

test.skipIf(!installed)(
  'what is named and comes again counts once for both processes',
  async () => {
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
  },
)

test.skipIf(!installed)('what left the window is let through again', async () => {
  const short = { max: 2, windowMs: 300 }
  for (const limiter of [...limiters]) await limiter.countHit('short', short)

  const refused = await limiters[0]!.countHit('short', short)

  expect(refused.exceeded).toBe(true)
  await expect
    .poll(() => limiters[1]!.countHit('short', short).then(({ exceeded }) => exceeded))
    .toBe(false)
})

test.skipIf(!installed)(
  'while Redis is gone each process counts alone, and nobody waits',
  async () => {
    server!.kill('SIGKILL')
    await once(server!, 'exit')

    const hits = []
    for (let i = 0; i < 101; i++) hits.push(await limiters[0]!.countHit('alone', LIMIT))

    expect(hits.filter(({ exceeded }) => !exceeded)).toHaveLength(100)
    expect(errors.length).toBeGreaterThan(0)
  },
)

/** Whether both limiters have reached Redis: what they count in vain is reported. */
async function connected() {
  errors.length = 0
  await Promise.all(limiters.map((limiter) => limiter.countHit('warm', LIMIT)))
  return errors.length === 0
}

async function startRedis() {
  const options = ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder]
  const redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const chunk of redis.stdout) {
    if (String(chunk).includes('Ready to accept connections')) return redis
  }
  throw new Error('Redis did not start')
}
