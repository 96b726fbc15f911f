// What goes back of each Pix, by us and by its bank: its surplus first, and the sale only then; and what comes in
// beside it and after it.
import { expect, test } from 'vitest'
import { getSurplusLeft, sumCents } from '../../../src/transactions/incoming/amounts.ts'
import { openPix, TOTAL } from '../../support/transactions/payment-life.ts'

const APPROVED = 'transaction.approved'
const HELD = 'transaction.held'
const CANCELED = 'transaction.canceled'
const OVERPAID = 'transaction.overpaid'
const REFUNDED = 'transaction.refunded'
const RETURNED = 'transaction.surplus_refunded'

/** Pix of these amounts that the bank has shown. */
function openReceived(...amounts: number[]) {
  const opened = openPix()
  for (const cents of amounts) opened.pay(cents)
  opened.check()
  const idOf = (i: number) => opened.read().received[i]!.id
  return { ...opened, idOf }
}

const goneOf = ({ bank }: Pick<ReturnType<typeof openPix>, 'bank'>) =>
  bank.pix.map(({ refundedCents }) => refundedCents)

test('what the bank gives back of a surplus leaves the sale alone, and what it gives back of the sale does not', () => {
  const { bank, check, read, events } = openReceived(TOTAL, TOTAL)
  bank.pix[1]!.refundedCents = TOTAL
  const afterSurplus = check()
  bank.pix[0]!.refundedCents = 2_500
  const afterSale = check()

  expect(afterSurplus).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(afterSale).toMatchObject({ status: 'partially_refunded', refundedCents: 2_500 })
  expect(read().refunds.map(({ amountCents, status }) => [amountCents, status])).toEqual([
    [TOTAL, 'succeeded'],
    [2_500, 'succeeded'],
  ])
  expect(events).toEqual([APPROVED, OVERPAID, RETURNED, REFUNDED])
})

test('one Pix that is too much goes back surplus first', () => {
  const { refund, requestRefund, endRefunds, idOf, events } = openReceived(15_000)
  const incomingPaymentId = idOf(0)

  const afterSurplus = refund({ incomingPaymentId })
  const rest = requestRefund({ incomingPaymentId })

  expect(afterSurplus).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(rest).toMatchObject([{ amountCents: TOTAL }])
  expect(endRefunds(rest)).toMatchObject({ status: 'refunded', refundedCents: TOTAL })
  expect(events).toEqual([APPROVED, OVERPAID, RETURNED, REFUNDED])
})

test('what goes back of surplus and sale at once is told with the share of each', () => {
  const { refund, bodies, events } = openReceived(12_500)

  refund({ amountCents: 5_000 })

  expect(events.slice(-2)).toEqual([REFUNDED, RETURNED])
  const share = { refund: { amountCents: 5_000 }, returnedCents: 2_500 }
  expect(bodies.slice(-2)).toMatchObject([share, share])
})

test('a request over several Pix is a refund of each, the oldest first, and is not made twice', () => {
  const opened = openReceived(6_000, 4_000)
  const { requestRefund, endRefunds } = opened
  const made = requestRefund({ amountCents: 7_000 })

  expect(made.map(({ amountCents }) => amountCents)).toEqual([6_000, 1_000])
  expect(made.map(({ requestId }) => requestId)).toEqual([made[0]!.id, made[0]!.id])
  requestRefund({ amountCents: 3_000 })
  expect(() => requestRefund()).toThrow(/^Há devoluções em andamento/)
  expect(endRefunds(made)).toMatchObject({ status: 'partially_refunded', refundedCents: 7_000 })
  expect(goneOf(opened)).toEqual([6_000, 1_000])
})

test('when one part of a request fails, that part can be asked for again', () => {
  const { requestRefund, endRefunds, refund } = openReceived(6_000, 4_000)
  const [first, second] = requestRefund()

  endRefunds([first!])
  endRefunds([second!], false)

  expect(refund()).toMatchObject({ status: 'refunded', refundedCents: TOTAL })
})

test('a Pix that came and went before anybody asked is an approval and a refund', () => {
  const { pay, check, events } = openPix()
  pay(TOTAL, { refundedCents: TOTAL })

  expect(check()).toMatchObject({ status: 'refunded', refundedCents: TOTAL })
  expect(events).toEqual([APPROVED, REFUNDED])
})

test('a Pix that is not of this payment, or has nothing left, cannot go back', () => {
  const { requestRefund, idOf } = openReceived(TOTAL, TOTAL)
  const other = openReceived(TOTAL).idOf(0)

  expect(() => requestRefund({ incomingPaymentId: other })).toThrow(/^incomingPaymentId: /)
  expect(() => requestRefund({ incomingPaymentId: idOf(1), amountCents: TOTAL + 1 })).toThrow(
    /^amountCents: restam R\$.100,00/,
  )
})

