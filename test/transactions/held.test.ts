// A payment with another amount than its price, or with one that cannot be read: what becomes of it, by what its
// provider says and by what its company accepts.
import { expect, test } from 'vitest'
import type { Fact } from '../../src/transactions/books.ts'
import { sumAmounts } from '../../src/transactions/incoming/amounts.ts'
import { getRefundable } from '../../src/transactions/refunds/refundable.ts'
import {
  APPROVED_CARD,
  buildAnswer,
  CARD,
  newBooks,
  openPayment,
  openPix,
  TOTAL,
} from '../support/transactions/payment-life.ts'

test('another amount of a card is held once, and is approved when all of it is told', () => {
  const card = openPayment(newBooks(CARD))
  const short = buildAnswer({ ...APPROVED_CARD, paidCents: TOTAL - 1 })
  for (let i = 0; i < 3; i++) card.applyFact(short)
  const held = card.read().payment

  card.applyFact(buildAnswer(APPROVED_CARD))
  card.applyFact(short)

  expect(held).toMatchObject({ status: 'processing', receivedCents: TOTAL - 1 })
  expect(card.read().payment).toMatchObject({
    ...{ status: 'approved', holdReason: null, receivedCents: null },
  })
  expect(card.events).toEqual(['transaction.held', 'transaction.approved'])
})

test.each([TOTAL - 1, TOTAL + 1])(
  'a held card of %i cents ends when all of it has gone back at the provider, told at once or later',
  (paidCents) => {
    const held = buildAnswer({ ...APPROVED_CARD, paidCents })
    const part = buildAnswer({ ...APPROVED_CARD, paidCents, refundedCents: 400 })
    const whole = buildAnswer({ ...APPROVED_CARD, paidCents, refundedCents: paidCents })
    for (const told of [[whole], [held, whole, whole], [part, held, part, whole]]) {
      const card = openPayment(newBooks(CARD))
      for (const fact of told) card.applyFact(fact)

      const { payment, refunds } = card.read()
      expect(payment).toMatchObject({ status: 'canceled', approvedAt: null, refundedCents: 0 })
      expect(sumAmounts(refunds)).toBe(paidCents)
      expect(card.events).toEqual(['transaction.held', 'transaction.canceled'])
    }
  },
)

test('a charge that is not voided is held, told once, and ends when it has gone back', () => {
  const card = openPayment(newBooks(CARD))
  const reason = { declineCode: 'generic', abecsCode: '05', retryable: true } as const
  card.applyFact(buildAnswer({ status: 'declined', reference: 'charge', ...reason }))
  card.applyFact(buildAnswer(APPROVED_CARD))
  const voidedSince = '2026-11-28T11:00:00.000Z'
  const now = new Date('2026-11-28T11:14:59.999Z')
  const early = card.applyFact(buildAnswer(APPROVED_CARD), { now, voidedSince })
  const late = { now: new Date('2026-11-28T11:15:00.000Z'), voidedSince }
  const tries = Array.from({ length: 3 }, () => card.applyFact(buildAnswer(APPROVED_CARD), late))
  const held = card.read().payment
  const gone = buildAnswer({ ...APPROVED_CARD, refundedCents: TOTAL })
  for (let i = 0; i < 2; i++) card.applyFact(gone, late)

  expect(early.effects.unwantedCharge).toBe('charge')
  expect(tries.map(({ effects }) => effects.unwantedCharge)).toEqual([null, null, null])
  expect(held).toMatchObject({ status: 'declined', receivedCents: TOTAL, approvedAt: null })
  expect(card.read().payment).toMatchObject({ status: 'canceled', approvedAt: null })
  expect(card.mails.filter((mail) => mail === 'payment-held')).toHaveLength(1)
  expect(card.events).toEqual([
    ...['transaction.declined', 'transaction.held', 'transaction.canceled'],
  ])
})

test('what went back of a held card at the provider is not left for its company to refund', () => {
  const card = openPayment(newBooks(CARD))
  card.applyFact(buildAnswer({ ...APPROVED_CARD, paidCents: TOTAL + 1 }))
  card.applyFact(buildAnswer({ ...APPROVED_CARD, paidCents: TOTAL + 1, refundedCents: 400 }))

  const refundable = getRefundable(card.read(), new Date(APPROVED_CARD.paidAt))

  expect(refundable).toMatchObject({ isHeld: true, leftCents: TOTAL - 399 })
})

