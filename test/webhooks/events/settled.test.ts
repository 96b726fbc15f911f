// Up to where events may be shown: no transaction is left that can put one before it.
import { expect, test } from 'vitest'
import { isSettled } from '../../../src/webhooks/events/order.ts'

const READ_AT = 1_000
const reading = { position: 7, readAt: READ_AT, oldestStartedAt: null }

test.each([
  ['while nothing is being written', { readAt: READ_AT + 1, oldestStartedAt: null }, true],
  [
    'while what is written began later',
    { readAt: READ_AT + 1, oldestStartedAt: READ_AT + 0.5 },
    true,
  ],
  [
    'not while what began before is written',
    { readAt: READ_AT + 30, oldestStartedAt: READ_AT },
    false,
  ],
  ['after more than 30 s in any case', { readAt: READ_AT + 30.1, oldestStartedAt: READ_AT }, true],
])('events are shown %s', (_, later, shown) => {
  expect(isSettled(reading, { position: 9, ...later })).toBe(shown)
})
