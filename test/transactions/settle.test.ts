// The one function that ends a payment: of several that settle it at once the second changes nothing. What may follow
// what is in lifecycle.test.ts.
import { afterEach, expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { movements, transactions } from '../../src/database/tables.ts'
import { lockLinkForPayment } from '../../src/payment-links/payment-link.ts'
import { settle as settleAnswer } from '../../src/transactions/settle.ts'
import { openCheckout } from '../support/payer.ts'
import { countWaiting } from '../support/postgres/waiting.ts'
import { CHECKOUT_URL, openTestApp } from '../support/test-app.ts'
import { settle, type Verdict } from '../support/transactions/settle.ts'

const testApp = await openTestApp()
const { db, needs } = testApp
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
const refusal = {
  status: 'declined',
  reference: 'bank-1',
  declineCode: 'insufficient_funds',
  abecsCode: '51',
  retryable: true,
} as const

/** A payment under way, with nothing said about it yet. */
async function openPayment() {
  const link = await newLink()
  const { row } = await pay(link)
  const providerReference = `before-${references++}`
  const [changed] = await db
    .update(transactions)
    .set({ status: 'processing', approvedAt: null, createdAt: CREATED_AT, providerReference })
    .where(eq(transactions.id, row.id))
    .returning()
  return { row: changed!, link }
}

afterEach(async () => {
  await db.update(transactions).set({ providerReference: null })
})

test('ten simultaneous approvals settle a payment once and tell of it once', async () => {
  const { row, link } = await openPayment()

  const settled = await Promise.all(
    Array.from({ length: 10 }, () => settle(db, row, approval, context)),
  )

  expect(settled.filter(({ kind }) => kind !== 'unchanged')).toHaveLength(1)
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
})

test('of an approval and a refusal at the same time one wins, and only it is told', async () => {
  for (let i = 0; i < 3; i++) {
    const { row, link } = await openPayment()
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

test('an approval leaves a link without a limit as it was', async () => {
  const { row, link } = await openPayment()
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

test('an approval that waits for its payment while the month closes is booked in the next one', async () => {
  const { row } = await openPayment()
  let now = new Date('2026-04-02T02:59:59.000Z')
  const blocking = await db.$client.connect()
  await blocking.query('begin')
  await blocking.query('select from transactions where id = $1 for update', [row.id])

  const settled = settleAnswer({ ...needs, now: () => now }, row, {
    ...{ kind: 'answer', source: 'reconciliation' },
    outcome: { ...approval, reference: row.id, paidAt: '2026-03-31T20:00:00.000Z' },
  })
  await expect.poll(() => countWaiting(db)).toBe(1)
  now = new Date('2026-04-02T03:00:01.000Z')
  await blocking.query('commit')
  blocking.release()

  expect(await settled).toMatchObject({ status: 'approved' })
  const [sale] = await db.select().from(movements).where(eq(movements.transactionId, row.id))
  expect(sale).toMatchObject({ kind: 'sale', day: '2026-04-02' })
})
