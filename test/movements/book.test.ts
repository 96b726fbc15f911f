// The book of money: what it says of a payment whatever becomes of it, and on which day.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkBook } from '../../src/commands/doctor/integrity.ts'
import { and, asc, eq, sql } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { incomingPayments, movements, transactions } from '../../src/database/tables.ts'
import { bookMovements } from '../../src/movements/book.ts'
import { buildReport, REPORT_KINDS } from '../../src/reports/reports.ts'
import { sumCustomerRevenue, sumLinkRevenue } from '../../src/reports/revenue.ts'
import type { TransactionRow } from '../../src/transactions/transaction.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addLink, addPayment, changePayment } = openPayments(testApp)

const PAID_AT = '2026-10-10T15:00:00.000Z'

async function readBook(id: string) {
  const rows = await db
    .select()
    .from(movements)
    .where(eq(movements.transactionId, id))
    .orderBy(asc(movements.bookedAt), asc(movements.kind))
  return rows.map(({ kind, day, cents, feeCents }) => [kind, day, cents, feeCents])
}

test('a sale counts on the day that it was paid, and what goes back on the day that it goes', async () => {
  const id = await addPayment(await newMerchant(), PAID_AT, fee(99))
  await changePayment(id, '2026-10-12T15:00:00.000Z', { refundedCents: 2_500 })
  await changePayment(id, '2026-11-20T15:00:00.000Z', { refundedCents: 4_000 })

  expect(await readBook(id)).toEqual([
    ['sale', '2026-10-10', 10_000, 99],
    ['refund', '2026-10-12', -2_500, 0],
    ['refund', '2026-11-20', -1_500, 0],
  ])
})

test('what disputes took, and what was won of it after all, are movements of their own', async () => {
  const id = await addPayment(await newMerchant(), PAID_AT, fee(0))
  await changePayment(id, '2026-10-20T15:00:00.000Z', { chargedBackCents: 10_000 })
  await changePayment(id, '2026-11-20T15:00:00.000Z', { chargedBackCents: 4_000 })

  expect(await readBook(id)).toEqual([
    ['sale', '2026-10-10', 10_000, 0],
    ['dispute', '2026-10-20', -10_000, 0],
    ['dispute_won', '2026-11-20', 6_000, 0],
  ])
})

test('a fee that is told later is a movement of its own, and so is what corrects it', async () => {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, PAID_AT)
  const unknown = await sumLinkRevenue(db, merchant.companyId, merchant.linkId)
  await changePayment(id, '2026-10-11T15:00:00.000Z', fee(300))
  await changePayment(id, '2026-11-11T15:00:00.000Z', fee(250))

  expect(unknown).toMatchObject({ feeCents: null, netCents: null, withoutFeeCount: 1 })
  expect(await readBook(id)).toEqual([
    ['sale', '2026-10-10', 10_000, null],
    ['fee', '2026-10-11', 0, 300],
    ['fee', '2026-11-11', 0, -50],
  ])
  expect(await sumLinkRevenue(db, merchant.companyId, merchant.linkId)).toMatchObject({
    ...{ feeCents: 250, netCents: 9_750, withoutFeeCount: 0 },
  })
})

test.each([0, 1_000])(
  'a fee of nothing told after %i went back is known',
  async (refundedCents) => {
    const merchant = await newMerchant()
    const id = await addPayment(merchant, PAID_AT)
    await changePayment(id, '2026-10-11T14:00:00.000Z', { refundedCents })
    await changePayment(id, '2026-10-11T15:00:00.000Z', fee(0))

    expect(await sumLinkRevenue(db, merchant.companyId, merchant.linkId)).toMatchObject({
      ...{ feeCents: 0, withoutFeeCount: 0 },
    })
  },
)

test.each([
  ['in the month itself', '2026-10-31T22:00:00.000Z', '2026-10-31'],
  ['on the first day of the next', '2026-11-02T02:59:59.999Z', '2026-10-31'],
  ['when the month is closed', '2026-11-02T03:00:00.000Z', '2026-11-02'],
  ['much later', '2027-01-15T15:00:00.000Z', '2027-01-15'],
])(
  'a sale of the last day of a month that is heard of %s counts on the right day',
  async (_when, heardAt, day) => {
    const id = await addPayment(await newMerchant(), '2026-10-31T20:00:00.000Z')
    await db.delete(movements).where(eq(movements.transactionId, id))

    await bookMovements(db, [id], { bookedAt: new Date(heardAt), isApproval: true })

    expect(await readBook(id)).toEqual([['sale', day, 10_000, null]])
  },
)

test('what came in beyond a sale, and its going back, are no revenue', async () => {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, PAID_AT)
  const pix = { id: newId(), companyId: merchant.companyId, transactionId: id, endToEndId: newId() }
  await db.insert(incomingPayments).values({
    ...{ ...pix, provider: 'sandbox', amountCents: 2_000, surplusCents: 2_000, paidAt: PAID_AT },
  })
  await bookMovements(db, [id], { bookedAt: new Date('2026-10-11T15:00:00.000Z') })
  const set = { refundedCents: 2_000 }
  await db.update(incomingPayments).set(set).where(eq(incomingPayments.id, pix.id))
  await bookMovements(db, [id], { bookedAt: new Date('2026-10-15T15:00:00.000Z') })

  expect(await readBook(id)).toEqual([
    ['sale', '2026-10-10', 10_000, null],
    ['surplus', '2026-10-10', 2_000, 0],
    ['surplus_refund', '2026-10-15', -2_000, 0],
  ])
  expect(await sumLinkRevenue(db, merchant.companyId, merchant.linkId)).toMatchObject({
    ...{ count: 1, grossCents: 10_000, refundedCents: 0 },
  })
})

