// A card payment with more than one paid charge: the sale stands, what is beyond it is a surplus, and each charge is told
// apart whenever it is heard of.
import { expect, test } from 'vitest'
import type { ReceivedPix } from '../../src/providers/received.ts'
import { sumCents } from '../../src/transactions/incoming/amounts.ts'
import {
  APPROVED_CARD,
  buildAnswer,
  CARD,
  newBooks,
  openPayment,
  TOTAL,
} from '../support/transactions/payment-life.ts'

const FIRST: ReceivedPix = {
  ...{ endToEndId: 'ch_1', amountCents: TOTAL, refundedCents: 0 },
  paidAt: APPROVED_CARD.paidAt,
}
const SECOND = { ...FIRST, endToEndId: 'ch_2', paidAt: '2026-11-28T11:00:40.000Z' }

function openCard() {
  const card = openPayment(newBooks(CARD))
  const applyCharges = (charges: ReceivedPix[], more: object = {}) =>
    void card.applyFact(
      buildAnswer({ ...APPROVED_CARD, ...(charges.length > 1 && { charges }), ...more }),
    )
  const refund = (amountCents: number, endToEndId?: string) => {
    const row = card.read().received.find((one) => one.endToEndId === endToEndId)
    const [made] = card.requestRefund({ amountCents, incomingPaymentId: row?.id ?? null })
    const verdict = { status: 'succeeded', reference: made!.id } as const
    card.applyFact({ kind: 'refund answer', refundId: made!.id, verdict })
  }
  const readRows = () =>
    card
      .read()
      .received.map(({ endToEndId, surplusCents, refundedCents }) => [
        endToEndId,
        surplusCents,
        refundedCents,
      ])
  return { ...card, applyCharges, refund, readRows }
}

const APPROVED_TWICE = ['transaction.approved', 'transaction.overpaid']

test.each(['at once', 'later'])('a second paid charge told %s is a surplus, once', (when) => {
  const card = openCard()
  if (when === 'later') card.applyCharges([FIRST])
  for (let i = 0; i < 3; i++) card.applyCharges([FIRST, SECOND])

  expect(card.read().payment).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(card.readRows()).toEqual([
    ['ch_1', 0, 0],
    ['ch_2', TOTAL, 0],
  ])
  expect(card.events).toEqual(APPROVED_TWICE)
  expect(card.mails).toContain('payment-overpaid')
})

test('a charge of another amount is held, and is a surplus once another charge pays the sale', () => {
  const card = openCard()
  const short = { ...FIRST, amountCents: TOTAL - 1 }
  card.applyCharges([short], { paidCents: TOTAL - 1 })
  card.applyCharges([short, SECOND], { paidAt: SECOND.paidAt })

  expect(card.read().payment).toMatchObject({ status: 'approved', receivedCents: null })
  expect(card.readRows()).toEqual([
    ['ch_2', 0, 0],
    ['ch_1', TOTAL - 1, 0],
  ])
  expect(card.events).toEqual(['transaction.held', ...APPROVED_TWICE])
})

test('a charge that went back before it was heard of is no surplus, and neither is one that replaces it', () => {
  const gone = { ...SECOND, refundedCents: TOTAL }
  const [voided, replaced] = [openCard(), openCard()]
  voided.applyCharges([FIRST, gone])
  replaced.applyCharges([FIRST])
  replaced.applyCharges([{ ...FIRST, refundedCents: TOTAL }, SECOND])

  for (const card of [voided, replaced]) {
    expect(card.read().payment).toMatchObject({ status: 'approved', refundedCents: 0 })
    expect(card.readRows()).toEqual([])
    expect(card.events).toEqual(['transaction.approved'])
  }
})

test('a charge that is paid after the sale went back is a surplus', () => {
  const card = openCard()
  card.applyCharges([FIRST])
  card.refund(TOTAL)
  card.applyCharges([{ ...FIRST, refundedCents: TOTAL }, SECOND])

  expect(card.read().payment).toMatchObject({ status: 'refunded', refundedCents: TOTAL })
  expect(card.readRows()).toEqual([
    ['ch_1', 0, TOTAL],
    ['ch_2', TOTAL, 0],
  ])
  expect(card.events.slice(-1)).toEqual(['transaction.overpaid'])
})

