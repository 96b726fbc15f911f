// Whose turn it is to be asked about, and until exactly when whoever claimed it holds it.
import { beforeEach, expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { LEASE_MS } from '../../../src/queue/lease.ts'
import { claimPayments } from '../../../src/transactions/reconciliation/claim.ts'
import { openCheckout, PIX } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)

const NOW = new Date('2026-01-01T00:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)

beforeEach(async () => {
  await db.update(transactions).set({ checkAt: null })
})

/** A payment that is to be asked about at this time. */
async function paymentDueAt(at: Date, link?: Awaited<ReturnType<typeof newLink>>) {
  const { row } = await pay(link ?? (await newLink()), PIX)
  const checkAt = at.toISOString()
  await db.update(transactions).set({ checkAt }).where(eq(transactions.id, row.id))
  return row
}

async function claimAt(now: Date, more: Partial<Parameters<typeof claimPayments>[1]> = {}) {
  const rows = await claimPayments(db, { perAccount: 10, rooms: [], limit: 100, now, ...more })
  return rows.map(({ id }) => id)
}

test('a payment is asked about at its very instant, and not before', async () => {
  const { id } = await paymentDueAt(NOW)

  expect(await claimAt(later(-1))).toEqual([])
  expect(await claimAt(NOW)).toEqual([id])
})

test('a payment is free when the lease of its claim ends, and not before', async () => {
  const { id } = await paymentDueAt(NOW)
  await claimAt(NOW)

  expect(await claimAt(later(LEASE_MS - 1))).toEqual([])
  expect(await claimAt(later(LEASE_MS))).toEqual([id])
})

test('of one account as many are claimed as there is room for, the longest due first', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const late = await paymentDueAt(later(-1), link)
  const later2 = await paymentDueAt(later(-2), link)
  const other = await paymentDueAt(NOW)
  const room = (room: number) => [{ companyId: company.id, provider: 'sandbox' as const, room }]

  expect(await claimAt(NOW, { rooms: room(0), limit: 1 })).toEqual([other.id])
  expect(await claimAt(NOW, { rooms: room(1) })).toEqual([later2.id])
  expect(await claimAt(NOW, { perAccount: 1 })).toEqual([late.id])
})
