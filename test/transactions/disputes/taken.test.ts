// What disputes take of money that never was part of a sale: of a payment that is held, and of a surplus.
import { expect, test } from 'vitest'
import { sumCents, sumSurplusLeft } from '../../../src/transactions/incoming/amounts.ts'
import { openPix, TOTAL } from '../../support/transactions/payment-life.ts'

const CANCELED = 'transaction.canceled'
const HELD = 'transaction.held'
const OVERPAID = 'transaction.overpaid'

/** Of R$ 100,00 asked, one Pix for each of these amounts; what the bank says of it may be changed. */
function cameIn(...amounts: number[]) {
  const opened = openPix()
  for (const cents of amounts) opened.pay(cents)
  opened.check()
  const { bank, read } = opened
  const contest = (
    i: number,
    amountCents: number,
    more: Parameters<typeof opened.contest>[2] = {},
  ) => opened.contest(bank.pix[i]!, amountCents, more)
  /** The surplus that the company may still refund. */
  function sumSurplus() {
    const lost = read().disputes.filter(({ status }) => status === 'lost')
    return sumSurplusLeft(read().received, lost)
  }
  return { ...opened, contest, contestNone: opened.contest, sumSurplus }
}

test.each([
  [8_000, 'canceled', ['dispute.closed', CANCELED]],
  [7_999, 'pending', ['dispute.closed']],
])('of 8000 cents that are held a dispute takes %i: it is %s', (cents, status, told) => {
  const { contest, check, events } = cameIn(8_000)
  const dispute = contest(0, cents, { status: 'open', closedAt: null })
  const contested = check()
  dispute.status = 'lost'

  expect(contested).toMatchObject({ status: 'pending', holdReason: expect.any(String) })
  expect(check()).toMatchObject({ status, approvedAt: null, chargedBackCents: 0 })
  check()
  expect(events).toEqual([HELD, 'dispute.opened', ...told])
})

test('the cent that a dispute leaves of a held payment goes back, and ends it', () => {
  const { contest, check, requestRefund, endRefunds, events } = cameIn(8_000)
  contest(0, 7_999)
  check()

  const made = requestRefund()

  expect(made).toMatchObject([{ amountCents: 1 }])
  expect(endRefunds(made)).toMatchObject({ status: 'canceled' })
  expect(events.at(-1)).toBe(CANCELED)
})

test('what a dispute blocks keeps it held though the rest went back, until the bank has decided', () => {
  const { contest, check, requestRefund, endRefunds } = cameIn(5_000, 3_000)
  const dispute = contest(1, 3_000, { status: 'open', closedAt: null })
  check()
  const made = requestRefund()

  expect(made).toMatchObject([{ amountCents: 5_000 }])
  expect(endRefunds(made)).toMatchObject({ status: 'pending' })
  dispute.status = 'lost'
  expect(check()).toMatchObject({ status: 'canceled' })
})

test('a bank that thinks again gives the money back, and it is held once more', () => {
  const { contest, check, refund, events } = cameIn(8_000)
  const dispute = contest(0, 8_000)
  check()
  dispute.status = 'won'

  expect(check()).toMatchObject({ status: 'expired', holdReason: expect.any(String) })
  expect(events.at(-1)).toBe(HELD)
  expect(refund()).toMatchObject({ status: 'canceled' })
})

test.each([
  ['before the rest came', true],
  ['together with the rest', false],
])('what a dispute took of a held payment pays nothing, told %s', (_when, isEarlier) => {
  const { contest, pay, check, events } = cameIn(6_000)
  contest(0, 6_000)
  if (isEarlier) check()
  pay(4_000)
  const short = check()
  pay(6_000)

  expect(short).toMatchObject({
    ...{ approvedAt: null, receivedCents: 4_000, holdReason: expect.stringContaining('40,00') },
  })
  expect(check()).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(events.at(-1)).toBe('transaction.approved')
})

test('paid whole after a dispute took a part, the sale loses only what is taken from then on', () => {
  const { contest, pay, check, sumSurplus, requestRefund, events } = cameIn(6_000)
  contest(0, 2_000)
  check()
  pay(TOTAL)
  check()
  contest(0, 4_000)

  expect(check()).toMatchObject({ status: 'approved', chargedBackCents: 4_000 })
  expect(events.filter((type) => type === OVERPAID)).toHaveLength(1)
  const made = requestRefund()
  expect(sumCents(made.map(({ amountCents }) => amountCents))).toBe(TOTAL)
  expect(sumSurplus()).toBe(4_000)
})

