// Payments that their payer contests, as a bank tells of it: once, twice, late, and thinking again; and what of one
// payment is refunded and lost. What is left is lost or refunded, and never both.
import { expect, test } from 'vitest'
import { openPix, TOTAL } from '../../support/transactions/payment-life.ts'

const APPROVED = 'transaction.approved'
const CHARGED_BACK = 'transaction.charged_back'
const [OPENED, CLOSED] = ['dispute.opened', 'dispute.closed']
const RESPOND_BY = '2027-01-10T23:59:59.000Z'
const OPEN = { status: 'open', closedAt: null } as const

/** A Pix that was paid; what the bank says of it may be changed. */
function openPaid() {
  const opened = openPix()
  const pix = opened.pay(TOTAL)
  opened.check()
  const contest = (amountCents: number, more: Parameters<typeof opened.contest>[2] = {}) =>
    opened.contest(pix, amountCents, more)
  return { ...opened, pix, contest }
}

test('one in process is open, with its reason and deadline, and changes nothing else', () => {
  const { contest, check, read, events, mails } = openPaid()
  contest(4_000, { ...OPEN, respondBy: RESPOND_BY })

  expect(check()).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(read().disputes).toMatchObject([
    {
      ...{ kind: 'med', status: 'open', reason: 'MED_FRAUDE', amountCents: 4_000 },
      ...{ closedAt: null, respondBy: RESPOND_BY },
    },
  ])
  expect(events).toEqual([APPROVED, OPENED])
  expect(mails.at(-1)).toBe('dispute-opened')
})

test('its opening, what is new of it and its end are changes of the payment, and nothing else is', () => {
  const { contest, check, events, bodies } = openPaid()
  const dispute = contest(4_000, OPEN)
  const changes: string[] = []

  for (const news of [{}, { respondBy: RESPOND_BY }, { status: 'won' as const }]) {
    Object.assign(dispute, news)
    changes.push(check().updatedAt)
    expect(check().updatedAt).toBe(changes.at(-1))
  }

  expect(new Set(changes).size).toBe(3)
  expect(events).toEqual([APPROVED, OPENED, CLOSED])
  const said = bodies.slice(1).map(({ transaction }) => transaction)
  expect(said).toMatchObject([{ updatedAt: changes[0] }, { updatedAt: changes[2] }])
})

test('all of it lost, the payment is charged back, and each event says how payment and dispute stood then', () => {
  const { contest, check, events, bodies, mails } = openPaid()
  contest(TOTAL)

  const lost = { status: 'charged_back', chargedBackCents: TOTAL }
  expect(check()).toMatchObject({ ...lost, refundedCents: 0 })
  check()

  expect(events).toEqual([APPROVED, OPENED, CLOSED, CHARGED_BACK])
  expect(bodies).toMatchObject([
    { transaction: { status: 'approved', chargedBackCents: 0 } },
    { transaction: { status: 'approved', chargedBackCents: 0 }, dispute: { status: 'open' } },
    { transaction: lost, dispute: { status: 'lost' } },
    { transaction: lost },
  ])
  expect(mails.at(-1)).toBe('dispute-closed')
})

test('a part that is lost keeps the status, and so does one that was won', () => {
  const { contest, check, events } = openPaid()
  contest(3_000)
  contest(2_000, { status: 'won' })

  expect(check()).toMatchObject({ status: 'approved', chargedBackCents: 3_000 })
  expect(events).not.toContain(CHARGED_BACK)
})

test('what is said after the end, of a dispute that is open, is an old word', () => {
  const { contest, check, read, events } = openPaid()
  const dispute = contest(TOTAL)
  check()
  Object.assign(dispute, { ...OPEN, amountCents: 1 })

  expect(check()).toMatchObject({ status: 'charged_back', chargedBackCents: TOTAL })
  expect(read().disputes).toMatchObject([{ status: 'lost', amountCents: TOTAL }])
  expect(events).toHaveLength(4)
})

test.each([
  [0, 'approved'],
  [2_500, 'partially_refunded'],
])(
  'won after it was lost, with %d cents refunded, the payment is %s again, and back again if need be',
  (refundedCents, status) => {
    const { pix, contest, check, events } = openPaid()
    pix.refundedCents = refundedCents
    const dispute = contest(TOTAL - refundedCents)
    const before = check()

    dispute.status = 'won'
    const won = check()
    dispute.status = 'lost'
    const lost = check()

    expect(before).toMatchObject({ status: 'charged_back' })
    expect(won).toMatchObject({ status, chargedBackCents: 0, refundedCents })
    expect(lost).toMatchObject({ status: 'charged_back', refundedCents })
    expect(events.filter((type) => /dispute|charged/.test(type))).toEqual([
      ...[OPENED, CLOSED, CHARGED_BACK, CLOSED, CLOSED, CHARGED_BACK],
    ])
  },
)

