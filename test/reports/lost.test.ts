// What disputes took, in part too, taken off what a company has received.
import { expect, test } from 'vitest'
import { buildReport, REPORT_KINDS } from '../../src/reports/reports.ts'
import { sumCustomerRevenue, sumLinkRevenue } from '../../src/reports/revenue.ts'
import { loadSummary } from '../../src/reports/summary.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

const TODAY = '2026-11-21T14:00:00.000Z'
/** Noon in São Paulo. */
const NOW = new Date('2026-11-21T15:00:00.000Z')
const RANGE = { from: '2026-11-01', to: '2026-12-01' }

test.each(REPORT_KINDS)(
  'by %s, a part that was lost is taken off too, and no more than came',
  async (kind) => {
    const testMerchant = await newMerchant()
    await addPayment(testMerchant, TODAY, { chargedBackCents: 3_000 })
    await addPayment(testMerchant, TODAY, {
      ...{ status: 'refunded', refundedCents: 10_000, chargedBackCents: 10_000 },
    })

    const { total } = await buildReport(db, testMerchant.companyId, kind, RANGE)

    expect(total).toMatchObject({
      grossCents: 20_000,
      refundedCents: 13_000,
      afterRefundsCents: 7_000,
    })
  },
)

test('what was lost in part is no part of what a link, a customer and a day brought', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, TODAY, { chargedBackCents: 4_000 })

  const { companyId, linkId, customerId } = testMerchant
  const sums = [
    await sumLinkRevenue(db, companyId, linkId),
    await sumCustomerRevenue(db, companyId, customerId),
    (await loadSummary(db, companyId, NOW)).today,
  ]

  const lessTheLoss = { count: 1, refundedCents: 4_000, afterRefundsCents: 6_000 }
  expect(sums).toMatchObject([lessTheLoss, lessTheLoss, lessTheLoss])
})
