// How many payments a filter leaves, and what they come to.
import { expect, test } from 'vitest'
import { sumTransactions } from '../../src/transactions/list/totals.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addLink, addPayment } = openPayments(testApp)

const NOON = '2026-11-20T15:00:00.000Z'

test('what was approved is summed whatever came after, and what went back of it besides', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, NOON, { totalCents: 10_000 })
  await addPayment(merchant, NOON, {
    totalCents: 5_000,
    refundedCents: 2_000,
    status: 'partially_refunded',
  })
  await addPayment(merchant, NOON, { totalCents: 3_000, status: 'charged_back' })
  await addPayment(merchant, NOON, { totalCents: 7_000, status: 'declined', approvedAt: null })
  await addPayment(await newMerchant(), NOON)

  expect(await sumTransactions(db, merchant.companyId, {})).toEqual({
    kind: 'exact',
    count: 4,
    sums: { approvedCents: 18_000, refundedCents: 5_000 },
  })
})

test('each filter narrows the sums as it narrows the list', async () => {
  const merchant = await newMerchant()
  const paymentLinkId = await addLink(merchant, 'Curso')
  await addPayment(merchant, NOON, { totalCents: 1_000, tags: ['festa', 'sala'] })
  await addPayment(merchant, NOON, { totalCents: 2_000, tags: ['festa'], method: 'credit_card' })
  await addPayment(merchant, '2026-11-19T15:00:00.000Z', { totalCents: 4_000, paymentLinkId })
  const sum = async (filters: Parameters<typeof sumTransactions>[2]) => {
    const { count, sums } = await sumTransactions(db, merchant.companyId, filters)
    return [count, sums?.approvedCents]
  }

  expect(await sum({})).toEqual([3, 7_000])
  expect(await sum({ method: 'pix' })).toEqual([2, 5_000])
  expect(await sum({ tag: ['festa'] })).toEqual([2, 3_000])
  expect(await sum({ tag: ['festa'], method: 'credit_card' })).toEqual([1, 2_000])
  expect(await sum({ tag: ['festa', 'sala'] })).toEqual([1, 1_000])
  expect(await sum({ paymentLinkId })).toEqual([1, 4_000])
  expect(await sum({ customerId: merchant.customerId, status: 'approved' })).toEqual([3, 7_000])
  expect(await sum({ createdFrom: '2026-11-20T03:00:00.000Z' })).toEqual([2, 3_000])
  expect(await sum({ createdTo: '2026-11-20T02:59:59.999Z' })).toEqual([1, 4_000])
  expect(await sum({ status: 'expired' })).toEqual([0, 0])
})
