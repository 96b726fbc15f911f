// What holds of a payment whatever is heard of it, in whatever order and however often: without a database.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  IN_PROGRESS_STATUSES,
  TRANSACTION_STATUSES,
  type TransactionStatus,
} from '../../src/database/enums.ts'
import { HOUR_MS } from '../../src/database/instant.ts'
import { getEntries } from '../../src/record.ts'
import type { Books, Fact } from '../../src/transactions/books.ts'
import { sumAmounts, sumCents } from '../../src/transactions/incoming/amounts.ts'
import {
  APPROVED_CARD,
  applyHappenings,
  type BankBook,
  bankBooks,
  buildAnswer,
  CARD,
  EXPIRES_AT,
  happenings,
  newBooks,
  openPayment,
  openPix,
  TOTAL,
  toAnswer,
} from '../support/transactions/payment-life.ts'

const PAID = ['approved', 'partially_refunded', 'refunded', 'charged_back']

/** What anybody is told of the money of a payment. */
function readMoney({ payment, received, refunds, disputes }: Books) {
  const { status, approvedAt, refundedCents, chargedBackCents, receivedCents, paidLate } = payment
  return {
    status,
    isApproved: approvedAt !== null,
    refundedCents,
    chargedBackCents,
    receivedCents,
    paidLate,
    received: received.map(({ endToEndId, amountCents, surplusCents, refundedCents: back }) => [
      endToEndId,
      amountCents,
      surplusCents,
      back,
    ]),
    refunds: refunds.map(({ amountCents, status: state }) => [amountCents, state]),
    disputes: disputes.map((row) => [row.providerReference, row.status, row.amountCents]),
  }
}

/** What the book of money adds up to for an approved payment (movements/book.ts). */
function sumMovements({ payment, received, disputes }: Books) {
  const { totalCents, refundedCents, chargedBackCents } = payment
  const lost = disputes.filter(({ status }) => status === 'lost')
  const surplus = received.map(({ id, surplusCents, refundedCents: backCents }) => {
    const own = lost.filter(({ incomingPaymentId }) => incomingPaymentId === id)
    return surplusCents - Math.min(surplusCents, backCents + sumAmounts(own))
  })
  const ofSale = totalCents - refundedCents - Math.min(chargedBackCents, totalCents - refundedCents)
  return ofSale + sumCents(surplus)
}

/** What of all that came in is neither back with its payer nor lost. */
function sumInHand({ received, disputes }: Books) {
  const lost = disputes.filter(({ status }) => status === 'lost')
  return (
    sumAmounts(received) - sumCents(received.map((row) => row.refundedCents)) - sumAmounts(lost)
  )
}

const RUNS = { numRuns: 300 }

test('what is heard late or twice changes nothing: old answers between the new ones end in the same books', () => {
  const heard = bankBooks.chain((grown) =>
    fc.tuple(fc.constant(grown), fc.array(fc.nat(7), { maxLength: 12 })),
  )
  fc.assert(
    fc.property(heard, ([grown, repeats]) => {
      const [once, often] = [openPayment(newBooks(), 0), openPayment(newBooks(), 0)]
      for (const [i, book] of grown.entries()) {
        once.applyFact(toAnswer(book))
        often.applyFact(toAnswer(book))
        for (const old of repeats.filter((of) => of <= i)) often.applyFact(toAnswer(grown[old]!))
      }

      expect(readMoney(often.read())).toEqual(readMoney(once.read()))
      expect(often.events).toEqual(once.events)
    }),
    RUNS,
  )
})

test('a fact that is known already changes nothing and tells nothing', () => {
  fc.assert(
    fc.property(bankBooks, (grown) => {
      const payment = openPayment(newBooks())
      for (const book of grown) payment.applyFact(toAnswer(book))
      const before = readMoney(payment.read())
      const told = payment.events.length

      payment.applyFact(toAnswer(grown.at(-1)!))

      expect(readMoney(payment.read())).toEqual(before)
      expect(payment.events).toHaveLength(told)
    }),
    RUNS,
  )
})

