// By when a company answers a dispute.
import { expect, test } from 'vitest'
import {
  findDeadline,
  findNextDeadline,
  isDeadlineOver,
} from '../../../src/transactions/disputes/deadline.ts'

const MED = {
  status: 'open' as const,
  kind: 'med' as const,
  respondBy: null,
  openedAt: '2026-12-01T02:30:00.000Z',
}
const NAMED = '2026-12-05T12:00:00.000Z'

test.each([
  [
    'a MED: seven days, the last of them whole',
    MED,
    { at: '2026-12-08T02:30:00.000Z', isDay: true },
  ],
  ['as the provider says', { ...MED, respondBy: NAMED }, { at: NAMED, isDay: false }],
  ['a card without a word of the provider', { ...MED, kind: 'card' }, null],
  ['one that has ended', { ...MED, status: 'lost', respondBy: NAMED }, null],
] as const)('the deadline of %s', (_, dispute, expected) => {
  expect(findDeadline(dispute)).toEqual(expected)
})

test('a day is over when it ends in São Paulo, an instant when it has passed', () => {
  const day = { at: '2026-12-08T02:30:00.000Z', isDay: true }

  const over = ['2026-12-08T02:59:59.999Z', '2026-12-08T03:00:00.000Z'].map((now) =>
    [day, { ...day, isDay: false }].map((deadline) => isDeadlineOver(deadline, new Date(now))),
  )

  expect(over).toEqual([
    [false, true],
    [true, true],
  ])
})

test('the next deadline of several is the earliest that is not over; when all are over, the earliest', () => {
  const early = { ...MED, respondBy: '2026-12-02T12:00:00.000Z' }
  const disputes = [MED, { ...MED, respondBy: NAMED }, early]
  const next = (now: string) => findNextDeadline(disputes, new Date(now))?.at

  expect(next('2026-12-01T12:00:00.000Z')).toBe(early.respondBy)
  expect(next('2026-12-03T12:00:00.000Z')).toBe(NAMED)
  expect(next('2027-01-01T12:00:00.000Z')).toBe(early.respondBy)
  expect(findNextDeadline([], new Date())).toBeUndefined()
})
