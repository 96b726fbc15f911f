// The sum that each link is put in order by, held to its days.
import { expect, test } from 'vitest'
import { checkDailySums } from '../../src/commands/doctor/sums.ts'
import { eq, sql } from '../../src/database/drizzle.ts'
import { linkRevenue, transactions } from '../../src/database/tables.ts'
import { foldRevenue } from '../../src/reports/fold.ts'
import { listFillStatements } from '../support/migrations/daily-revenue.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

/** Noon in São Paulo. */
const NOW = new Date('2026-11-21T15:00:00.000Z')
const DAY_BEFORE = '2026-11-20T15:00:00.000Z'

test('a link that has no sum of its own yet gets that of all its days, and one that has it what is new', async () => {
  const testMerchant = await openPaidTwice()
  const { linkId } = testMerchant
  await db.delete(linkRevenue).where(eq(linkRevenue.paymentLinkId, linkId))
  const missing = await checkDailySums(db, NOW)

  await addPayment(testMerchant, NOW.toISOString(), { totalCents: 3_000 })
  await addPayment(testMerchant, DAY_BEFORE, { totalCents: 500 })
  await foldRevenue(db, 1_000)
  const first = await readLinkRevenue(linkId)
  await addPayment(testMerchant, NOW.toISOString(), { totalCents: 40 })
  await foldRevenue(db, 1_000)

  expect(missing).toMatchObject({ status: 'fail' })
  expect(missing.what).toContain(`link_revenue ${linkId}`)
  expect(first).toBe(7_500)
  expect(await readLinkRevenue(linkId)).toBe(7_540)
  expect(await checkDailySums(db, NOW)).toMatchObject({ status: 'ok' })
})

test('a link is filled in beside a fold of its payments, each counted once', async () => {
  const testMerchant = await openPaidTwice()
  const { linkId } = testMerchant
  await db.delete(linkRevenue).where(eq(linkRevenue.paymentLinkId, linkId))
  await addPayment(testMerchant, NOW.toISOString(), { totalCents: 40 })
  const filling = await db.$client.connect()
  await filling.query('begin')
  await filling.query(listFillStatements().at(-1)!)
  const folding = foldRevenue(db, 1_000)
  await expect.poll(isFoldWaiting).toBe(true)
  await filling.query('commit')
  filling.release()

  expect(await folding).toBe(1)
  expect(await readLinkRevenue(linkId)).toBe(4_040)
  expect(await checkDailySums(db, NOW)).toMatchObject({ status: 'ok' })
})

test('a link is looked for in all months that it brought something in, whatever went back meanwhile', async () => {
  const testMerchant = await newMerchant()
  const { linkId } = testMerchant
  const months: unknown[] = []
  async function foldMonths() {
    while ((await foldRevenue(db, 1_000)) > 0);
    const { firstMonth, lastMonth } = (await readRow(linkId))!
    months.push([firstMonth, lastMonth])
  }
  const id = await addPayment(testMerchant, DAY_BEFORE, { totalCents: 3_000 })
  await foldMonths()
  await addPayment(testMerchant, '2026-09-30T15:00:00.000Z', { totalCents: 3_000 })
  await db.update(transactions).set({ refundedCents: 3_000 }).where(eq(transactions.id, id))
  await foldMonths()
  await addPayment(testMerchant, '2027-01-01T02:59:59.000Z', { totalCents: 500 })
  await foldMonths()
  const sound = await checkDailySums(db, NOW)
  await setMonths(linkId, { firstMonth: '2026-10-01' })
  const tooFew = await checkDailySums(db, NOW)
  await setMonths(linkId, { firstMonth: '2026-09-01' })

  expect(months).toEqual([
    ['2026-11-01', '2026-11-01'],
    ['2026-09-01', '2026-11-01'],
    ['2026-09-01', '2026-12-01'],
  ])
  expect(sound).toMatchObject({ status: 'ok' })
  expect(tooFew.what).toContain(`link_revenue ${linkId}`)
})

test('months that nobody has looked up are those of all its days after the next payment, or after the migration', async () => {
  const unknown = { firstMonth: '-infinity', lastMonth: 'infinity' }
  const merchants = [await openPaidTwice(), await openPaidTwice()]
  for (const { linkId } of merchants) await setMonths(linkId, unknown)
  const unseen = await checkDailySums(db, NOW)
  await addPayment(merchants[0]!, '2026-12-05T15:00:00.000Z', { totalCents: 40 })
  await foldRevenue(db, 1_000)
  const first = await readRow(merchants[0]!.linkId)
  await db.execute(sql.raw(listFillStatements().at(-1)!))

  expect(unseen).toMatchObject({ status: 'ok' })
  expect(first).toMatchObject({ receivedCents: 4_040, lastMonth: '2026-12-01' })
  expect(await readRow(merchants[0]!.linkId)).toEqual(first)
  const last = { receivedCents: 4_000, firstMonth: '2026-11-01', lastMonth: '2026-11-01' }
  expect(await readRow(merchants[1]!.linkId)).toMatchObject(last)
})

async function isFoldWaiting() {
  const { rows } = await db.execute(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%revenue_changes%'`)
  return rows.length > 0
}

/** On two days, and 1000 of it went back. */
async function openPaidTwice() {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, NOW.toISOString(), { totalCents: 2_000 })
  const id = await addPayment(testMerchant, DAY_BEFORE, { totalCents: 3_000 })
  await db.update(transactions).set({ refundedCents: 1_000 }).where(eq(transactions.id, id))
  while ((await foldRevenue(db, 1_000)) > 0);
  return testMerchant
}

async function readLinkRevenue(linkId: string) {
  return (await readRow(linkId))?.receivedCents
}

function setMonths(linkId: string, months: Partial<typeof linkRevenue.$inferInsert>) {
  return db.update(linkRevenue).set(months).where(eq(linkRevenue.paymentLinkId, linkId))
}

async function readRow(linkId: string) {
  const [row] = await db.select().from(linkRevenue).where(eq(linkRevenue.paymentLinkId, linkId))
  return row
}