const CHANGES = fc.array(
  fc.oneof(
    fc.record({ refundedCents: fc.integer({ min: 0, max: 10_000 }) }),
    fc.record({ chargedBackCents: fc.integer({ min: 0, max: 10_000 }) }),
    fc.integer({ min: 0, max: 10_000 }).map(fee),
    fc.constant({}),
  ),
  { maxLength: 8 },
)

test('whatever becomes of payments, the book says what their rows say, in every report alike', async () => {
  const property = fc.asyncProperty(fc.array(CHANGES, { minLength: 1, maxLength: 4 }), check)

  await fc.assert(property, { numRuns: 8 })

  async function check(payments: Partial<TransactionRow>[][]) {
    const merchant = await newMerchant()
    const other = await addLink(merchant)
    for (const [n, changes] of payments.entries()) {
      const tags = ['a', 'b'].slice(0, n % 3)
      const paymentLinkId = n % 2 === 0 ? merchant.linkId : other
      const id = await addPayment(merchant, PAID_AT, { tags, paymentLinkId })
      for (const [day, change] of changes.entries()) {
        await changePayment(id, `2026-11-0${day + 1}T15:00:00.000Z`, change)
        // The same once more.
        await bookMovements(db, [id], { bookedAt: new Date('2026-11-25T15:00:00.000Z') })
      }
    }
    const { companyId } = merchant
    const expected = await sumRows(companyId)
    const range = { from: '2026-10-01', to: '2026-12-01' }

    const totals = await Promise.all(
      REPORT_KINDS.map(async (kind) => (await buildReport(db, companyId, kind, range)).total),
    )
    const ofLinks = await Promise.all(
      [merchant.linkId, other].map((linkId) => sumLinkRevenue(db, companyId, linkId)),
    )

    for (const total of totals) expect(total).toMatchObject(expected)
    expect(await sumCustomerRevenue(db, companyId, merchant.customerId)).toMatchObject(expected)
    expect(ofLinks.reduce((sum, { grossCents }) => sum + grossCents, 0)).toBe(expected.grossCents)
    expect(await checkBook(db)).toMatchObject({ status: 'ok' })
  }
})

async function sumRows(companyId: string) {
  const rows = await db.select().from(transactions).where(eq(transactions.companyId, companyId))
  const sum = (read: (row: TransactionRow) => number) =>
    rows.reduce((total, row) => total + read(row), 0)
  const withoutFeeCount = rows.filter(({ feeCents }) => feeCents === null).length
  return {
    count: rows.length,
    grossCents: sum((row) => row.totalCents),
    refundedCents: sum((row) => Math.min(row.totalCents, row.refundedCents + row.chargedBackCents)),
    feeCents: withoutFeeCount > 0 ? null : sum((row) => row.feeCents ?? 0),
    withoutFeeCount,
  }
}

test('a payment that something goes back of before it was filled in is booked whole', async () => {
  const id = await addPayment(await newMerchant(), PAID_AT)
  await db.delete(movements).where(eq(movements.transactionId, id))

  await changePayment(id, '2026-11-20T15:00:00.000Z', { refundedCents: 1_000 })

  expect(await readBook(id)).toEqual([
    ['sale', '2026-10-10', 10_000, null],
    ['refund', '2026-11-20', -1_000, 0],
  ])
})

test('of one payment there are not two sales, though two processes book it', async () => {
  const id = await addPayment(await newMerchant(), PAID_AT)

  const again = db.execute(sql`
    insert into movements select (jsonb_populate_record(one, jsonb_build_object('id', ${newId()}::text))).*
    from movements one where transaction_id = ${id}`)

  await expect(again).rejects.toMatchObject({ cause: { constraint: 'movements_sale' } })
})

test('doctor names a payment that the book does not say all of', async () => {
  const id = await addPayment(await newMerchant(), PAID_AT)
  await changePayment(id, '2026-11-20T15:00:00.000Z', { refundedCents: 1_000 })
  const ofRefund = and(eq(movements.transactionId, id), eq(movements.kind, 'refund'))
  await db.delete(movements).where(ofRefund)

  const found = await checkBook(db)
  await bookMovements(db, [id], { bookedAt: new Date('2026-11-20T15:00:00.000Z') })

  expect(found.status).toBe('fail')
  expect(found.what).toContain(id)
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
})

test.each<[string, Partial<typeof movements.$inferInsert>]>([
  ['with another amount', { cents: 10_100 }],
  ['with interest that was not paid', { interestCents: 100 }],
  ['by another method', { method: 'credit_card' }],
])('doctor names a payment that is booked %s', async (_how, wrong) => {
  const id = await addPayment(await newMerchant(), PAID_AT)
  const ofSale = and(eq(movements.transactionId, id), eq(movements.kind, 'sale'))
  const [sale] = await db.select().from(movements).where(ofSale)
  await db.update(movements).set(wrong).where(ofSale)

  const found = await checkBook(db)
  await db.update(movements).set(sale!).where(ofSale)

  expect(found.status).toBe('fail')
  expect(found.what).toContain(id)
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
})

test('doctor names a payment that is booked and was never approved', async () => {
  const id = await addPayment(await newMerchant(), PAID_AT)
  const change = (to: Partial<typeof transactions.$inferInsert>) =>
    db.update(transactions).set(to).where(eq(transactions.id, id))
  await change({ status: 'expired', approvedAt: null })

  const found = await checkBook(db)
  await change({ status: 'approved', approvedAt: PAID_AT })

  expect(found.status).toBe('fail')
  expect(found.what).toContain(id)
})

function fee(feeCents: number) {
  return { feeCents, feeSource: 'provider' as const }
}