test('what was lost before the sale was paid is no surplus, until its bank thinks again', () => {
  const { contest, pay, check, sumSurplus, refund } = cameIn(6_000)
  const dispute = contest(0, 6_000)
  check()
  pay(TOTAL)
  const approved = check()
  const before = sumSurplus()
  dispute.status = 'won'
  check()

  expect(approved).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect([before, sumSurplus()]).toEqual([0, 6_000])
  expect(refund({ amountCents: 6_000 })).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test('a bank that thinks again before the rest has come leaves what it gives too much', () => {
  const { contest, pay, check, sumSurplus, refund, events } = cameIn(6_000)
  const dispute = contest(0, 6_000)
  check()
  pay(6_000)
  check()
  dispute.status = 'won'
  check()

  expect(check()).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(events.slice(-2)).toEqual(['transaction.approved', OVERPAID])
  expect(sumSurplus()).toBe(2_000)
  expect(refund({ amountCents: 2_000 })).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test('a surplus that a dispute took is no longer to be given back', () => {
  const { contest, check, sumSurplus } = cameIn(TOTAL, TOTAL)
  const left = [sumSurplus()]
  for (const cents of [9_999, 1]) {
    contest(1, cents)
    expect(check()).toMatchObject({ status: 'approved', chargedBackCents: 0 })
    left.push(sumSurplus())
  }

  expect(left).toEqual([TOTAL, 1, 0])
})

test('what is lost of a Pix is first what was too much of it', () => {
  const { contest, check, read } = cameIn(6_000, 6_000)
  contest(1, 2_000)
  const surplus = check()
  contest(1, 1_500)

  expect(surplus).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(check()).toMatchObject({ status: 'approved', chargedBackCents: 1_500 })
  const [first, second] = read().disputes
  expect(second).toMatchObject({ incomingPaymentId: first!.incomingPaymentId })
})

test('a dispute that names no Pix is of the only one that came in, its surplus first', () => {
  const { contestNone, check, sumSurplus } = cameIn(12_000)
  contestNone(null, 2_000)

  expect(check()).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(sumSurplus()).toBe(0)
})

test('a dispute that names none of several Pix takes of the sale alone, as the book has it', () => {
  const { contestNone, check, sumSurplus } = cameIn(12_000, 1_000)
  contestNone(null, 2_000)

  expect(check()).toMatchObject({ chargedBackCents: 2_000 })
  expect(sumSurplus()).toBe(3_000)
})

test.each([
  ['the surplus, which then is not there for refunds', 3_000, [2_000], 0],
  ['the surplus, and refunds take all of the sale', 3_000, [2_000, 8_000], 0],
  ['a part of the sale too, which stays as it is', 4_000, [2_000, 2_000], 1_000],
])(
  'what was lost before is no more for later refunds: %s',
  (_what, lostCents, refunds, chargedBackCents) => {
    const { contest, check, refund, events } = cameIn(13_000)
    contest(0, lostCents)
    check()
    const before = events.length
    for (const amountCents of refunds) refund({ amountCents })

    const refundedCents = sumCents(refunds)
    const status = refundedCents === TOTAL ? 'refunded' : 'partially_refunded'
    expect(check()).toMatchObject({ refundedCents, chargedBackCents, status })
    expect(events.slice(before)).toEqual(refunds.map(() => 'transaction.refunded'))
  },
)

test('a dispute after a refund of the surplus takes the sale', () => {
  const { contest, check, refund } = cameIn(13_000)
  refund({ amountCents: 3_000 })
  contest(0, TOTAL)

  expect(check()).toMatchObject({
    ...{ refundedCents: 0, chargedBackCents: TOTAL, status: 'charged_back' },
  })
})

test('a surplus that the bank gives back once the sale was refunded is what was refunded', () => {
  const { contest, check, refund, requestRefund } = cameIn(13_000)
  const dispute = contest(0, 3_000)
  check()
  const before = refund({ amountCents: 4_000 })
  dispute.status = 'won'

  expect(before).toMatchObject({ refundedCents: 4_000, chargedBackCents: 0 })
  expect(check()).toMatchObject({ refundedCents: 1_000, chargedBackCents: 0 })
  expect(requestRefund()).toMatchObject([{ amountCents: 9_000 }])
})
