// What brought most among many links is found without the days of all of them, and is the same.
import { expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { foldRevenue } from '../../src/reports/fold.ts'
import { buildReport } from '../../src/reports/reports.ts'
import { findTopLinks } from '../../src/reports/top-links.ts'
import { openPayments, type TestMerchant } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addLink, addPayment } = openPayments(testApp)

const RANGE = { from: '2026-07-01', to: '2026-12-01' }
const BEFORE = '2026-02-10T15:00:00.000Z'
const WITHIN = '2026-08-10T15:00:00.000Z'
const AFTER = '2026-12-10T15:00:00.000Z'

function findTop({ companyId }: TestMerchant, limit: number, maxCandidates?: number) {
  return findTopLinks(db, { companyId, ...RANGE }, limit, maxCandidates)
}

/** Each brings what is told, in a payment of its own. */
async function addPaidLinks(testMerchant: TestMerchant, cents: number[], at = WITHIN) {
  const ids: string[] = []
  for (const totalCents of cents) {
    const paymentLinkId = await addLink(testMerchant)
    await addPayment(testMerchant, at, { paymentLinkId, totalCents })
    ids.push(paymentLinkId)
  }
  return ids
}

async function foldAll() {
  while ((await foldRevenue(db, 1_000)) > 0);
}

test('they are those of the report over all links, refunds taken off', async () => {
  const testMerchant = await newMerchant()
  const ids = await addPaidLinks(testMerchant, [9_000, 8_000, 500, 400, 300, 200, 100])
  const [first, second] = ids
  const refunded = { paymentLinkId: second!, totalCents: 7_000, refundedCents: 6_500 }
  await addPayment(testMerchant, WITHIN, { ...refunded, status: 'partially_refunded' })
  await addPayment(testMerchant, BEFORE, { paymentLinkId: first!, totalCents: 50 })
  await foldAll()

  const { rows } = await buildReport(db, testMerchant.companyId, 'link', RANGE)

  expect(rows.map(({ key }) => key)).toEqual([second, first, ...ids.slice(2)])
  expect(await findTop(testMerchant, 2, 4)).toEqual([first, second])
  expect(await findTop(testMerchant, 3, 5)).toEqual(ids.slice(0, 3))
})

test('only all links tell where another may have brought as much', async () => {
  const testMerchant = await newMerchant()
  for (const paymentLinkId of await addPaidLinks(testMerchant, [9_000, 8_000, 7_000], BEFORE)) {
    await addPayment(testMerchant, WITHIN, { paymentLinkId, totalCents: 10 })
  }
  await addPaidLinks(testMerchant, [600, 500, 400])
  await foldAll()

  expect(await findTop(testMerchant, 1, 3)).toBeUndefined()
  expect(await findTop(testMerchant, 3, 4)).toBeUndefined()
  expect(await findTop(testMerchant, 1, 10)).toBeUndefined()
  expect(await findTop(testMerchant, 1, 5)).toHaveLength(1)
})

test('links that brought more in other months, and nothing in these, are in nobody’s way', async () => {
  const testMerchant = await newMerchant()
  await addPaidLinks(testMerchant, [9_000, 8_000, 7_000], BEFORE)
  await addPaidLinks(testMerchant, [9_500, 8_500, 7_500], AFTER)
  const ids = await addPaidLinks(testMerchant, [600, 500, 400])
  await foldAll()

  expect(await findTop(testMerchant, 2, 3)).toEqual(ids.slice(0, 2))
})

test('of links that brought as much the newest come first, so that no other can', async () => {
  const testMerchant = await newMerchant()
  const ids = await addPaidLinks(testMerchant, [5_000, 5_000, 5_000, 5_000, 5_000])
  await foldAll()
  const newest = ids.toSorted().toReversed()

  const { rows } = await buildReport(db, testMerchant.companyId, 'link', RANGE)

  expect(rows.map(({ key }) => key)).toEqual(newest)
  expect(await findTop(testMerchant, 2, 3)).toEqual(newest.slice(0, 2))
  expect(await findTop(testMerchant, 3, 3)).toEqual(newest.slice(0, 3))
})

test('a link is among them by what it brought since the last fold', async () => {
  const testMerchant = await newMerchant()
  await addPaidLinks(testMerchant, [900, 800, 700, 600])
  await foldAll()
  const [newest] = await addPaidLinks(testMerchant, [5_000])

  expect((await findTop(testMerchant, 2, 3))?.[0]).toBe(newest)
})

test('among thousands of links the report names those that brought most, and all others as one', async () => {
  const testMerchant = await newMerchant()
  const { companyId } = testMerchant
  await addPaidLinks(testMerchant, [5_000_000, 4_000_000])
  await foldAll()
  await addSums(companyId, 2_300)

  const { rows, total } = await buildReport(db, companyId, 'link', RANGE)

  const count = 2 + 2_300
  const grossCents = 9_000_000 + 1_000 * ((2_300 * 2_301) / 2)
  expect(rows).toHaveLength(201)
  expect(rows.slice(0, 3).map((row) => row.grossCents)).toEqual([5_000_000, 4_000_000, 2_300_000])
  expect(rows[200]).toMatchObject({ key: null, label: 'Outros', count: count - 200 })
  expect(total).toMatchObject({ count, grossCents })
})

/** As so many links would have them, the nth of which brought n times R$ 10,00. */
async function addSums(companyId: string, links: number) {
  const added = sql`
    select gen_random_uuid() as id, ${companyId}::uuid as company_id, n * 1000 as cents from generate_series(1, ${links}::int) n`
  await db.execute(sql`
    with added as materialized (${added}), link as (
      insert into payment_links (id, company_id, slug, title, amount_cents, methods, max_installments, interest_mode,
        status, tags, metadata)
      select id, company_id, left(replace(gen_random_uuid()::text, '-', ''), 10), 'Bolo', cents, '{pix}', 1, 'absorb',
        'active', '{}', '{}' from added
    ), by_link as (
      insert into daily_link_revenue (company_id, day, payment_link_id, payments, gross_cents, refunded_cents)
      select company_id, '2026-08-11', id, 1, cents, 0 from added
    ), ever as (
      insert into link_revenue (company_id, payment_link_id, received_cents) select company_id, id, cents from added
    )
    insert into daily_revenue (company_id, day, method, payments, gross_cents, refunded_cents, attempts_decided,
      attempts_approved)
    select company_id, '2026-08-11', 'pix', count(*), sum(cents), 0, count(*), count(*) from added group by 1`)
}
