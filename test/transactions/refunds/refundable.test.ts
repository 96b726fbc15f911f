// What may be refunded, how much of it, until when, and what becomes of the payment.
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/database/instant.ts'
import type { Books } from '../../../src/transactions/books.ts'
import { getRefundable } from '../../../src/transactions/refunds/refundable.ts'
import { mergeRefunds } from '../../../src/transactions/refunds/request.ts'
import {
  APPROVED_CARD,
  buildAnswer,
  CARD,
  newBooks,
  openPayment,
  openPix,
  TOTAL,
} from '../../support/transactions/payment-life.ts'

/** A card that was approved, and refunds of it that its provider carries out. */
function openApproved() {
  const card = openPayment(newBooks(CARD))
  card.applyFact(buildAnswer(APPROVED_CARD))
  function end(made: ReturnType<typeof card.requestRefund>, isDone = true) {
    for (const { id: refundId } of made) {
      const done = { status: 'succeeded', reference: refundId } as const
      const refused = { status: 'failed', reason: 'insufficient_balance' } as const
      card.applyFact({ kind: 'refund answer', refundId, verdict: isDone ? done : refused })
    }
    return card.read().payment
  }
  return { ...card, end, refund: (amountCents?: number) => end(request(card, amountCents)) }
}

const request = (
  { requestRefund }: Pick<ReturnType<typeof openPayment>, 'requestRefund'>,
  amountCents?: number,
) => requestRefund(amountCents === undefined ? {} : { amountCents })

test('several parts go back, and then what is left', () => {
  const { refund, read, events } = openApproved()

  const payments = [refund(3_000), refund(1), refund()]

  expect(payments.map(({ status, refundedCents }) => [status, refundedCents])).toEqual([
    ['partially_refunded', 3_000],
    ['partially_refunded', 3_001],
    ['refunded', TOTAL],
  ])
  expect(read().refunds.map(({ amountCents }) => amountCents)).toEqual([3_000, 1, 6_999])
  expect(events.slice(1)).toEqual(Array(3).fill('transaction.refunded'))
})

test('one cent more than is left is refused with what is left, the rest exactly is not', () => {
  const { refund } = openApproved()
  refund(4_000)

  expect(() => refund(6_001)).toThrow(
    'amountCents: restam R$\u00a060,00 (6000 centavos) a devolver.',
  )
  expect(refund(6_000)).toMatchObject({ status: 'refunded' })
})

test('what is still under way is spoken for, and free again once the provider refuses it', () => {
  const card = openApproved()
  const made = request(card, 9_914)

  expect(() => request(card, 87)).toThrow(/^amountCents: restam/)
  request(card, 86)
  expect(() => request(card)).toThrow(/^Há devoluções em andamento/)
  expect(card.end(made, false)).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(request(card)).toMatchObject([{ amountCents: 9_914 }])
})

test('a refund that ended is not ended again, and of two with one id of the provider one counts', () => {
  const card = openApproved()
  const [first, second] = [request(card, 1_000), request(card, 1_000)]
  card.end(first)
  card.end(first, false)
  const verdict = { status: 'succeeded', reference: first[0]!.id } as const
  card.applyFact({ kind: 'refund answer', refundId: second[0]!.id, verdict })

  const { payment, refunds } = card.read()
  expect(payment.refundedCents).toBe(1_000)
  expect(refunds.map(({ status }) => status)).toEqual(['succeeded', 'pending'])
})

function refusalOf(books: Books, now = new Date(APPROVED_CARD.paidAt)) {
  const refundable = getRefundable(books, now)
  return refundable.kind === 'refused' ? refundable : undefined
}

test.each(['pending', 'declined', 'expired', 'refunded'] as const)(
  'nothing goes back of a payment that is %s',
  (status) => {
    const message = expect.stringContaining(`está ${status}`)
    expect(refusalOf(newBooks({ status }))).toMatchObject({ code: 'invalid_transition', message })
  },
)

const paidPix = () => {
  const pix = openPix()
  const { paidAt } = pix.pay(TOTAL)
  pix.check()
  return { books: pix.read(), paidAt }
}
const paidCard = (provider: 'mercadopago' | 'sandbox') => () => {
  const { read } = openApproved()
  const { payment, ...books } = read()
  return { books: { ...books, payment: { ...payment, provider } }, paidAt: APPROVED_CARD.paidAt }
}