test('a part that went back of the sale before stays a part of the sale', () => {
  const card = openCard()
  card.applyCharges([FIRST])
  card.refund(605)
  const part = { ...FIRST, refundedCents: 605 }
  card.applyCharges([part, SECOND], { refundedCents: 605 })
  card.applyCharges([{ ...part, refundedCents: 1_000 }, SECOND], { refundedCents: 1_000 })

  expect(card.read().payment).toMatchObject({ status: 'partially_refunded', refundedCents: 1_000 })
  expect(card.readRows()).toEqual([
    ['ch_1', 0, 1_000],
    ['ch_2', TOTAL, 0],
  ])
  expect(card.read().refunds.map(({ amountCents }) => amountCents)).toEqual([605, 395])
})

test('what goes back of the surplus, by the company here or at the provider, leaves the sale as it is', () => {
  const [here, there] = [openCard(), openCard()]
  for (const card of [here, there]) card.applyCharges([FIRST, SECOND])
  here.refund(TOTAL, 'ch_2')
  for (const card of [here, there]) card.applyCharges([FIRST, { ...SECOND, refundedCents: TOTAL }])

  for (const card of [here, there]) {
    expect(card.read().payment).toMatchObject({ status: 'approved', refundedCents: 0 })
    expect(card.readRows()[1]).toEqual(['ch_2', TOTAL, TOTAL])
    expect(card.events).toEqual([...APPROVED_TWICE, 'transaction.surplus_refunded'])
    expect(sumCents(card.read().refunds.map(({ amountCents }) => amountCents))).toBe(TOTAL)
  }
})

test('of two equal charges either may go back at the provider, and the sale stands until both have', () => {
  const card = openCard()
  card.applyCharges([FIRST, SECOND])
  const first = { ...FIRST, refundedCents: TOTAL }
  card.applyCharges([first, SECOND])
  const one = card.read().payment
  card.applyCharges([first, { ...SECOND, refundedCents: TOTAL }])

  expect(one).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(card.read().payment).toMatchObject({ status: 'refunded', refundedCents: TOTAL })
  expect(card.events).toEqual([
    ...APPROVED_TWICE,
    ...['transaction.surplus_refunded', 'transaction.refunded'],
  ])
})

test.each([
  ['ch_1', { status: 'charged_back', chargedBackCents: TOTAL }],
  ['ch_2', { status: 'approved', chargedBackCents: 0 }],
])('a chargeback takes the charge that it is of: %s', (endToEndId, payment) => {
  const card = openCard()
  card.applyCharges([FIRST])
  card.applyCharges([FIRST, SECOND], {
    disputes: [
      {
        ...{ reference: endToEndId, kind: 'card', endToEndId, reason: null, amountCents: TOTAL },
        ...{ status: 'lost', openedAt: SECOND.paidAt, closedAt: SECOND.paidAt, respondBy: null },
      },
    ],
  })

  expect(card.read().payment).toMatchObject(payment)
  const [dispute] = card.read().disputes
  const row = card.read().received.find(({ id }) => id === dispute?.incomingPaymentId)
  expect(row?.endToEndId).toBe(endToEndId)
})

test('a declined card that was paid twice is voided until nothing of either is left', () => {
  const card = openPayment(newBooks({ ...CARD, status: 'declined' }))
  const approved = (charges: ReceivedPix[], more: object = {}) =>
    card.applyFact(buildAnswer({ ...APPROVED_CARD, charges, ...more })).effects.unwantedCharge
  const lost = [
    {
      ...{ reference: 'ch_1', kind: 'card' as const, endToEndId: 'ch_1', reason: null },
      ...{ amountCents: TOTAL, status: 'lost' as const, respondBy: null },
      ...{ openedAt: SECOND.paidAt, closedAt: SECOND.paidAt },
    },
  ]

  expect(approved([FIRST, SECOND], { disputes: lost })).toBe('charge')
  expect(approved([FIRST, { ...SECOND, refundedCents: TOTAL }], { disputes: lost })).toBeNull()
})