test('a card with an amount that could not be read is held with its amount once that is told', () => {
  const card = openPayment(newBooks(CARD))
  const unreadable = { status: 'unreadable', reference: 'charge', field: 'amount' } as const
  for (let i = 0; i < 2; i++) {
    card.applyFact(buildAnswer(unreadable))
    card.applyFact(buildAnswer({ ...APPROVED_CARD, paidCents: TOTAL - 1 }))
  }

  expect(card.read().payment).toMatchObject({ status: 'processing', receivedCents: TOTAL - 1 })
  expect(card.events).toEqual(['transaction.held', 'transaction.held'])
})

// A Pix that its bank calls paid, with an amount that cannot be read.

const UNREADABLE = buildAnswer({ status: 'unreadable', reference: 'charge', field: 'valor' })
const accept = (amountCents?: number): Fact => ({ kind: 'accepted', amountCents })

function openUnreadable(changes: Parameters<typeof openPix>[0] = {}) {
  const opened = openPix(changes)
  const accepted = (amountCents?: number) => {
    opened.applyFact(accept(amountCents))
    return opened.read().payment
  }
  opened.applyFact(UNREADABLE)
  return { ...opened, accepted }
}

test('it is held once, with the reason unreadable, by an event and an e-mail', () => {
  const { applyFact, read, events, mails } = openUnreadable()

  applyFact(UNREADABLE)

  const held = { status: 'pending', holdReason: 'unreadable', receivedCents: null }
  expect(read().payment).toMatchObject(held)
  expect(events).toEqual(['transaction.held'])
  expect(mails).toEqual(['payment-held'])
})

test('it is approved, or held for another amount, as soon as it can be read', () => {
  const [whole, part] = [openUnreadable(), openUnreadable()]
  whole.pay(TOTAL)
  part.pay(7_000)

  expect(whole.check()).toMatchObject({ status: 'approved', holdReason: null })
  expect(whole.events).toEqual(['transaction.held', 'transaction.approved'])
  expect(part.check()).toMatchObject({
    ...{ receivedCents: 7_000, holdReason: expect.stringContaining('70,00') },
  })
})

test('it does not expire, and is held after its code ran out too', () => {
  const [pending, expired] = [openUnreadable(), openUnreadable({ status: 'expired' })]
  for (const { applyFact } of [pending, expired]) applyFact({ kind: 'time ran out' })

  expect(pending.read().payment).toMatchObject({ status: 'pending', holdReason: 'unreadable' })
  expect(expired.read().payment).toMatchObject({ status: 'expired', holdReason: 'unreadable' })
})

test('a bank that shows no payment is given fifteen seconds before it is held', () => {
  const { applyFact, read } = openPix()
  const unshown = buildAnswer({ status: 'unreadable', reference: 'charge', field: null })
  const hearAfter = (ms: number) => {
    const now = new Date(Date.parse('2026-11-28T11:05:00.000Z') + ms)
    return applyFact(unshown, { now, unshownSince: ms === 0 ? null : '2026-11-28T11:05:00.000Z' })
  }
  const { effects } = hearAfter(0)
  const first = read().payment
  hearAfter(14_999)
  const later = read().payment
  hearAfter(15_000)

  expect(effects.steps).toMatchObject([{ kind: 'provider_failed', once: true }])
  expect(first).toMatchObject({ holdReason: null, checkAt: '2026-11-28T11:05:05.000Z' })
  expect(later).toMatchObject({ holdReason: null })
  expect(read().payment).toMatchObject({ holdReason: 'unreadable' })
})

test('its company says what the statement shows, up to the price, and it is approved with that', () => {
  const { accepted, events } = openUnreadable()

  expect(() => accepted()).toThrow(/^amountCents: diga quanto o extrato/)
  expect(() => accepted(TOTAL + 1)).toThrow(/^amountCents: /)
  expect(accepted(7_000)).toMatchObject({
    ...{ status: 'approved', totalCents: 7_000, holdReason: null, pixEndToEndId: null },
  })
  expect(events).toEqual(['transaction.held', 'transaction.approved'])
})

test('of a card only all or nothing is said', () => {
  const card = openPayment(newBooks(CARD))
  card.applyFact(buildAnswer({ status: 'unreadable', reference: 'charge', field: 'amount' }))

  expect(() => card.applyFact(accept(TOTAL - 1))).toThrow(/se o cartão foi cobrado, ou 0 se não/)
  card.applyFact(accept(TOTAL))
  expect(card.read().payment).toMatchObject({ status: 'approved' })
})

