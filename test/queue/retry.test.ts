// When what failed is tried again, at both ends of the schedule.
import { afterEach, expect, test, vi } from 'vitest'
import { getNextAttemptAt } from '../../src/queue/retry.ts'

const NOW = new Date('2026-01-01T00:00:00.000Z')
const DELAYS_MS = [1_000, 60_000]

afterEach(() => {
  vi.restoreAllMocks()
})

function waitMsAfter(attempt: number, jitter?: number) {
  const at = getNextAttemptAt(DELAYS_MS, attempt, NOW, jitter)
  return at && at.getTime() - NOW.getTime()
}

test('each attempt but the last has a delay of its own', () => {
  expect([1, 2, 3, 4].map((attempt) => waitMsAfter(attempt))).toEqual([1_000, 60_000, null, null])
})

test.each([
  [0, 54_000],
  [0.5, 60_000],
  [1, 66_000],
])('chance %d of a tenth of jitter waits %d ms of a minute', (chance, waitMs) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance)

  expect(waitMsAfter(2, 0.1)).toBe(waitMs)
})
