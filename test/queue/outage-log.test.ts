import { expect, test, vi } from 'vitest'
import { trackOutage } from '../../src/queue/outage-log.ts'

test('an outage is told when it begins and when it is over, and so is the next', () => {
  const [onStart, onEnd] = [vi.fn(), vi.fn()]
  const { noteSuccess, noteFailure } = trackOutage(onStart, onEnd)

  noteSuccess()
  noteFailure('first')
  noteFailure('second')
  expect([onStart.mock.calls, onEnd.mock.calls]).toEqual([[['first']], []])
  noteSuccess()
  noteSuccess()
  expect(onEnd).toHaveBeenCalledTimes(1)
  noteFailure('third')

  expect(onStart.mock.calls).toEqual([['first'], ['third']])
})