test.each([
  ['as much', TOTAL, [0]],
  ['more', 12_000, [2_000]],
  // The company's word stands: what never came in did not go back.
  ['less', 9_000, [0]],
])('what can be read later as %s pays what was accepted, once', (_what, cents, surplus) => {
  const { accepted, pay, check, read } = openUnreadable()
  accepted(TOTAL)
  const { endToEndId } = pay(cents)
  check()

  expect(check()).toMatchObject({ status: 'approved', refundedCents: 0, pixEndToEndId: endToEndId })
  expect(read().received.map(({ surplusCents }) => surplusCents)).toEqual(surplus)
})

test('accepted unread it is refunded at the bank alone, and here once it can be read', () => {
  const { accepted, pay, check, refund } = openUnreadable()
  accepted(TOTAL)

  expect(() => refund()).toThrow(/^O provedor ainda não mostra o Pix/)
  pay(9_000)
  check()
  expect(refund()).toMatchObject({ refundedCents: 9_000 })
})

test('where nothing came in it ends, and begins anew if money is read after all', () => {
  const { accepted, applyFact, read, pay, check, events } = openUnreadable()
  const ended = accepted(0)
  applyFact(UNREADABLE)
  const still = read().payment
  pay(TOTAL)

  expect([ended.status, still.status]).toEqual(['canceled', 'canceled'])
  expect(check()).toMatchObject({ status: 'approved' })
  expect(events).toEqual(['transaction.held', 'transaction.canceled', 'transaction.approved'])
})

// Less than the price came in by Pix, and the company takes it for the whole.

function openShort(...amounts: number[]) {
  const opened = openPix()
  for (const cents of amounts) {
    opened.pay(cents)
    opened.check()
  }
  const accepted = (amountCents?: number) => {
    opened.applyFact(accept(amountCents))
    return opened.read().payment
  }
  return { ...opened, accepted }
}

test('what it is approved with can go back, and no more', () => {
  const { accepted, refund, events } = openShort(3_000, 4_500)

  expect(accepted()).toMatchObject({ status: 'approved', amountCents: 7_500, totalCents: 7_500 })
  expect(events.at(-1)).toBe('transaction.approved')
  expect(() => refund({ amountCents: 7_501 })).toThrow(/^amountCents: restam/)
  expect(refund()).toMatchObject({ status: 'refunded', refundedCents: 7_500 })
})

test('what the bank had given back of it by then is no part of it, nor a refund of it', () => {
  const { bank, check, accepted } = openShort(3_000)
  bank.pix[0]!.refundedCents = 1_000
  check()

  expect(accepted()).toMatchObject({ status: 'approved', totalCents: 2_000 })
  expect(check()).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test('less than the price that comes after all went back is held again, and is expired then', () => {
  const { refund, pay, check, events } = openShort(3_000)
  expect(refund()).toMatchObject({ status: 'canceled' })
  pay(4_000)

  expect(check()).toMatchObject({ status: 'expired', receivedCents: 4_000 })
  expect(events).toEqual(['transaction.held', 'transaction.canceled', 'transaction.held'])
})

test('the rest that comes later is too much, and told so', () => {
  const { accepted, pay, check, events } = openShort(3_000)
  accepted()
  pay(7_000)

  expect(check()).toMatchObject({ status: 'approved', totalCents: 3_000 })
  expect(events.at(-1)).toBe('transaction.overpaid')
})

test('an amount that is named must be what came in', () => {
  const { accepted } = openShort(3_000)

  expect(() => accepted(TOTAL)).toThrow(/^amountCents: entraram R\$.30,00/)
  expect(accepted(3_000)).toMatchObject({ status: 'approved', totalCents: 3_000 })
})

test('one that waits, was approved, went back or is contested has nothing to accept', () => {
  const returned = openShort(3_000)
  returned.refund()
  const returning = openShort(3_000)
  returning.requestRefund()
  const contested = openShort(3_000)
  contested.contest(contested.bank.pix[0]!, 1_000, { status: 'open', closedAt: null })
  contested.check()

  for (const { accepted } of [openShort(), openShort(TOTAL), returned, returning, contested])
    expect(() => accepted()).toThrow(expect.objectContaining({ code: 'invalid_transition' }))
})
