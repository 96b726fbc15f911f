import { expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { bookMovements } from '../../src/movements/book.ts'
import {
  getMonthDays,
  loadClosing,
  streamClosingLines,
  sumClosing,
} from '../../src/reports/closing.ts'
import { addMonths } from '../../src/reports/days.ts'
import { buildReport } from '../../src/reports/reports.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment, changePayment: change } = openPayments(testApp)

const refund = (id: string, at: string, refundedCents: number) =>
  change(id, at, { refundedCents, status: 'partially_refunded' })

async function listLines(companyId: string, month: string) {
  const found = []
  for await (const rows of streamClosingLines(db, companyId, month)) found.push(...rows)
  return found
}

const withFee = (feeCents: number) => ({ feeCents, feeSource: 'company' as const })

test('each payment counts on the day of its approval, by its method, less its fee', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, '2026-10-05T15:00:00.000Z', withFee(99))
  await addPayment(merchant, '2026-10-05T16:00:00.000Z', withFee(99))
  const card = { method: 'credit_card' as const, totalCents: 30_000, ...withFee(1_200) }
  await addPayment(merchant, '2026-10-05T17:00:00.000Z', card)
  await addPayment(await newMerchant(), '2026-10-05T17:00:00.000Z')

  const { days, byMethod, total } = await loadClosing(db, merchant.companyId, '2026-10')

  const nothingBack = { refundedCents: 0, lostCents: 0, surplusCents: 0, withoutFeeCount: 0 }
  const pix = {
    count: 2,
    grossCents: 20_000,
    afterRefundsCents: 20_000,
    feeCents: 198,
    netCents: 19_802,
    ...nothingBack,
  }
  const cards = {
    count: 1,
    grossCents: 30_000,
    afterRefundsCents: 30_000,
    feeCents: 1_200,
    netCents: 28_800,
    ...nothingBack,
  }
  expect(days).toEqual([
    { day: '2026-10-05', method: 'pix', ...pix },
    { day: '2026-10-05', method: 'credit_card', ...cards },
  ])
  expect(byMethod).toEqual({ pix, credit_card: cards })
  expect(total).toMatchObject({ count: 3, grossCents: 50_000, netCents: 48_602 })
})

test('a month begins and ends at midnight in São Paulo', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, '2026-10-01T02:59:59.999Z', { totalCents: 1_000 })
  await addPayment(merchant, '2026-10-01T03:00:00.000Z', { totalCents: 2_000 })
  await addPayment(merchant, '2026-11-01T02:59:59.999Z', { totalCents: 4_000 })
  await addPayment(merchant, '2026-11-01T03:00:00.000Z', { totalCents: 8_000 })

  const { total } = await loadClosing(db, merchant.companyId, '2026-10')
  const lines = await listLines(merchant.companyId, '2026-10')

  expect(total.grossCents).toBe(6_000)
  expect(lines.map(({ totalCents }) => totalCents)).toEqual([2_000, 4_000])
})

test('what goes back counts in the month in which it goes, whenever it was paid', async () => {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, '2026-09-10T15:00:00.000Z', withFee(100))
  await refund(id, '2026-11-01T02:59:59.000Z', 1_000)
  await refund(id, '2026-11-01T03:00:00.000Z', 3_500)

  const months = await Promise.all(
    ['2026-09', '2026-10', '2026-11'].map((month) => loadClosing(db, merchant.companyId, month)),
  )
  const october = await listLines(merchant.companyId, '2026-10')

  expect(months.map(({ total }) => [total.count, total.grossCents, total.refundedCents])).toEqual([
    [1, 10_000, 0],
    [0, 0, 1_000],
    [0, 0, 2_500],
  ])
  expect(months.map(({ total }) => total.netCents)).toEqual([9_900, -1_000, -2_500])
  expect(october).toMatchObject([
    { transactionId: id, kind: 'refund', totalCents: -1_000, feeCents: 0, netCents: -1_000 },
  ])
})

test('what a dispute takes counts when it is lost, and comes back when it is won after all', async () => {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, '2026-09-10T15:00:00.000Z')
  await change(id, '2026-10-10T15:00:00.000Z', { chargedBackCents: 10_000, status: 'charged_back' })
  await change(id, '2026-11-10T15:00:00.000Z', { chargedBackCents: 0, status: 'approved' })

  const lost = await Promise.all(
    ['2026-09', '2026-10', '2026-11'].map((month) => loadClosing(db, merchant.companyId, month)),
  )

  expect(lost.map(({ total }) => total.lostCents)).toEqual([0, 10_000, -10_000])
})

