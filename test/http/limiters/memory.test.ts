// What one process counts alone, in bounded memory.
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Limiter } from '../../../src/http/limiter.ts'
import { createMemoryLimiter } from '../../../src/http/limiters/memory.ts'

const MINUTE_MS = 60_000
const LIMIT = { max: 3, windowMs: MINUTE_MS }
const MANY = 60_000

function openLimiter() {
  const clock = { at: Date.parse('2026-03-01T12:00:00.000Z') }
  return { clock, limiter: createMemoryLimiter(() => clock.at) }
}

async function hit(limiter: Limiter, key: string, times = 1, limit = LIMIT) {
  let passed = 0
  for (let i = 0; i < times; i++) if (!(await limiter.countHit(key, limit)).exceeded) passed++
  return passed
}

async function flood(limiter: Limiter, kind: string, addresses = MANY) {
  for (let i = 0; i < addresses; i++) await limiter.countHit(`${kind}:${i}`, LIMIT)
}

test('a window that still counts is not forgotten, however many other keys come', async () => {
  const { limiter } = openLimiter()
  expect(await hit(limiter, 'slug:203.0.113.9', 5)).toBe(3)

  await flood(limiter, 'slug')

  expect(await hit(limiter, 'slug:203.0.113.9')).toBe(0)
})

test('whoever comes after 50,000 others is let through no more often than anybody', async () => {
  const { limiter, clock } = openLimiter()
  await flood(limiter, 'slug', 50_000)

  const first = await hit(limiter, 'slug:203.0.113.9', 5)
  clock.at += MINUTE_MS - 1
  const later = await hit(limiter, 'slug:203.0.113.9', 5)

  expect(first).toBe(3)
  expect(later).toBe(0)
})

test('who shares a window does not begin anew when there is room again', async () => {
  const { limiter, clock } = openLimiter()
  await flood(limiter, 'slug', 50_000)
  clock.at += MINUTE_MS / 2
  expect(await hit(limiter, 'slug:203.0.113.9', 5)).toBe(3)

  clock.at += MINUTE_MS / 2
  expect(await hit(limiter, 'slug:203.0.113.9', 5)).toBe(0)
  clock.at += MINUTE_MS / 2

  expect(await hit(limiter, 'slug:203.0.113.9', 5)).toBe(3)
})

test('a flood of one kind makes no other kind wait, nor those it knows', async () => {
  const { limiter } = openLimiter()
  await hit(limiter, 'slug:203.0.113.9')
  await flood(limiter, 'slug')

  expect(await hit(limiter, 'pay:203.0.113.9', 5)).toBe(3)
  expect(await hit(limiter, '019a0000-0000-7000-8000-000000000000', 5)).toBe(3)
  expect(await hit(limiter, 'slug:203.0.113.9', 5)).toBe(2)
})

test('memory is bounded by the windows of a kind, and free when they are over', async () => {
  const { limiter, clock } = openLimiter()
  await flood(limiter, 'slug')
  const full = limiter.listWindows().length

  clock.at += MINUTE_MS
  await hit(limiter, 'slug:last')

  expect(full).toBeLessThanOrEqual(50_000)
  expect(limiter.listWindows()).toHaveLength(1)
})

test('a machine whose clock is set back has nobody wait for longer than before', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T15:00:00.000Z') })
  const limiter = createMemoryLimiter()
  expect(await hit(limiter, 'pay:203.0.113.9', 5)).toBe(3)

  vi.setSystemTime(Date.parse('2026-03-01T12:00:00.000Z'))
  const refused = await limiter.countHit('pay:203.0.113.9', LIMIT)

  expect(refused.exceeded).toBe(true)
  expect(refused.retryAfterMs).toBeLessThanOrEqual(MINUTE_MS)
})