test.each([
  ['a Pix', paidPix, 90],
  [
    'a test card, for as long as the bank of the sandbox is sure to know it',
    paidCard('sandbox'),
    180,
  ],
] as const)('%s goes back within %s days, to the millisecond', (_what, open, days) => {
  const { books, paidAt } = open()
  const last = Date.parse(paidAt) + days * DAY_MS

  expect(refusalOf(books, new Date(last))).toBeUndefined()
  expect(refusalOf(books, new Date(last + 1))).toMatchObject({
    ...{ code: 'refund_window_closed', message: expect.stringContaining(`${days} dias`) },
  })
})

test('a card goes back for as long as its provider takes it back', () => {
  const { books, paidAt } = paidCard('mercadopago')()

  expect(refusalOf(books, new Date(Date.parse(paidAt) + 999 * DAY_MS))).toBeUndefined()
})

test('while the received amount is unknown, nothing goes back, and the company is told', () => {
  const held = newBooks({ holdReason: 'unreadable', receivedCents: null })
  const accepted = newBooks({ status: 'approved', approvedAt: APPROVED_CARD.paidAt })

  expect(refusalOf(held)?.message).toMatch(/^Esta transação está retida, e não se sabe quanto/)
  expect(refusalOf(accepted)?.message).toMatch(/^O provedor ainda não mostra o Pix/)
})

test.each([
  [['succeeded', 'succeeded'], 'succeeded', 7_000],
  [['succeeded', 'pending'], 'pending', 7_000],
  [['pending', 'failed'], 'pending', 6_000],
  [['succeeded', 'failed'], 'succeeded', 6_000],
  [['failed', 'failed'], 'failed', 7_000],
] as const)('a request with the parts %j is %s with %i cents', (states, status, cents) => {
  const { pay, check, requestRefund } = openPix()
  pay(6_000)
  pay(4_000)
  check()
  const made = requestRefund({ amountCents: 7_000 })

  const merged = mergeRefunds(made.map((row, i) => ({ ...row, status: states[i]! })))

  expect(merged).toMatchObject({ id: made[0]!.id, incomingPaymentId: null, status })
  expect(merged.amountCents).toBe(cents)
})

// What goes back at the provider, by us or without us: it reports one total.

test('our own refund is not taken for one that was made at the bank, also while it is under way', () => {
  const { bank, pay, check, read, requestRefund, endRefunds } = openPix()
  pay(TOTAL)
  check()
  const made = requestRefund({ amountCents: 3_000 })
  bank.pix[0]!.refundedCents = 5_000
  check()
  const meanwhile = read().refunds.map(({ amountCents }) => amountCents)
  bank.pix[0]!.refundedCents = 2_000
  endRefunds(made)
  check()

  expect(meanwhile).toEqual([3_000, 2_000])
  expect(read().payment).toMatchObject({ refundedCents: 5_000 })
  expect(read().refunds).toMatchObject([
    { reason: null, status: 'succeeded' },
    { reason: 'Devolvido no provedor', status: 'succeeded' },
  ])
})

test.each([
  ['at once', 0, []],
  ['after it was accepted', 2, ['refund-failed']],
])('a refund that fails %s is told once, and can be asked for again', (_when, checks, told) => {
  const card = openApproved()
  const [refund] = request(card, 3_000)
  Object.assign(refund!, { checks })
  card.mails.splice(0)

  card.end([refund!], false)
  card.end([refund!], false)

  expect(card.events.slice(1)).toEqual(['transaction.refund_failed'])
  expect(card.mails).toEqual(told)
  expect(card.refund()).toMatchObject({ status: 'refunded' })
})

test('of a refund of ours that failed, what went back all the same is recorded', () => {
  const { bank, pay, check, read, requestRefund, endRefunds } = openPix()
  pay(TOTAL)
  check()
  endRefunds(requestRefund({ amountCents: 3_000 }), false)
  bank.pix[0]!.refundedCents = 3_000
  check()
  check()

  expect(read().refunds.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  expect(read().payment).toMatchObject({ refundedCents: 3_000 })
})

test('a refund of ours that was called failed and that the bank names is put right in its own row', () => {
  const { bank, pay, check, read, requestRefund, endRefunds } = openPix()
  pay(TOTAL)
  check()
  const made = requestRefund({ amountCents: 500 })
  endRefunds(made, false)
  Object.assign(bank.pix[0]!, { refundedCents: 500, returns: [{ reference: made[0]!.id }] })
  check()
  check()

  expect(read().refunds).toMatchObject([
    { id: made[0]!.id, status: 'succeeded', failureReason: null },
  ])
  expect(read().payment).toMatchObject({ status: 'partially_refunded', refundedCents: 500 })
})