test('where a fee is not known, neither the fees nor the net are told', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, '2026-10-05T15:00:00.000Z', withFee(99))
  await addPayment(merchant, '2026-10-06T15:00:00.000Z')

  const { days, total } = await loadClosing(db, merchant.companyId, '2026-10')

  expect(days.map(({ netCents }) => netCents)).toEqual([9_901, null])
  expect(total).toMatchObject({ feeCents: null, netCents: null, withoutFeeCount: 1 })
})

test('a month without movement is empty', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, '2026-10-05T15:00:00.000Z', { status: 'declined', approvedAt: null })

  const closing = await loadClosing(db, merchant.companyId, '2026-10')

  expect(closing.days).toEqual([])
  expect(await listLines(merchant.companyId, '2026-10')).toEqual([])
})

/** Some ninety payments of three months; some go back in the same month or a later one. */
async function addQuarter() {
  const merchant = await newMerchant()
  const months = ['2026-07', '2026-08', '2026-09']
  for (let n = 0; n < 90; n++) {
    const month = months[n % 3]!
    const day = String(1 + ((n * 7) % 20)).padStart(2, '0')
    const method = n % 4 === 0 ? ('credit_card' as const) : ('pix' as const)
    const totalCents = 1_000 + n * 137
    const id = await addPayment(merchant, `${month}-${day}T15:00:00.000Z`, {
      ...{ method, totalCents, ...withFee(n * 3) },
    })
    const later = addMonths(month, n % 2)
    if (n % 5 === 0) await refund(id, `${later}-25T15:00:00.000Z`, 500 + n)
    const lost = { chargedBackCents: totalCents, status: 'charged_back' as const }
    if (n % 10 === 0) await change(id, `${later}-27T15:00:00.000Z`, lost)
  }
  return merchant
}

test('by day, by movement and in the report, all adds up to the same cent', async () => {
  const { companyId } = await addQuarter()

  for (const month of ['2026-07', '2026-08', '2026-09', '2026-10']) {
    const { days, total } = await loadClosing(db, companyId, month)
    const report = await buildReport(db, companyId, 'day', getMonthDays(month))
    const lines = await listLines(companyId, month)
    const sumOf = (name: 'totalCents' | 'feeCents' | 'netCents') =>
      lines.reduce((sum, row) => sum + row[name]!, 0)

    expect(total).toMatchObject(report.total)
    expect(sumClosing(days)).toEqual(total)
    expect(total).toMatchObject({
      ...{ afterRefundsCents: sumOf('totalCents'), feeCents: sumOf('feeCents') },
      netCents: sumOf('netCents'),
    })
  }
})

test('a month that is over is the same, whatever is heard of later', async () => {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, '2026-10-05T15:00:00.000Z', withFee(99))
  const before = await loadClosing(db, merchant.companyId, '2026-10')

  await change(id, '2026-11-20T15:00:00.000Z', { refundedCents: 500, ...withFee(120) })

  expect(await loadClosing(db, merchant.companyId, '2026-10')).toEqual(before)
  const { total } = await loadClosing(db, merchant.companyId, '2026-11')
  expect(total).toMatchObject({ count: 0, refundedCents: 500, feeCents: 21, netCents: -521 })
})

test('a table of more movements than a page has each of them once, also those of one instant', async () => {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, '2026-10-05T15:00:00.000Z')
  await db.execute(sql`
    insert into transactions
    select copy.* from transactions payment, generate_series(1, 1400) n,
      jsonb_populate_record(payment, jsonb_build_object(
        'id', gen_random_uuid(), 'token', 'of-many-' || n, 'attempt_token', 'of-many-' || n,
        'approved_at', timestamptz '2026-10-06 12:00:00.123456Z' + (n / 700) * interval '1 microsecond')) copy
    where payment.id = ${id}`)
  await bookAll(merchant.companyId)

  const lines = await listLines(merchant.companyId, '2026-10')

  expect(lines).toHaveLength(1_401)
  expect(new Set(lines.map((line) => line.transactionId)).size).toBe(1_401)
})

async function bookAll(companyId: string) {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from transactions where company_id = ${companyId}`,
  )
  const ids = rows.map(({ id }) => id)
  await bookMovements(db, ids, { bookedAt: null })
}