test('once no refund is on its way, the movements of an approved payment come to the money in hand', () => {
  fc.assert(
    fc.property(happenings, (happened) => {
      const current = applyHappenings(happened).comeToRest()
      const isKnown = current.payment.approvedAt !== null && !isUnproven(current)
      fc.pre(isKnown && !isTakenTwice(current))

      expect(sumMovements(current)).toBe(sumInHand(current))
    }),
    RUNS,
  )
})

/** Its company said that more came in than its bank shows. */
function isUnproven({ payment, received }: Books) {
  return sumCents(received.map((row) => row.amountCents - row.surplusCents)) < payment.totalCents
}

/** What a bank gave back and a dispute took, both: more than the Pix brought. */
function isTakenTwice({ received, disputes }: Books) {
  return received.some((row) => {
    const lost = disputes.filter(
      ({ incomingPaymentId, status }) => incomingPaymentId === row.id && status === 'lost',
    )
    return row.refundedCents + sumAmounts(lost) > row.amountCents
  })
}

test('an approved payment is never open, declined, expired or canceled again', () => {
  fc.assert(
    fc.property(happenings, (happened) => {
      const { statuses } = applyHappenings(happened)
      const first = statuses.findIndex((status) => PAID.includes(status))
      const after = first < 0 ? [] : statuses.slice(first)

      expect(after.filter((status) => !PAID.includes(status))).toEqual([])
    }),
    RUNS,
  )
})

test('nothing goes back twice, or beyond what came in', () => {
  fc.assert(
    fc.property(happenings, (happened) => {
      const { payment, received, refunds } = applyHappenings(happened).read()

      for (const row of received) {
        const own = refunds.filter(({ incomingPaymentId }) => incomingPaymentId === row.id)
        const done = own.filter(({ status }) => status === 'succeeded')
        expect(row.refundedCents).toBe(Math.min(row.amountCents, sumAmounts(done)))
      }
      const backCents = sumCents(received.map((row) => row.refundedCents))
      expect(payment.refundedCents).toBeLessThanOrEqual(Math.min(payment.totalCents, backCents))
    }),
    RUNS,
  )
})

test('each turn of a payment is told at most once', () => {
  fc.assert(
    fc.property(happenings, (happened) => {
      const { events, read } = applyHappenings(happened)
      const { received, refunds, disputes } = read()
      const count = (type: string) => events.filter((one) => one === type).length

      expect(count('transaction.approved')).toBeLessThanOrEqual(1)
      expect(count('transaction.expired')).toBeLessThanOrEqual(1)
      expect(count('transaction.refunded')).toBeLessThanOrEqual(refunds.length)
      expect(count('transaction.overpaid')).toBeLessThanOrEqual(2 * received.length)
      expect(count('dispute.opened')).toBe(disputes.length)
    }),
    RUNS,
  )
})

const DECLINED_CARD = {
  status: 'declined',
  reference: 'charge',
  declineCode: 'generic',
  abecsCode: '05',
  retryable: true,
} as const

const DISPUTE = {
  reference: 'dispute',
  kind: 'card',
  endToEndId: null,
  reason: null,
  amountCents: TOTAL,
  openedAt: '2026-11-28T11:01:00.000Z',
  respondBy: null,
  closedAt: '2026-11-28T11:02:00.000Z',
} as const

type Verdict = 'approved' | 'declined' | 'expired' | 'canceled'

const VERDICTS: Record<Verdict, Fact> = {
  approved: buildAnswer(APPROVED_CARD),
  declined: buildAnswer(DECLINED_CARD),
  expired: { kind: 'time ran out' },
  canceled: buildAnswer({ status: 'canceled', reference: 'charge' }),
}
const REACHED_FROM: Record<Verdict, TransactionStatus[]> = {
  approved: ['pending', 'awaiting_authentication', 'processing', 'expired', 'canceled'],
  declined: ['pending', 'awaiting_authentication', 'processing'],
  expired: ['pending'],
  canceled: ['pending'],
}