test('a surplus can go back after the whole sale did, and then nothing more', () => {
  const { refund, idOf, read } = openReceived(TOTAL, TOTAL)

  expect(refund({ incomingPaymentId: idOf(0) })).toMatchObject({ status: 'refunded' })
  refund({ incomingPaymentId: idOf(1) })

  expect(read().received).toMatchObject([{ refundedCents: TOTAL }, { refundedCents: TOTAL }])
  expect(() => refund()).toThrow(/esta está refunded/)
})

// Of a payment that is held.

test('a held payment goes back whole, each Pix by its own id, and is canceled', () => {
  const opened = openPix()
  const { pay, check, refund, events } = opened
  for (const cents of [3_000, 2_000]) {
    pay(cents)
    check()
  }

  expect(() => refund({ amountCents: 4_999 })).toThrow(/por inteiro: R\$.50,00/)
  expect(() => refund({ amountCents: 5_001 })).toThrow(/^amountCents: restam R\$.50,00/)
  expect(refund()).toMatchObject({ status: 'canceled', refundedCents: 0, receivedCents: 5_000 })
  expect(goneOf(opened)).toEqual([3_000, 2_000])
  expect(events).toEqual([HELD, HELD, CANCELED])
})

test('what the bank gives back of a held payment counts, and cancels it when all is gone', () => {
  const { bank, check, events } = openReceived(3_000)
  bank.pix[0]!.refundedCents = 1_000
  const between = check()
  bank.pix[0]!.refundedCents = 3_000

  const { status, updatedAt } = check()

  expect(between).toMatchObject({ status: 'pending', receivedCents: 2_000 })
  expect(between.holdReason).toMatch(/^O valor recebido \(R\$.20,00\)/)
  expect(status).toBe('canceled')
  expect(check()).toMatchObject({ status, updatedAt })
  expect(events).toEqual([HELD, HELD, CANCELED])
})

test('a code that is paid in full after what was held went back is approved', () => {
  const { pay, check, refund } = openReceived(6_000)
  const canceled = refund()
  pay(TOTAL)

  expect(canceled).toMatchObject({ status: 'canceled' })
  expect(check()).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test.each([
  ['before the rest came', true],
  ['together with the rest', false],
])(
  'what went back pays nothing, told %s: the rest alone does not complete the sale',
  (_when, isEarlier) => {
    const { bank, pay, check, events } = openReceived(6_000)
    bank.pix[0]!.refundedCents = 6_000
    if (isEarlier) check()
    pay(4_000)
    const short = check()
    pay(6_000)

    expect(short).toMatchObject({ approvedAt: null, holdReason: expect.stringContaining('40,00') })
    expect(check()).toMatchObject({ status: 'approved', refundedCents: 0 })
    expect(events).not.toContain(REFUNDED)
  },
)

test('while all of it is on its way back nothing more goes, and what the provider refuses stays held', () => {
  const { requestRefund, endRefunds, refund } = openReceived(9_999)
  const made = requestRefund()

  expect(() => requestRefund()).toThrow(/^Há devoluções em andamento/)
  expect(endRefunds(made, false)).toMatchObject({ status: 'pending', receivedCents: 9_999 })
  expect(refund()).toMatchObject({ status: 'canceled' })
})

test('approved meanwhile by another Pix, what goes back is no part of the sale', () => {
  const { pay, check, requestRefund, endRefunds, events } = openReceived(9_914)
  const made = requestRefund()
  pay(TOTAL)
  check()

  expect(endRefunds(made)).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(events).toEqual([HELD, APPROVED, OVERPAID, RETURNED])
})

test('what was on its way back, and stays after all, is too much', () => {
  const { pay, check, read, requestRefund, endRefunds, events } = openReceived(6_000)
  const made = requestRefund()
  pay(TOTAL)
  check()

  expect(endRefunds(made, false)).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(sumCents(read().received.map(getSurplusLeft))).toBe(6_000)
  expect(events).toEqual([HELD, APPROVED, OVERPAID, 'transaction.refund_failed'])
})

test('the rest does not pay for what is on its way back', () => {
  const { pay, check, requestRefund, events } = openReceived(9_914)
  requestRefund()
  pay(86)

  expect(check()).toMatchObject({ approvedAt: null, receivedCents: 86 })
  expect(events).toEqual([HELD, HELD])
})
