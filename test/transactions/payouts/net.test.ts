// What is left of a payment, by itself and in the sums of days.
import { expect, test } from 'vitest'
import { checkDailySums } from '../../../src/commands/doctor/sums.ts'
import { eq, sql } from '../../../src/database/drizzle.ts'
import { dailyPayouts, transactions } from '../../../src/database/tables.ts'
import { foldRevenue } from '../../../src/reports/fold.ts'
import { buildReport } from '../../../src/reports/reports.ts'
import { computeNet, getPayoutDay } from '../../../src/transactions/payouts/net.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const { db, ...testApp } = await openTestApp()
const { newMerchant, addPayment } = openPayments({ db, ...testApp })

const APPROVED_AT = '2026-11-21T15:00:00.000Z'
test('of what went back whole the fee is left to pay, and a refund and a dispute of the same money count once', () => {
  const payment = {
    ...{ approvedAt: APPROVED_AT, totalCents: 10_000, feeCents: 1_000 },
    ...{ refundedCents: 10_000, chargedBackCents: 0 },
  }

  expect(computeNet(payment)).toBe(-1_000)
  expect(computeNet({ ...payment, refundedCents: 4_000, chargedBackCents: 10_000 })).toBe(-1_000)
})

test('a day with several parts was guessed before, and is told no more', () => {
  expect(getPayoutDay({ expectedOn: '2026-12-21', payoutParts: 1 })).toBe('2026-12-21')
  expect(getPayoutDay({ expectedOn: '2026-12-21', payoutParts: 12 })).toBeNull()
})

const priced = (feeCents: number, payoutParts = 1) => ({
  ...{ feeCents, feeSource: 'company' as const, payoutParts },
  expectedOn: '2026-12-21',
})

async function readDays(companyId: string) {
  const rows = await db.select().from(dailyPayouts).where(eq(dailyPayouts.companyId, companyId))
  return rows
    .filter(({ netCents, parts }) => netCents !== 0 || parts !== 0)
    .map(({ day, parts, netCents }) => [day, parts, netCents])
    .sort()
}

const foldAll = async () => {
  while ((await foldRevenue(db, 100)) === 100);
}

test('the sums of days hold each part on its day, and follow what becomes of the payment', async () => {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, APPROVED_AT, priced(1_000, 3))
  await addPayment(merchant, APPROVED_AT, priced(100))
  await foldAll()

  expect(await readDays(merchant.companyId)).toEqual([
    ['2026-12-21', 2, 3_000 + 9_900],
    ['2027-01-20', 1, 3_000],
    ['2027-02-19', 1, 3_000],
  ])

  await db
    .update(transactions)
    .set({ refundedCents: 3_500, status: 'partially_refunded' })
    .where(eq(transactions.id, id))
  await foldAll()
  expect(await readDays(merchant.companyId)).toEqual([
    ['2026-12-21', 2, 3_000 + 9_900],
    ['2027-01-20', 1, 2_500],
  ])

  await db
    .update(transactions)
    .set({ feeCents: 400, feeSource: 'provider', expectedOn: '2026-12-01', payoutParts: 1 })
    .where(eq(transactions.id, id))
  await foldAll()
  expect(await readDays(merchant.companyId)).toEqual([
    ['2026-12-01', 1, 6_100],
    ['2026-12-21', 1, 9_900],
  ])
  expect(await checkDailySums(db, new Date('2026-11-22T12:00:00Z'))).toMatchObject({ status: 'ok' })
})

test('a report says fees and net where each fee is known, and else neither', async () => {
  const merchant = await newMerchant()
  const range = { from: '2026-10-01', to: '2026-12-01' }
  await addPayment(merchant, '2026-10-10T15:00:00.000Z')
  await addPayment(merchant, APPROVED_AT, priced(0))
  await addPayment(merchant, APPROVED_AT, { ...priced(250), refundedCents: 1_000 })

  const { rows, total } = await buildReport(db, merchant.companyId, 'month', range)

  expect(rows).toMatchObject([
    {
      key: '2026-10',
      feeCents: null,
      netCents: null,
      afterRefundsCents: 10_000,
      withoutFeeCount: 1,
    },
    {
      key: '2026-11',
      feeCents: 250,
      netCents: 18_750,
      afterRefundsCents: 19_000,
      withoutFeeCount: 0,
    },
  ])
  expect(total).toMatchObject({ feeCents: null, netCents: null, withoutFeeCount: 1 })
  await foldAll()
  expect(await buildReport(db, merchant.companyId, 'month', range)).toEqual({ rows, total })
})

test('doctor finds a sum that is not what the payments say', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, APPROVED_AT, priced(1_000, 3))
  await foldAll()
  const now = new Date('2026-11-22T12:00:00Z')
  const { companyId } = merchant
  const ofDay = sql`company_id = ${companyId} and day = '2027-01-20'`

  await db.execute(sql`update daily_payouts set net_cents = net_cents + 1 where ${ofDay}`)
  expect(await checkDailySums(db, now)).toMatchObject({ status: 'fail' })
  await db.execute(sql`update daily_payouts set net_cents = net_cents - 1 where ${ofDay}`)
  expect(await checkDailySums(db, now)).toMatchObject({ status: 'ok' })
  await db.execute(
    sql`update daily_revenue set fee_cents = fee_cents + 1 where company_id = ${companyId}`,
  )
  expect(await checkDailySums(db, now)).toMatchObject({ status: 'fail' })
  await db.execute(
    sql`update daily_revenue set fee_cents = fee_cents - 1 where company_id = ${companyId}`,
  )
})