test.each(TRANSACTION_STATUSES)(
  'from %s only what may follow it is reached, and only that is told',
  (status) => {
    const approvedAt = PAID.includes(status) ? APPROVED_CARD.paidAt : null
    for (const [verdict, fact] of getEntries(VERDICTS)) {
      const start = newBooks({ ...CARD, status, approvedAt })
      const card = openPayment(start)
      // A card that its provider gives up while it is under way is declined.
      const isCardLeft = verdict === 'canceled' && IN_PROGRESS_STATUSES.includes(status)
      const end = isCardLeft ? 'declined' : verdict
      const isReached = REACHED_FROM[end].includes(status)

      card.applyFact(fact)

      const { checkAt, checks, ...after } = card.read().payment
      if (isReached) expect(after).toMatchObject({ status: end })
      else expect({ ...after, checkAt: start.payment.checkAt, checks: 0 }).toEqual(start.payment)
      expect(card.events).toEqual(isReached ? [`transaction.${end}`] : [])
    }
  },
)

test('a refusal keeps the reason of the bank and what 3-D Secure said', () => {
  const card = openPayment(newBooks(CARD))

  card.applyFact(
    buildAnswer({
      ...DECLINED_CARD,
      threeDs: { status: 'authenticated', eci: '05', flow: 'challenge' },
    }),
  )

  expect(card.read().payment).toMatchObject({
    ...{ declineCode: 'generic', abecsCode: '05', retryable: true, approvedAt: null },
    ...{ threeDsStatus: 'authenticated', threeDsEci: '05', threeDsFlow: 'challenge' },
  })
})

test('a card that is approved after its payer was told it is declined is voided, and stays declined', () => {
  const card = openPayment(newBooks(CARD))
  card.applyFact(buildAnswer(DECLINED_CARD))

  const { effects } = card.applyFact(buildAnswer(APPROVED_CARD))

  expect(effects.unwantedCharge).toBe('charge')
  expect(card.read().payment).toMatchObject({ status: 'declined', approvedAt: null })
  expect(card.events).toEqual(['transaction.declined'])
})

test('a card that is approved is not declined by what is heard later', () => {
  const card = openPayment(newBooks(CARD))
  card.applyFact(buildAnswer(APPROVED_CARD))
  card.applyFact(buildAnswer(DECLINED_CARD))
  card.applyFact(buildAnswer({ status: 'unknown' }))

  expect(card.read().payment.status).toBe('approved')
  expect(card.events).toEqual(['transaction.approved'])
})

test('what went back of a card is known together with the won dispute', () => {
  const card = openPayment(newBooks(CARD))
  card.applyFact(buildAnswer({ ...APPROVED_CARD, disputes: [{ ...DISPUTE, status: 'lost' }] }))

  card.applyFact(
    buildAnswer({ ...APPROVED_CARD, refundedCents: 1, disputes: [{ ...DISPUTE, status: 'won' }] }),
  )

  expect(card.read().payment).toMatchObject({
    ...{ status: 'partially_refunded', refundedCents: 1, chargedBackCents: 0 },
  })
  expect(card.events).toContain('transaction.refunded')
})

const WHOLE: BankBook = {
  pix: [
    { endToEndId: 'E0', amountCents: TOTAL, paidAt: '2026-11-28T11:40:00.000Z', refundedCents: 0 },
  ],
  disputes: [],
}

test('an approval keeps when the money came and what the bank calls it', () => {
  const pix = openPayment(newBooks({ expiresAt: '2026-11-28T12:00:00.000Z' }), HOUR_MS)

  pix.applyFact(toAnswer(WHOLE))

  expect(pix.read().payment).toMatchObject({
    ...{ approvedAt: WHOLE.pix[0]!.paidAt, providerReference: 'charge', pixEndToEndId: 'E0' },
    ...{ paidLate: false },
  })
})

test.each([
  ['2026-11-28T11:40:00.000Z', false],
  ['2026-11-28T11:39:59.999Z', true],
])('money that came at 11:40 for a code that ran out at %s is late: %s', (expiresAt, paidLate) => {
  const pix = openPayment(newBooks({ status: 'expired', expiresAt }), HOUR_MS)

  pix.applyFact(toAnswer(WHOLE))

  expect(pix.read().payment).toMatchObject({ status: 'approved', paidLate })
})

