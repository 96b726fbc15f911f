// Links by price and by when they were made, page by page; and how many there are.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { MAX_UUID } from '../../../src/database/id.ts'
import { paymentLinks } from '../../../src/database/tables.ts'
import { paginateRows } from '../../../src/http/pagination.ts'
import { type LinkSort, listPaymentLinks } from '../../../src/payment-links/list/list.ts'
import type { LinkRow } from '../../../src/payment-links/payment-link.ts'
import type { LinkFilters } from '../../../src/payment-links/schema.ts'
import { sumRevenueByLink } from '../../../src/reports/revenue.ts'
import { openPayments, type TestMerchant } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { newMerchant, addLink, addPayment } = openPayments(testApp)

const NOON = '2026-11-20T15:00:00.000Z'

/** Title, price and what it brought, in the order that they were made. */
const LINKS = [
  ['Zimbro', 300, 500],
  ['ágata', 100, 0],
  ['Bolo', 300, 800],
  ['Água', 200, 0],
  ['bolo', 100, 500],
] as const

async function openSorted() {
  const merchant = await newMerchant()
  await db.delete(paymentLinks).where(eq(paymentLinks.id, merchant.linkId))
  for (const [title, price, received] of LINKS) {
    const paymentLinkId = await addLink(merchant, title)
    const tags = title === 'Bolo' ? [] : ['festa']
    const set = { amountCents: price * 100, tags }
    await db.update(paymentLinks).set(set).where(eq(paymentLinks.id, paymentLinkId))
    if (received === 0) continue
    const totalCents = received * 100
    await addPayment(merchant, NOON, { paymentLinkId, totalCents: totalCents - 1_000 })
    await addPayment(merchant, NOON, { paymentLinkId, totalCents: 1_000 })
  }
  return merchant
}

async function walkPages(merchant: TestMerchant, sort: LinkSort, filters: LinkFilters = {}) {
  const pages = await readPages(merchant, sort, filters)
  return pages.map((page) => page.map(({ title }) => title).join(' '))
}

async function listIds(merchant: TestMerchant, sort: LinkSort, filters: LinkFilters = {}) {
  const pages = await readPages(merchant, sort, filters)
  return pages.flat().map(({ id }) => id)
}

async function readPages({ companyId }: TestMerchant, sort: LinkSort, filters: LinkFilters) {
  const pages: LinkRow[][] = []
  for (let cursor: string | null = MAX_UUID; cursor !== null; ) {
    const query = { ...filters, limit: 2, cursor }
    const rows: LinkRow[] = await listPaymentLinks(db, companyId, query, clock.now(), sort)
    const { data, nextCursor } = paginateRows(rows, 2)
    pages.push(data)
    cursor = nextCursor && Buffer.from(nextCursor, 'base64url').toString()
  }
  return pages
}

test('links are in the order of their prices, and of one price in that of their making', async () => {
  const merchant = await openSorted()

  expect(await walkPages(merchant, { by: 'amountCents', isDescending: true })).toEqual([
    'Bolo Zimbro',
    'Água bolo',
    'ágata',
  ])
  expect(await walkPages(merchant, { by: 'amountCents', isDescending: false })).toEqual([
    'ágata bolo',
    'Água Zimbro',
    'Bolo',
  ])
})

test.each([
  ['amountCents', true],
  ['amountCents', false],
  ['createdAt', true],
  ['createdAt', false],
] as const)(
  'links that agree by %s are in the order of their making, each once (turned: %s)',
  async (by, isDescending) => {
    const merchant = await newMerchant()
    const ids = [merchant.linkId]
    for (let n = 0; n < 5; n++) ids.push(await addLink(merchant))
    const inOrder = isDescending ? ids.toReversed() : ids
    const sort = { by, isDescending }

    expect(await listIds(merchant, sort)).toEqual(inOrder)
    expect(await listIds(merchant, sort, { status: 'active', method: 'pix' })).toEqual(inOrder)
    expect(await listIds(merchant, sort, { tag: ['festa'] })).toEqual([])
  },
)

test('a page after a link of somebody else is empty', async () => {
  const merchant = await newMerchant()
  const { linkId: cursor } = await newMerchant()
  const query = { limit: 2, cursor }
  const sort = { by: 'amountCents', isDescending: true } as const

  expect(await listPaymentLinks(db, merchant.companyId, query, clock.now(), sort)).toEqual([])
})

test('each link of a page tells how often it was paid and what is left of it', async () => {
  const merchant = await newMerchant()
  const unpaid = await addLink(merchant, 'Curso')
  await addPayment(merchant, NOON, { totalCents: 10_000 })
  await addPayment(merchant, NOON, {
    totalCents: 5_000,
    refundedCents: 2_000,
    status: 'partially_refunded',
  })
  await addPayment(merchant, NOON, { status: 'declined', approvedAt: null })

  const byLink = await sumRevenueByLink(db, merchant.companyId, [merchant.linkId, unpaid])
  const ofOthers = await sumRevenueByLink(db, (await newMerchant()).companyId, [merchant.linkId])

  expect(byLink.get(merchant.linkId)).toMatchObject({ count: 2, afterRefundsCents: 13_000 })
  expect(byLink.get(unpaid)).toBeUndefined()
  expect(ofOthers.size).toBe(0)
})