test('a lost amount that is corrected is told again, and the payment counts it; nothing at all is no amount', () => {
  const { contest, check, read, events } = openPaid()
  const dispute = contest(TOTAL)
  check()

  dispute.amountCents = 4_000
  const corrected = [check(), check()]
  dispute.amountCents = 0
  const unsaid = check()

  const part = { status: 'approved', chargedBackCents: 4_000 }
  expect([...corrected, unsaid]).toMatchObject([part, part, part])
  expect(read().disputes).toMatchObject([{ status: 'lost', amountCents: 4_000 }])
  expect(events).toEqual([APPROVED, OPENED, CLOSED, CHARGED_BACK, CLOSED])
})

test('told with the approval itself, both are told, in their order', () => {
  const { pay, contest, check, events } = openPix()
  contest(pay(TOTAL), TOTAL)

  expect(check()).toMatchObject({ status: 'charged_back', approvedAt: expect.any(String) })
  expect(events).toEqual([APPROVED, OPENED, CLOSED, CHARGED_BACK])
})

test('a payment that is held is contested too', () => {
  const { pay, contest, check, read } = openPix()
  contest(pay(9_000), 9_000, OPEN)

  expect(check()).toMatchObject({ status: 'pending', holdReason: expect.any(String) })
  expect(read().disputes).toMatchObject([{ status: 'open' }])
})

test('a reason or a deadline that is told later is kept, and not lost when it is left out', () => {
  const { contest, check, read, events } = openPaid()
  const known = { reason: 'MED_FRAUDE', respondBy: RESPOND_BY }
  const unknown = { reason: null, respondBy: null }
  const dispute = contest(TOTAL, { ...OPEN, ...unknown })
  for (const told of [unknown, known, unknown]) {
    Object.assign(dispute, told)
    check()
  }

  expect(read().disputes).toMatchObject([known])
  expect(events).toEqual([APPROVED, OPENED])
})

// Disputes and refunds of one payment.

test.each([
  [4_000, 6_000, 'charged_back'],
  [4_000, 5_999, 'partially_refunded'],
  [TOTAL, TOTAL, 'refunded'],
])('after %i cents were refunded, losing %i leaves it %s', (refundedCents, lostCents, status) => {
  const { contest, check, refund } = openPaid()
  refund({ amountCents: refundedCents })
  contest(lostCents)

  expect(check()).toMatchObject({ status, refundedCents, chargedBackCents: lostCents })
})

test.each([
  ['the company', 3_949, 'partially_refunded'],
  ['the company', 3_950, 'charged_back'],
  ['the bank', 3_949, 'partially_refunded'],
  ['the bank', 3_950, 'charged_back'],
])(
  'after a part was lost, a refund by %s of %i cents of the rest leaves it %s',
  (by, amountCents, status) => {
    const { pix, contest, check, refund, events } = openPaid()
    contest(6_050)
    check()
    if (by === 'the company') refund({ amountCents })
    else pix.refundedCents = amountCents

    const payment = check()
    check()

    expect(payment).toMatchObject({ status, refundedCents: amountCents, chargedBackCents: 6_050 })
    expect(events.slice(3)).toEqual([
      'transaction.refunded',
      ...(status === 'charged_back' ? [CHARGED_BACK] : []),
    ])
  },
)

test('what is contested or lost cannot be refunded; what was won can', () => {
  const { contest, check, refund } = openPaid()
  const open = contest(3_000, OPEN)
  contest(2_000)
  check()

  expect(() => refund({ amountCents: 5_001 })).toThrow(/50,00/)
  open.status = 'won'
  check()
  expect(refund({ amountCents: 8_000 })).toMatchObject({ refundedCents: 8_000 })
})

test('while all of it is contested a refund says what it waits for', () => {
  const { contest, check, refund } = openPaid()
  contest(TOTAL, OPEN)
  check()

  expect(() => refund()).toThrow(/contestado/)
})

test('what was refunded at the bank beside a dispute is a refund, and the dispute is none', () => {
  const { pix, contest, check } = openPaid()
  pix.refundedCents = 1_000
  contest(4_000, OPEN)

  expect(check()).toMatchObject({ status: 'partially_refunded', refundedCents: 1_000 })
})

test('a refund of ours that is done after the payment was charged back leaves it so', () => {
  const { contest, check, requestRefund, endRefunds } = openPaid()
  const made = requestRefund({ amountCents: 114 })
  contest(TOTAL)
  check()

  expect(endRefunds(made)).toMatchObject({ status: 'charged_back' })
})
