// A card that came in with another amount than its price, without a database: what becomes of it.
import { expect, test } from 'vitest'
import { sumAmounts } from '../../src/transactions/incoming/amounts.ts'
import { getRefundable } from '../../src/transactions/refunds/refundable.ts'
import {
  APPROVED_CARD,
  answer,
  CARD,
  newBooks,
  openPayment,
  TOTAL,
} from '../support/transactions/payment-life.ts'

test('another amount of a card is held once, and is approved when all of it is told', () => {
  const card = openPayment(newBooks(CARD))
  const short = answer({ ...APPROVED_CARD, paidCents: TOTAL - 1 })
  for (let i = 0; i < 3; i++) card.hear(short)
  const held = card.read().payment

  card.hear(answer(APPROVED_CARD))
  card.hear(short)

  expect(held).toMatchObject({ status: 'processing', receivedCents: TOTAL - 1 })
  expect(card.read().payment).toMatchObject({
    ...{ status: 'approved', holdReason: null, receivedCents: null },
  })
  expect(card.events).toEqual(['transaction.held', 'transaction.approved'])
})

test.each([TOTAL - 1, TOTAL + 1])(
  'a held card of %i cents ends when all of it has gone back at the provider, told at once or later',
  (paidCents) => {
    const held = answer({ ...APPROVED_CARD, paidCents })
    const part = answer({ ...APPROVED_CARD, paidCents, refundedCents: 400 })
    const whole = answer({ ...APPROVED_CARD, paidCents, refundedCents: paidCents })
    for (const told of [[whole], [held, whole, whole], [part, held, part, whole]]) {
      const card = openPayment(newBooks(CARD))
      for (const fact of told) card.hear(fact)

      const { payment, refunds } = card.read()
      expect(payment).toMatchObject({ status: 'canceled', approvedAt: null, refundedCents: 0 })
      expect(sumAmounts(refunds)).toBe(paidCents)
      expect(card.events).toEqual(['transaction.held', 'transaction.canceled'])
    }
  },
)

test('what went back of a held card at the provider is not left for its company to refund', () => {
  const card = openPayment(newBooks(CARD))
  card.hear(answer({ ...APPROVED_CARD, paidCents: TOTAL + 1 }))
  card.hear(answer({ ...APPROVED_CARD, paidCents: TOTAL + 1, refundedCents: 400 }))

  const refundable = getRefundable(card.read(), new Date(APPROVED_CARD.paidAt))

  expect(refundable).toMatchObject({ isHeld: true, leftCents: TOTAL - 399 })
})

test('a card whose money could not be read is held with its amount once that is told', () => {
  const card = openPayment(newBooks(CARD))
  const unreadable = { status: 'unreadable', reference: 'charge', field: 'amount' } as const
  for (let i = 0; i < 2; i++) {
    card.hear(answer(unreadable))
    card.hear(answer({ ...APPROVED_CARD, paidCents: TOTAL - 1 }))
  }

  expect(card.read().payment).toMatchObject({ status: 'processing', receivedCents: TOTAL - 1 })
  expect(card.events).toEqual(['transaction.held', 'transaction.held'])
})
