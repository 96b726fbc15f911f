// What providers say that they will pay out.
import { expect, test } from 'vitest'
import { addDays, toDay } from '../../../src/reports/days.ts'
import { listPayoutDays } from '../../../src/reports/payouts.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

const PAYOUTS = '/painel/recebimentos/calendario'
const TODAY = toDay(clock.now())
const now = () => clock.now().toISOString()

function due(expectedOn: string, more: object = {}) {
  return { feeCents: 100, feeSource: 'provider' as const, expectedOn, payoutParts: 1, ...more }
}

test('each day from today on says what comes and of how many payments', async () => {
  const merchant = await newMerchant()
  for (const days of [-1, 0, 3, 3, 390]) {
    await addPayment(merchant, now(), due(addDays(TODAY, days)))
  }

  expect(await listPayoutDays(db, merchant.companyId, TODAY)).toEqual([
    { day: TODAY, payments: 1, netCents: 9_900 },
    { day: addDays(TODAY, 3), payments: 2, netCents: 19_800 },
    { day: addDays(TODAY, 390), payments: 1, netCents: 9_900 },
  ])
})

test('another company, a payment without fee or day, and one that was given back are not in it', async () => {
  await addPayment(await newMerchant(), now(), due(TODAY))
  const merchant = await newMerchant()
  await addPayment(merchant, now())
  await addPayment(merchant, now(), due(TODAY, { feeCents: null, feeSource: null }))
  await addPayment(merchant, now(), due(TODAY, { feeCents: 0, refundedCents: 10_000 }))

  expect(await listPayoutDays(db, merchant.companyId, TODAY)).toEqual([])
})

test('the page is one short list with its sum', async () => {
  const merchant = await newMerchant()
  await addPayment(merchant, now(), due(TODAY))
  await addPayment(merchant, now(), due(addDays(TODAY, 6), { method: 'credit_card' }))
  const client = await openDashboardClient(testApp, {
    companyId: merchant.companyId,
    role: 'accountant',
  })

  const text = readPageText(await readPage(client, PAYOUTS))

  const write = (day: string) => day.split('-').reverse().join('/')
  expect(text).toContain(`${write(TODAY)} 1 R$ 99,00 ${write(addDays(TODAY, 6))} 1 R$ 99,00`)
  expect(text).toContain('Total R$ 198,00')
})
