// Payments by amount and from the oldest on, page by page.
import { expect, test } from 'vitest'
import { MAX_UUID } from '../../../src/database/id.ts'
import { paginateRows } from '../../../src/http/pagination.ts'
import type { TransactionListFilters } from '../../../src/transactions/list/filters.ts'
import { listSortedTransactions } from '../../../src/transactions/list/list.ts'
import { openPayments, type TestMerchant } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

type Sort = Parameters<typeof listSortedTransactions>[3]
type Paid = { payerName: string; totalCents: number }

/** Amounts that repeat, in the order that they came in. */
async function openSorted() {
  const merchant = await newMerchant()
  const paid: [string, number][] = [
    ['a', 300],
    ['b', 100],
    ['c', 300],
    ['d', 200],
    ['e', 300],
    ['f', 100],
  ]
  for (const [n, [payerName, totalCents]] of paid.entries()) {
    const at = `2026-11-${10 + n}T15:00:00.000Z`
    const tags = payerName === 'c' ? [] : ['festa']
    await addPayment(merchant, at, { payerName, totalCents: totalCents * 100, tags })
  }
  return merchant
}

async function walkPages(
  { companyId }: TestMerchant,
  sort: Sort,
  filters: TransactionListFilters = {},
) {
  const pages: string[] = []
  for (let cursor: string | null = MAX_UUID; cursor !== null; ) {
    const query = { ...filters, limit: 2, cursor }
    const rows = await listSortedTransactions(db, companyId, query, sort)
    const { data, nextCursor }: { data: Paid[]; nextCursor: string | null } = paginateRows(rows, 2)
    pages.push(data.map(({ payerName }) => payerName).join(''))
    cursor = nextCursor && Buffer.from(nextCursor, 'base64url').toString()
  }
  return pages.join(' ')
}

test('the largest come first, or the smallest, and those of one amount on either side of a page once each', async () => {
  const merchant = await openSorted()

  expect(await walkPages(merchant, { by: 'totalCents', isDescending: true })).toBe('ec ad fb')
  expect(await walkPages(merchant, { by: 'totalCents', isDescending: false })).toBe('bf da ce')
})

test('the oldest come first', async () => {
  const merchant = await openSorted()

  expect(await walkPages(merchant, { by: 'createdAt', isDescending: false })).toBe('ab cd ef')
})

test('a place in another company’s list is none', async () => {
  const merchant = await openSorted()
  const cursor = await addPayment(await newMerchant(), '2026-11-12T15:00:00.000Z')

  const rows = await listSortedTransactions(
    db,
    merchant.companyId,
    { limit: 2, cursor },
    { by: 'totalCents', isDescending: true },
  )

  expect(rows).toEqual([])
})
