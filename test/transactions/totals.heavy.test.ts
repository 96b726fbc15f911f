// How far the payments of a list are counted.
import { expect, test } from 'vitest'
import { sumTransactions } from '../../src/transactions/list/totals.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

const NOON = '2026-11-20T15:00:00.000Z'

test('ten thousand payments are counted and summed; of one more it is only said that there are more', async () => {
  const merchant = await newMerchant()
  const first = await addPayment(merchant, NOON, { totalCents: 1_000 })
  const addCopies = (from: number, to: number) =>
    db.$client.query(
      `insert into transactions select (jsonb_populate_record(one, jsonb_build_object(
        'id', '01700000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
        'token', one.token || n, 'attempt_token', one.attempt_token || n,
        'status', case when n % 4 = 0 then 'expired' else 'approved' end))).*
      from transactions one, generate_series($2::int, $3::int) n where id = $1`,
      [first, from, to],
    )
  // A statement may not take long.
  for (let n = 1; n < 9_999; n += 1_111) await addCopies(n, n + 1_110)

  const most = await sumTransactions(db, merchant.companyId, {})
  await addCopies(10_000, 10_000)
  const more = await sumTransactions(db, merchant.companyId, {})
  const some = await sumTransactions(db, merchant.companyId, { method: 'pix', status: 'expired' })
  const parts = await sumTransactions(db, merchant.companyId, {
    paymentLinkId: merchant.linkId,
    status: 'expired',
  })

  expect(most).toEqual({
    kind: 'exact',
    count: 10_000,
    sums: { approvedCents: 10_000_000, refundedCents: 0 },
  })
  expect(more).toEqual({ kind: 'partial', count: 10_000, sums: null })
  expect(some).toMatchObject({ kind: 'exact', count: 2_500 })
  expect(parts).toMatchObject({ kind: 'exact', count: 2_500 })
}, 60_000)
