// How what is left of a payment is paid out: whatever went back, the parts are the net, to the cent.
import { describe, expect, test } from 'vitest'
import { checkDailySums } from '../../../src/commands/doctor/sums.ts'
import { eq, sql } from '../../../src/database/drizzle.ts'
import { dailyPayouts, transactions } from '../../../src/database/tables.ts'
import { foldRevenue } from '../../../src/reports/fold.ts'
import { buildReport } from '../../../src/reports/reports.ts'
import { computeNet, listPayoutParts } from '../../../src/transactions/payouts/net.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const { db, ...testApp } = await openTestApp()
const { newMerchant, addPayment } = openPayments({ db, ...testApp })

const APPROVED_AT = '2026-11-21T15:00:00.000Z'
const COUNTS = Array.from({ length: 12 }, (_, at) => at + 1)

function paidOut(totalCents: number, feeCents: number, goneCents = 0, payoutParts = 1) {
  return {
    ...{ approvedAt: APPROVED_AT, totalCents, feeCents, refundedCents: goneCents },
    ...{ chargedBackCents: 0, expectedOn: '2026-12-21', payoutParts },
  }
}

const listCents = (payment: Parameters<typeof listPayoutParts>[0]) =>
  listPayoutParts(payment)!.map(({ netCents }) => netCents)

describe.each(COUNTS)('in %i parts', (count) => {
  const cases = [1_000, 1_001, 9_999, 10_000, 10_007, 123_456, 24_096_504].flatMap((total) =>
    [0, 1, 99, Math.floor(total / 10), total].flatMap((fee) =>
      [0, 1, Math.floor(total / count), total - fee - 1, total - fee, total - fee + 1, total]
        .filter((gone) => gone >= 0 && gone <= total)
        .map((gone) => ({ total, fee, gone })),
    ),
  )

  test('the parts are the net, and none but the first is less than nothing', () => {
    for (const { total, fee, gone } of cases) {
      const parts = listCents(paidOut(total, fee, gone, count))

      expect(parts).toHaveLength(count)
      expect(parts.reduce((sum, cents) => sum + cents, 0)).toBe(total - fee - gone)
      expect(parts.slice(1).every((cents) => cents >= 0)).toBe(true)
    }
  })

  test('the database splits as the code does', async () => {
    const given = JSON.stringify(cases)

    const { rows } = await db.execute<{ parts: number[] }>(sql`
      select (select array_agg(net_cents::int order by part)
        from payout_parts_of(total - fee, gone, ${count}::smallint)) as parts
      from json_to_recordset(${given}) as given (total bigint, fee bigint, gone bigint)`)

    expect(rows.map(({ parts }) => parts)).toEqual(
      cases.map(({ total, fee, gone }) => listCents(paidOut(total, fee, gone, count))),
    )
  })
})

test('what is left of the division is in the first part, and each is 30 days after the one before', () => {
  expect(listPayoutParts(paidOut(10_000, 0, 0, 3))).toEqual([
    { day: '2026-12-21', netCents: 3_334 },
    { day: '2027-01-20', netCents: 3_333 },
    { day: '2027-02-19', netCents: 3_333 },
  ])
})

test('what went back takes from the last part backwards', () => {
  expect(listCents(paidOut(10_000, 1_000, 0, 3))).toEqual([3_000, 3_000, 3_000])
  expect(listCents(paidOut(10_000, 1_000, 1, 3))).toEqual([3_000, 3_000, 2_999])
  expect(listCents(paidOut(10_000, 1_000, 3_001, 3))).toEqual([3_000, 2_999, 0])
  expect(listCents(paidOut(10_000, 1_000, 9_000, 3))).toEqual([0, 0, 0])
})

test('of what went back whole the fee is left to pay', () => {
  const payment = paidOut(10_000, 1_000, 10_000, 3)

  expect(computeNet(payment)).toBe(-1_000)
  expect(listCents(payment)).toEqual([-1_000, 0, 0])
})

test('a refund and a dispute of the same money count once', () => {
  const payment = { ...paidOut(10_000, 100, 4_000), chargedBackCents: 10_000 }

  expect(computeNet(payment)).toBe(-100)
})

test('there are no parts while fee or day is not known', () => {
  expect(listPayoutParts({ ...paidOut(10_000, 0), feeCents: null })).toBeNull()
  expect(listPayoutParts({ ...paidOut(10_000, 0), expectedOn: null, payoutParts: null })).toBeNull()
  expect(listPayoutParts({ ...paidOut(10_000, 0), approvedAt: null })).toBeNull()
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
