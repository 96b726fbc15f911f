// Which payment is asked about next, and until exactly when its claim holds it.
import { beforeEach, expect, test } from 'vitest'
import { transactions } from '../../../src/database/tables.ts'
import { LEASE_MS } from '../../../src/queue/lease.ts'
import { claimPayments } from '../../../src/transactions/reconciliation/claim.ts'
import { openPayments, type TestMerchant } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

const NOW = new Date('2026-01-01T00:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)

beforeEach(async () => {
  await db.update(transactions).set({ checkAt: null })
})

/** A payment that is to be asked about at this time. */
async function paymentDueAt(at: Date, merchant?: TestMerchant) {
  const due = { status: 'pending', approvedAt: null, checkAt: at.toISOString() } as const
  const id = await addPayment(merchant ?? (await newMerchant()), NOW.toISOString(), due)
  return { id }
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
  const merchant = await newMerchant()
  const { companyId } = merchant
  const late = await paymentDueAt(later(-1), merchant)
  const later2 = await paymentDueAt(later(-2), merchant)
  const other = await paymentDueAt(NOW)
  const room = (room: number) => [{ companyId, provider: 'sandbox' as const, room }]

  expect(await claimAt(NOW, { rooms: room(0), limit: 1 })).toEqual([other.id])
  expect(await claimAt(NOW, { rooms: room(1) })).toEqual([later2.id])
  expect(await claimAt(NOW, { perAccount: 1 })).toEqual([late.id])
})
