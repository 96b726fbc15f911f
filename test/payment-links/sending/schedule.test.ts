// When payers are reminded.
import { expect, test } from 'vitest'
import { getReminderDueAt, isReminderTime } from '../../../src/payment-links/sending/schedule.ts'

const FROM = new Date('2026-11-02T15:00:00.000Z')
const at = (day: string) => `2026-11-${day}T15:00:00.000Z`

test.each([
  ['not at all', { every: null }, null],
  ['after so many days', { every: 3 }, at('05')],
  ['after so many days again', { every: 3, sent: 2 }, at('05')],
  ['at most three times', { every: 3, sent: 3 }, null],
  ['before the expiry as ever', { every: 3, expires: at('20') }, at('05')],
  [
    'the last time on the day before the expiry',
    { every: 3, sent: 2, expires: at('20') },
    at('19'),
  ],
  ['on that day where the next one would be later', { every: 7, expires: at('08') }, at('07')],
  ['nor within a day of that', { every: 3, expires: at('06') }, at('05')],
  ['nor twice that day', { every: 3, expires: at('06'), sent: 1 }, at('05')],
  ['never on the last day', { every: 1, expires: at('03') }, null],
])('a payer is reminded %s', (_when, { every, sent = 0, expires = null }: Case, due) => {
  const link = { remindEveryDays: every, remindersSent: sent, expiresAt: expires }

  expect(getReminderDueAt(link, FROM)).toBe(due)
})

type Case = { every: number | null; sent?: number; expires?: string | null }

test.each([
  ['2026-11-02T11:59:59.999Z', false],
  ['2026-11-02T12:00:00.000Z', true],
  ['2026-11-02T20:59:59.999Z', true],
  ['2026-11-02T21:00:00.000Z', false],
  ['2026-11-03T03:00:00.000Z', false],
])('it is by day in São Paulo: at %s, %s', (instant, isTime) => {
  expect(isReminderTime(new Date(instant))).toBe(isTime)
})
