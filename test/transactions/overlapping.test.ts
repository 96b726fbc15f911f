// Facts of one payment that overlap: what is notified while its provider is asked, and what waits for another one's lock.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  APPROVED_CARD,
  applyHappenings,
  buildAnswer,
  CARD,
  EXPIRES_AT,
  happenings,
  newBooks,
  openPayment,
} from '../support/transactions/payment-life.ts'

const DECLINED_CARD = {
  status: 'declined',
  reference: 'charge',
  declineCode: 'generic',
  abecsCode: '05',
  retryable: true,
} as const

const CHALLENGED_CARD = {
  status: 'awaiting_authentication',
  reference: 'charge',
  challengeUrl: 'https://bank.example/confirm',
  expiresAt: EXPIRES_AT,
} as const

test.each([
  ['approved', buildAnswer(APPROVED_CARD)],
  ['held', buildAnswer({ ...APPROVED_CARD, paidCents: 4_000 })],
  ['declined', buildAnswer(DECLINED_CARD)],
  ['given up', buildAnswer({ status: 'canceled', reference: 'charge' })],
  ['led to the bank of the payer', buildAnswer(CHALLENGED_CARD)],
])('a payment that is %s keeps the check of what was notified meanwhile', (_end, fact) => {
  const soon = '2026-11-28T11:01:02.000Z'
  const card = openPayment(newBooks({ ...CARD, checkAt: soon }))

  card.applyFact(fact, { askedCheckAt: '2026-11-28T11:00:40.000Z' })

  expect(card.read().payment.updatedAt).toBe('2026-11-28T11:01:00.000Z')
  expect(card.read().payment.checkAt).toBe(soon)
})

test('of two events that say different things of a payment, the later one is the newer by updatedAt', () => {
  const clocks = fc.array(fc.integer({ min: -9, max: 9 }))
  fc.assert(
    fc.property(happenings, clocks, (happened, offBy) => {
      const { bodies } = applyHappenings(happened, offBy)
      const said = bodies.map(({ transaction }) => transaction as { updatedAt: string })

      for (const [i, { updatedAt, ...state }] of said.entries()) {
        const { updatedAt: before = '', ...known } = said[i - 1] ?? {}
        if (isDeepStrictEqual(state, known)) expect(updatedAt >= before).toBe(true)
        else expect(updatedAt > before).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})