test('less than the price is held once, and neither expires nor is canceled', () => {
  const pix = openPayment(newBooks({ expiresAt: EXPIRES_AT, pixBrCode: 'code' }), HOUR_MS)
  const short = toAnswer({ pix: [{ ...WHOLE.pix[0]!, amountCents: 999 }], disputes: [] })

  for (const fact of [short, short, VERDICTS.expired, VERDICTS.canceled]) pix.applyFact(fact)

  expect(pix.read().payment).toMatchObject({
    ...{ status: 'pending', approvedAt: null, receivedCents: 999 },
  })
  expect(pix.events).toEqual(['transaction.held'])
})

test.each([
  ['expired', { kind: 'time ran out' } as const],
  ['canceled', buildAnswer({ status: 'canceled', reference: 'charge' })],
])('a Pix that comes in for a payment that is %s is approved, and marked late', (status, end) => {
  const expiresAt = EXPIRES_AT
  const pix = openPayment(newBooks({ expiresAt, pixBrCode: 'code' }))
  pix.applyFact(end)
  expect(pix.read().payment.status).toBe(status)
  for (let i = 0; i < 45; i++) pix.applyFact({ kind: 'no answer' })

  pix.applyFact(toAnswer(WHOLE))

  expect(pix.read().payment).toMatchObject({ status: 'approved', paidLate: true })
})

test('a Pix that is booked on another payment pays nothing here', () => {
  const pix = openPayment(newBooks())

  pix.applyFact(toAnswer(WHOLE), { bookedElsewhere: new Set(['E0']) })

  expect(pix.read().payment.status).toBe('pending')
  expect(pix.read().received).toEqual([])
})

test('a bank that cannot be asked changes nothing but the next check, and then everything is heard', () => {
  const { applyFact, pay, check, read } = openPix()
  const { updatedAt } = read().payment
  pay(TOTAL)
  for (let i = 0; i < 10; i++) applyFact({ kind: 'no answer' })
  const before = read().payment

  expect(before).toMatchObject({ status: 'pending', updatedAt, checkAt: expect.any(String) })
  expect(check()).toMatchObject({ status: 'approved' })
})

test.each([
  ['a bank that says nothing else', EXPIRES_AT, EXPIRES_AT],
  ['one that ends sooner', '2026-11-28T11:20:00.000Z', '2026-11-28T11:20:00.000Z'],
  ['one that ends later', '2026-11-28T12:00:00.000Z', EXPIRES_AT],
  ['one that is over already by its own clock', '2026-11-28T10:00:00.000Z', EXPIRES_AT],
])(
  'a code is good for as long as we asked, but for a bank that ends it sooner: %s',
  (_who, said, at) => {
    const pix = openPayment(newBooks({ expiresAt: EXPIRES_AT }))

    pix.applyFact(
      buildAnswer({ status: 'pending', reference: 'charge', pixBrCode: 'code', expiresAt: said }),
    )

    expect(pix.read().payment).toMatchObject({ pixBrCode: 'code', expiresAt: at })
  },
)

test.each([
  ['1970-01-01T00:00:00.000Z', '2026-11-28T11:00:00.000Z'],
  ['2026-11-28T10:59:59.999Z', '2026-11-28T11:00:00.000Z'],
  ['2026-11-28T11:00:00.001Z', '2026-11-28T11:00:00.001Z'],
  ['2099-12-31T00:00:00.000Z', '2026-11-28T11:01:00.000Z'],
])('money that is said to have come at %s came at %s', (paidAt, approvedAt) => {
  const { pay, check, read } = openPix()
  pay(TOTAL, { paidAt })

  expect(check()).toMatchObject({ approvedAt, paidLate: false })
  const reportedPaidAt = paidAt === approvedAt ? null : paidAt
  expect(read().received).toMatchObject([{ paidAt: approvedAt, reportedPaidAt }])
})
