// When a delivery is tried again, at the ends of what a receiver may ask for and of the schedule.
import { afterEach, expect, test, vi } from 'vitest'
import {
  DELIVERY_RETRY_DELAYS_MS,
  getNextDeliveryAttemptAt,
} from '../../../src/webhooks/deliveries/record.ts'

const NOW = new Date('2026-01-01T00:00:00.000Z')
const LAST_ATTEMPT = DELIVERY_RETRY_DELAYS_MS.length + 1

afterEach(() => {
  vi.restoreAllMocks()
})

function waitMsAfter(attempt: number, statusCode: number, retryAfter: string | null = null) {
  const at = getNextDeliveryAttemptAt({ attempt, statusCode, retryAfter }, NOW)
  return at && at.getTime() - NOW.getTime()
}

function sumMs(waits: number[]) {
  return waits.reduce((sum, ms) => sum + ms, 0)
}

test.each([
  ['0', 1_000],
  ['1', 1_000],
  ['2', 2_000],
  ['86399', 86_399_000],
  ['86400', 86_400_000],
  ['86401', 86_400_000],
  ['99999999999999999999', 86_400_000],
  ['Thu, 01 Jan 2026 01:00:00 GMT', 3_600_000],
  ['Wed, 31 Dec 2025 01:00:00 GMT', 1_000],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 86_400_000],
])('a receiver that asks for %s seconds is left alone for %d ms', (retryAfter, waitMs) => {
  for (const status of [429, 503]) expect(waitMsAfter(1, status, retryAfter)).toBe(waitMs)
})

test.each([
  ...[428, 430, 500, 502, 504].map((status) => [status, '120'] as const),
  ...['soon', '-5', '1.5'].map((retryAfter) => [429, retryAfter] as const),
])('what %d asks for by %s is not heard', (statusCode, retryAfter) => {
  const waitMs = waitMsAfter(1, statusCode, retryAfter)

  expect(waitMs).toBeGreaterThanOrEqual(4_500)
  expect(waitMs).toBeLessThanOrEqual(5_500)
})

test.each([1, 2, 3])('a receiver may ask for a shorter wait after attempt %d', (attempt) => {
  expect(waitMsAfter(attempt, 503, '2')).toBe(2_000)
})

test('a receiver that asks for little at every attempt has as long to recover as one that asks for nothing', () => {
  const waits = DELIVERY_RETRY_DELAYS_MS.map((_, i) => waitMsAfter(i + 1, 503, '1') ?? 0)

  expect(sumMs(waits)).toBeGreaterThan(0.89 * sumMs(DELIVERY_RETRY_DELAYS_MS))
})

test('a receiver that asks for more than a later wait is left alone for as long', () => {
  expect(waitMsAfter(4, 503, '10800')).toBe(10_800_000)
})

test('the last retry follows a day after the one before, and nothing follows it', () => {
  const waitMs = waitMsAfter(LAST_ATTEMPT - 1, 500)!

  expect(Math.abs(waitMs - 86_400_000)).toBeLessThanOrEqual(8_640_000)
  expect(waitMsAfter(LAST_ATTEMPT, 500)).toBeNull()
  expect(waitMsAfter(LAST_ATTEMPT, 503, '120')).toBeNull()
})

test.each([
  [0, 4_500],
  [0.5, 5_000],
  [1, 5_500],
])('chance %d of a tenth of jitter waits %d ms of five seconds', (chance, waitMs) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance)

  expect(waitMsAfter(1, 500)).toBe(waitMs)
})
