// How many payments a filter leaves, and what they come to.
import { expect, test } from 'vitest'
import { sumTransactions } from '../../../src/transactions/list/totals.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

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

test('ten thousand payments are counted and summed; of one more it is only said that there are more', async () => {
  const merchant = await newMerchant()
  const first = await addPayment(merchant, NOON, { totalCents: 1_000 })
  const addCopies = (from: number, to: number) =>
    db.$client.query(
      `insert into transactions
      select copy.* from transactions one, generate_series($2::int, $3::int) n,
        jsonb_populate_record(one, jsonb_build_object(
          'id', '01700000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
          'token', one.token || n, 'attempt_token', one.attempt_token || n,
          'status', case when n % 4 = 0 then 'expired' else 'approved' end)) copy
      where one.id = $1`,
      [first, from, to],
    )
  // A statement may not take long.
  for (let n = 1; n < 9_999; n += 1_111) await addCopies(n, n + 1_110)

  const most = await sumTransactions(db, merchant.companyId, {})
  await addCopies(10_000, 10_000)
  const more = await sumTransactions(db, merchant.companyId, {})
  const some = await sumTransactions(db, merchant.companyId, { method: 'pix', status: 'expired' })

  expect(most).toEqual({
    kind: 'exact',
    count: 10_000,
    sums: { approvedCents: 10_000_000, refundedCents: 0 },
  })
  expect(more).toEqual({ kind: 'partial', count: 10_000, sums: null })
  expect(some).toMatchObject({ kind: 'exact', count: 2_500 })
})
