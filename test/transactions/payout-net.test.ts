// What is left of a payment, by itself and in reports.
import { expect, test } from 'vitest'
import { buildReport } from '../../src/reports/reports.ts'
import { computeNet, getPayoutDay } from '../../src/transactions/payout.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, ...testApp } = await openTestApp()
const { newMerchant, addPayment } = openPayments({ db, ...testApp })

const APPROVED_AT = '2026-11-21T15:00:00.000Z'
test('of what went back whole the fee is left to pay, and a refund and a dispute of the same money count once', () => {
  const payment = {
    ...{ approvedAt: APPROVED_AT, totalCents: 10_000, feeCents: 1_000 },
    ...{ refundedCents: 10_000, chargedBackCents: 0 },
  }

  expect(computeNet(payment)).toBe(-1_000)
  expect(computeNet({ ...payment, refundedCents: 4_000, chargedBackCents: 10_000 })).toBe(-1_000)
})

test('a day with several parts was guessed before, and is told no more', () => {
  expect(getPayoutDay({ expectedOn: '2026-12-21', payoutParts: 1 })).toBe('2026-12-21')
  expect(getPayoutDay({ expectedOn: '2026-12-21', payoutParts: 12 })).toBeNull()
})

const priced = (feeCents: number) => ({ feeCents, feeSource: 'company' as const })

test('a report says fees and net where each fee is known, and else neither', async () => {
  const merchant = await newMerchant()
  const range = { from: '2026-10-01', to: '2026-12-01' }
  await addPayment(merchant, '2026-10-10T15:00:00.000Z')
  await addPayment(merchant, APPROVED_AT, priced(0))
  await addPayment(merchant, APPROVED_AT, { ...priced(250), refundedCents: 1_000 })

  const { rows, total } = await buildReport(db, merchant.companyId, 'month', range)

  expect(rows).toMatchObject([
    {
      key: '2026-10',
      feeCents: null,
      netCents: null,
      afterRefundsCents: 10_000,
      withoutFeeCount: 1,
    },
    {
      key: '2026-11',
      feeCents: 250,
      netCents: 18_750,
      afterRefundsCents: 19_000,
      withoutFeeCount: 0,
    },
  ])
  expect(total).toMatchObject({ feeCents: null, netCents: null, withoutFeeCount: 1 })
})
