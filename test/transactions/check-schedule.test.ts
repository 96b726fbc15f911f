// When a provider is asked again, a millisecond before and at each end of the schedule.
import { expect, test } from 'vitest'
import { getNextCheckAt, getRetryAt } from '../../src/transactions/check-schedule.ts'

const NOW = new Date('2026-01-01T00:00:00.000Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type CheckedPayment = Parameters<typeof getNextCheckAt>[0]

const at = (ms: number) => new Date(NOW.getTime() + ms)
const isoAt = (ms: number) => at(ms).toISOString()

function payment(changes: Partial<CheckedPayment>): CheckedPayment {
  return {
    status: 'pending',
    method: 'pix',
    provider: 'openpix',
    providerReference: 'E1',
    pixBrCode: '0002',
    createdAt: isoAt(0),
    expiresAt: isoAt(30 * MINUTE_MS),
    approvedAt: null,
    checks: 0,
    holdReason: null,
    ...changes,
  }
}

const approved = payment({ status: 'approved', approvedAt: isoAt(0) })
const page = payment({ method: 'credit_card', provider: 'pagarme' })
const expired: CheckedPayment = { ...page, status: 'expired', expiresAt: isoAt(0) }
const held = payment({ holdReason: 'Outro valor' })
const lost = payment({ status: 'declined', providerReference: null })

test.each([
  ['an approval', approved, [1, 3, 7, 14, 30, 60, 90, 100].map((days) => days * DAY_MS)],
  [
    'an approval of a card',
    { ...approved, method: 'credit_card' as const, provider: 'pagarme' as const },
    [1, 3, 7, 14, 30, 60, 90, 120, 150, 180].map((days) => days * DAY_MS),
  ],
  ['a chargeback', { ...approved, status: 'charged_back' as const }, [DAY_MS, 3 * DAY_MS]],
  ['a refund of a part', { ...approved, status: 'partially_refunded' as const }, [DAY_MS]],
  ['an expiry', expired, [HOUR_MS, DAY_MS]],
  [
    'a confirmation given up',
    payment({ method: 'credit_card', status: 'declined' }),
    [30 * MINUTE_MS, 35 * MINUTE_MS, 90 * MINUTE_MS],
  ],
  ['a charge taken for lost', lost, [5 * MINUTE_MS, HOUR_MS, DAY_MS]],
])('after %s each look is followed by the next', (_what, row, delaysMs) => {
  for (const [i, delayMs] of delaysMs.entries()) {
    const before = delaysMs[i - 1] ?? 0
    expect(getNextCheckAt(row, at(before))).toBe(isoAt(delayMs))
    expect(getNextCheckAt(row, at(delayMs - 1))).toBe(isoAt(delayMs))
  }
})

test.each([
  ['an approval', approved, 100 * DAY_MS],
  ['an expiry', expired, DAY_MS],
  ['a code that was given up', { ...expired, status: 'canceled' as const }, DAY_MS],
  ['a charge taken for lost', lost, DAY_MS],
])('after the last look at %s there is none', (_what, row, lastMs) => {
  expect(getNextCheckAt(row, at(lastMs - 1))).toBe(isoAt(lastMs))
  expect(getNextCheckAt(row, at(lastMs))).toBeNull()
})

test('a bank that cannot be asked is asked each hour until a week after the last look, and then each day', () => {
  const rarelyMs = (100 + 7) * DAY_MS
  const over = 540 * DAY_MS

  expect(getRetryAt(approved, at(rarelyMs - 1))).toBe(isoAt(rarelyMs - 1 + HOUR_MS))
  expect(getRetryAt(approved, at(rarelyMs))).toBe(isoAt(rarelyMs + DAY_MS))
  expect(getRetryAt(approved, at(over - 1))).toBe(isoAt(over - 1 + DAY_MS))
  expect(getRetryAt(approved, at(over))).toBeNull()
})

test.each([
  ['is held at the sandbox', { ...held, provider: 'sandbox' as const }],
  ['was declined by the bank', payment({ status: 'declined', expiresAt: null })],
  ['was refunded', { ...approved, status: 'refunded' as const }],
  ['is the sandbox’s and approved', { ...approved, provider: 'sandbox' as const }],
])('what %s is not asked about again', (_what, row) => {
  expect(getNextCheckAt(row, at(1))).toBeNull()
})

test.each([
  ['is held is asked about for what else comes, and for what goes back', held],
  ['was held and went back is, since its code may be paid again', { ...held, status: 'canceled' }],
] as const)('a Pix that %s', (_what, row) => {
  expect(getNextCheckAt(row, NOW)).toBe(isoAt(5 * MINUTE_MS))
  expect(getNextCheckAt(row, at(5 * MINUTE_MS))).toBe(isoAt(HOUR_MS))
  expect(getNextCheckAt(row, at(HOUR_MS))).toBe(isoAt(DAY_MS))
  expect(getNextCheckAt(row, at(100 * DAY_MS))).toBeNull()
})

test('a card that is held is asked about as an approved one, since its money may go back there', () => {
  const card = { ...page, holdReason: 'Outro valor' }

  expect(getNextCheckAt(card, NOW)).toBe(isoAt(DAY_MS))
  expect(getNextCheckAt(card, at(DAY_MS))).toBe(isoAt(3 * DAY_MS))
})

test('a card that was refunded is asked about once more, since its page may be paid again', () => {
  const card = { ...approved, method: 'credit_card' as const, status: 'refunded' as const }

  expect(getNextCheckAt(card, NOW)).toBe(isoAt(DAY_MS))
  expect(getNextCheckAt(card, at(DAY_MS))).toBeNull()
})

test.each([
  [0, 10_000],
  [4, 2 * MINUTE_MS],
  [5, 5 * MINUTE_MS],
  [6, 5 * MINUTE_MS],
  [1_000, 5 * MINUTE_MS],
])('a page that was asked about %d times is asked about after %d ms', (checks, waitMs) => {
  expect(getNextCheckAt({ ...page, checks }, NOW)).toBe(isoAt(waitMs))
})

test('a card under way is asked about ever more rarely', () => {
  for (const [checks, seconds] of [5, 5, 10, 20, 40, 60, 60].entries()) {
    const card = payment({ method: 'credit_card', status: 'processing', checks, expiresAt: null })
    expect(getNextCheckAt(card, NOW)).toBe(isoAt(seconds * 1_000))
  }
})

test('no look at an open page is later than its end, and after that they go on', () => {
  const endMs = 10_000
  const row = { ...page, expiresAt: isoAt(endMs) }

  expect(getNextCheckAt(row, NOW)).toBe(isoAt(endMs))
  expect(getNextCheckAt(row, at(1))).toBe(isoAt(endMs))
  expect(getNextCheckAt(row, at(endMs - 1))).toBe(isoAt(endMs))
  expect(getNextCheckAt(row, at(endMs))).toBe(isoAt(endMs + 10_000))
})

test('where the account is listed an open Pix is looked at while its payer waits, and at its end', () => {
  const row = payment({ provider: 'pix-api' })

  expect(getNextCheckAt(row, NOW)).toBe(isoAt(40_000))
  expect(getNextCheckAt({ ...row, checks: 1 }, at(80_000))).toBe(row.expiresAt)
  expect(getNextCheckAt({ ...row, checks: 2, pixBrCode: null }, NOW)).toBe(isoAt(2_000))
})

test.each([
  ['an approval', approved],
  ['an hour of being held', { ...held, createdAt: isoAt(-HOUR_MS) }],
])(
  'where the account is listed with what goes back nothing is looked at after %s',
  (_what, row) => {
    expect(getNextCheckAt({ ...row, provider: 'pix-api' }, NOW)).toBeNull()
  },
)

test('where the account lists what changed nothing is looked at after an approval, and a failed check is repeated', () => {
  for (const method of ['pix', 'credit_card'] as const) {
    const row = { ...approved, provider: 'mercadopago' as const, method }
    const lateMs = 150 * DAY_MS

    expect(getNextCheckAt(row, NOW)).toBeNull()
    expect(getRetryAt(row, at(lateMs))).toBe(isoAt(lateMs + DAY_MS))
  }
})

test('where the account is listed an expiry is looked at once more, should the list tell less than there is', () => {
  const row = { ...expired, provider: 'pix-api' as const }

  expect(getNextCheckAt(row, NOW)).toBe(isoAt(HOUR_MS))
  expect(getNextCheckAt(row, at(HOUR_MS))).toBeNull()
})

test('an open Pix of the sandbox waits for its end alone', () => {
  const row = payment({ provider: 'sandbox' })

  expect(getNextCheckAt(row, NOW)).toBe(row.expiresAt)
  expect(getNextCheckAt({ ...row, status: 'processing' }, NOW)).toBe(isoAt(5_000))
})

test('while a dispute is open each look is a day after the other, for as long as one may take', () => {
  const isDisputed = true
  const [early, late, over] = [10 * MINUTE_MS, 400 * DAY_MS, 540 * DAY_MS]

  expect(getNextCheckAt(approved, at(early), isDisputed)).toBe(isoAt(DAY_MS))
  expect(getNextCheckAt(approved, at(late), isDisputed)).toBe(isoAt(late + DAY_MS))
  expect(getNextCheckAt(approved, at(over - 1), isDisputed)).toBe(isoAt(over - 1 + DAY_MS))
  expect(getNextCheckAt(approved, at(over), isDisputed)).toBeNull()
})
