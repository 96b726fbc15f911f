// A limit as one process counts it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryLimiter } from '../../src/http/rate-limit-store.ts'

const LIMIT = { max: 3, windowMs: 60_000 }

function openLimiter(maxKeys?: number) {
  const clock = { at: 0 }
  const limiter = createMemoryLimiter(() => clock.at, maxKeys)
  const hit = async (key: string) => !(await limiter.countHit(key, LIMIT)).exceeded
  return { clock, limiter, hit }
}

test('no window of a minute lets more through than the limit, and who waits as told is let in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 30_000 }), { maxLength: 60 }), async (pauses) => {
      const { clock, limiter } = openLimiter()
      const passed: number[] = []
      for (const pause of pauses) {
        clock.at += pause
        const { exceeded, retryAfterMs } = await limiter.countHit('key', LIMIT)
        if (exceeded) {
          clock.at += retryAfterMs
          expect((await limiter.countHit('key', LIMIT)).exceeded).toBe(false)
        }
        passed.push(clock.at)
      }
      for (const [i, at] of passed.entries()) {
        const before = passed[i - LIMIT.max]
        if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(LIMIT.windowMs)
      }
    }),
  )
})

test('beyond the bound the key that was used least recently is forgotten', async () => {
  const { hit } = openLimiter(2)
  for (const key of ['a', 'a', 'a', 'b']) await hit(key)
  await hit('a')

  await hit('c')

  expect([await hit('a'), await hit('b')]).toEqual([false, true])
})

test('a hit that is undone makes room for another', async () => {
  const { hit, limiter } = openLimiter()
  const before = [await hit('a'), await hit('a'), await hit('a'), await hit('a')]

  await limiter.undoHit('a')

  expect(before).toEqual([true, true, true, false])
  expect([await hit('a'), await hit('a')]).toEqual([true, false])
})
