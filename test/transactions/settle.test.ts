// The one function that ends a payment: from where each verdict may be reached, and that whoever comes
// second changes nothing.
import { afterEach, expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import {
  IN_PROGRESS_STATUSES,
  TRANSACTION_STATUSES,
  type TransactionStatus,
} from '../../src/database/enums.ts'
import { transactions } from '../../src/database/tables.ts'
import { lockLinkForPayment } from '../../src/payment-links/payment-link.ts'
import type { TransactionRow } from '../../src/transactions/transaction.ts'
import { requireKind } from '../support/kind.ts'
import { buildTestCard, openCheckout } from '../support/payer.ts'
import { countWaiting } from '../support/postgres/waiting.ts'
import { CHECKOUT_URL, openTestApp } from '../support/test-app.ts'
import { settle, type Verdict } from '../support/transactions/settle.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newLink, pay, read, listEventTypes, readLink } = openCheckout(testApp)

let references = 0

const CREATED_AT = '2026-03-01T11:00:00.000Z'
const NOW = new Date('2026-03-01T12:00:00.000Z')
const context = { checkoutUrl: CHECKOUT_URL, now: NOW }
const approval = {
  status: 'approved',
  reference: 'bank-1',
  paidCents: 10_000,
  paidAt: '2026-03-01T11:59:59.000Z',
} as const
/** The same by a Pix, each another. */
function pixOf(amountCents: number) {
  const { status, reference, paidAt } = approval
  const pix = { endToEndId: `E${references++}`, amountCents, paidAt, refundedCents: 0 }
  return { status, reference, received: [pix] }
}
const refusal = {
  status: 'declined',
  reference: 'bank-1',
  declineCode: 'insufficient_funds',
  abecsCode: '51',
  retryable: true,
} as const
const VERDICTS: Verdict[] = [approval, refusal, { status: 'expired' }, { status: 'canceled' }]
const REACHED: Record<Verdict['status'], TransactionStatus[]> = {
  approved: ['pending', 'awaiting_authentication', 'processing', 'expired', 'canceled'],
  declined: ['pending', 'awaiting_authentication', 'processing'],
  expired: ['pending'],
  canceled: ['pending'],
}

/** A payment that stands as told, with nothing said about it yet. */
async function paymentIn(status: TransactionStatus, more: Partial<TransactionRow> = {}) {
  const link = await newLink()
  const { row } = await pay(link)
  const approvedAt = ['approved', 'partially_refunded', 'refunded', 'charged_back'].includes(status)
    ? CREATED_AT
    : null
  const providerReference = `before-${references++}`
  const [changed] = await db
    .update(transactions)
    .set({ status, approvedAt, createdAt: CREATED_AT, providerReference, ...more })
    .where(eq(transactions.id, row.id))
    .returning()
  return { row: changed!, link }
}

afterEach(async () => {
  await db.update(transactions).set({ providerReference: null })
})

test.each(TRANSACTION_STATUSES)(
  'from %s only what may follow it is reached, and only that is told',
  async (status) => {
    for (const verdict of VERDICTS) {
      const { row, link } = await paymentIn(status)
      // A card that its provider gives up while it is under way is declined.
      const isCardLeft = verdict.status === 'canceled' && IN_PROGRESS_STATUSES.includes(status)
      const end = isCardLeft ? 'declined' : verdict.status
      const reached = REACHED[end].includes(status)

      const settled = await settle(db, row, { ...verdict, reference: row.id } as Verdict, context)

      expect([verdict.status, settled]).toMatchObject([
        verdict.status,
        reached ? { kind: 'settled', payment: { status: end } } : { kind: 'unchanged' },
      ])
      // Only when it is checked next may be another.
      const { checkAt, checks } = settled.payment
      if (!reached) expect(await read(row.id)).toEqual({ ...row, checkAt, checks })
      const told = reached ? [`transaction.${end}`] : []
      expect(await listEventTypes(link)).toEqual(told)
    }
  },
)

test('an approval keeps when the money came and what the bank calls it', async () => {
  const { row } = await paymentIn('pending', { expiresAt: '2026-03-01T12:30:00.000Z' })

  const settled = await settle(db, row, pixOf(10_000), context)

  expect(requireKind(settled, 'settled').payment).toMatchObject({
    approvedAt: approval.paidAt,
    updatedAt: NOW.toISOString(),
    providerReference: 'bank-1',
    pixEndToEndId: expect.stringMatching(/^E\d+$/),
    paidLate: false,
    checkAt: null,
  })
})

test.each([
  ['2026-03-01T11:59:59.000Z', false],
  ['2026-03-01T11:59:58.999Z', true],
])(
  'money that came at 11:59:59 for a code that ran out at %s is late: %s',
  async (expiresAt, paidLate) => {
    const { row } = await paymentIn('expired', { expiresAt })

    const settled = await settle(db, row, pixOf(10_000), context)

    expect(settled).toMatchObject({ payment: { status: 'approved', paidLate } })
  },
)

test('a refusal keeps the bank’s reason and what 3-D Secure said', async () => {
  const { row, link } = await paymentIn('processing')
  const threeDs = { status: 'authenticated', eci: '05', flow: 'challenge' } as const

  const settled = await settle(db, row, { ...refusal, threeDs }, context)

  expect(requireKind(settled, 'settled').payment).toMatchObject({
    declineCode: 'insufficient_funds',
    abecsCode: '51',
    retryable: true,
    threeDsStatus: 'authenticated',
    threeDsEci: '05',
    threeDsFlow: 'challenge',
    approvedAt: null,
  })
  expect(await listEventTypes(link)).toEqual(['transaction.declined'])
})

test('ten simultaneous approvals settle a payment once and tell of it once', async () => {
  const { row, link } = await paymentIn('processing')

  const settled = await Promise.all(
    Array.from({ length: 10 }, () => settle(db, row, approval, context)),
  )

  expect(settled.filter(({ kind }) => kind !== 'unchanged')).toHaveLength(1)
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
})

test('of an approval and a refusal at the same time one wins, and only it is told', async () => {
  for (let i = 0; i < 10; i++) {
    const { row, link } = await paymentIn('processing')
    const verdicts: Verdict[] = [
      { ...approval, reference: row.id },
      { ...refusal, reference: row.id },
    ]

    const settled = await Promise.all(verdicts.map((verdict) => settle(db, row, verdict, context)))

    const winners = settled.flatMap((one) => (one.kind === 'settled' ? [one.payment] : []))
    expect(winners).toHaveLength(1)
    expect(await read(row.id)).toMatchObject({ status: winners[0]!.status })
    expect(await listEventTypes(link)).toEqual([`transaction.${winners[0]!.status}`])
  }
})

test('another amount is held, whoever says it again, until the company decides', async () => {
  const { row, link } = await paymentIn('pending')
  const short = pixOf(9_999)

  const held = await settle(db, row, short, context)
  const again = await settle(db, row, short, context)

  const payment = await read(row.id)
  expect(payment).toMatchObject({ status: 'pending', approvedAt: null, receivedCents: 9_999 })
  expect(held).toEqual({ kind: 'held', payment })
  expect(again.kind).toBe('unchanged')
  expect(await listEventTypes(link)).toEqual(['transaction.held'])
})

test('what is held neither expires nor is canceled', async () => {
  const { row } = await paymentIn('pending')
  await settle(db, row, pixOf(9_999), context)
  const held = await read(row.id)

  const expired = await settle(db, row, { status: 'expired' }, context)
  const canceled = await settle(db, row, { status: 'canceled' }, context)

  expect([expired.kind, canceled.kind]).toEqual(['unchanged', 'unchanged'])
  expect(await read(row.id)).toEqual(held)
})

test('another amount of a card is held once, and an approved card is not held by what is said later', async () => {
  const { row, link } = await paymentIn('processing')
  const { row: approved } = await pay(await newLink(), buildTestCard('ok'))

  const held = await settle(db, row, { ...approval, paidCents: 9_999 }, context)
  const again = await settle(db, row, { ...approval, paidCents: 9_998 }, context)
  const late = await settle(db, approved, { ...approval, paidCents: 1 }, context)

  const [payment, paid] = [await read(row.id), await read(approved.id)]
  expect(payment).toMatchObject({ status: 'processing', receivedCents: 9_999 })
  expect(held).toEqual({ kind: 'held', payment })
  expect([again.kind, late.kind]).toEqual(['unchanged', 'unchanged'])
  expect(paid).toEqual(approved)
  expect(await listEventTypes(link)).toEqual(['transaction.held'])
})

test('a card that is held is approved when all of it is told, and the hold is gone', async () => {
  const { row, link } = await paymentIn('processing')
  await settle(db, row, { ...approval, paidCents: 9_999 }, context)

  await settle(db, await read(row.id), approval, context)

  const approved = { status: 'approved', holdReason: null, receivedCents: null }
  expect(await read(row.id)).toMatchObject(approved)
  expect(await listEventTypes(link)).toEqual(['transaction.held', 'transaction.approved'])
})

test('an approval leaves a link without a limit as it was', async () => {
  const { row, link } = await paymentIn('processing')
  const before = await readLink(link.id)

  await settle(db, row, approval, context)

  expect(await readLink(link.id)).toEqual(before)
})

test('a payment that waited while its link got a first limit has the link to itself, to be counted', async () => {
  const link = await newLink()
  const limiting = await db.$client.connect()
  await limiting.query('begin')
  await limiting.query('select from payment_links where id = $1 for update', [link.id])

  const locked = db.transaction(async (tx) => {
    const found = await lockLinkForPayment(tx, link.id)
    const others = 'select from payment_links where id = $1 for no key update skip locked'
    const { rows } = await db.$client.query(others, [link.id])
    return { maxPayments: found.maxPayments, others: rows.length }
  })
  await expect.poll(() => countWaiting(db)).toBe(1)
  await limiting.query('update payment_links set max_payments = 2 where id = $1', [link.id])
  await limiting.query('commit')
  limiting.release()

  expect(await locked).toEqual({ maxPayments: 2, others: 0 })
})
