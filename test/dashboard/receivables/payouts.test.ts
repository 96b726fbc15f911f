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

test('each day from today on says what comes and of how many payments, and the page is that list with its sum', async () => {
  await addPayment(await newMerchant(), now(), due(TODAY))
  const merchant = await newMerchant()
  for (const days of [-1, 0, 3, 3, 390])
    await addPayment(merchant, now(), due(addDays(TODAY, days)))
  // Without a fee or a day, or given back.
  await addPayment(merchant, now())
  await addPayment(merchant, now(), due(TODAY, { feeCents: null, feeSource: null }))
  await addPayment(merchant, now(), due(TODAY, { feeCents: 0, refundedCents: 10_000 }))
  const { companyId } = merchant
  const client = await openDashboardClient(testApp, { companyId, role: 'accountant' })

  const text = readPageText(await readPage(client, PAYOUTS))

  expect(await listPayoutDays(db, companyId, TODAY)).toEqual([
    { day: TODAY, payments: 1, netCents: 9_900 },
    { day: addDays(TODAY, 3), payments: 2, netCents: 19_800 },
    { day: addDays(TODAY, 390), payments: 1, netCents: 9_900 },
  ])
  const write = (days: number) => addDays(TODAY, days).split('-').reverse().join('/')
  expect(text).toContain(`${write(0)} 1 R$ 99,00 ${write(3)} 2 R$ 198,00`)
  expect(text).toContain('Total R$ 396,00')
})

test('a sum of many days has each of them', async () => {
  const merchant = await newMerchant()
  for (let days = 0; days < 70; days++) await addPayment(merchant, now(), due(addDays(TODAY, days)))
  const { companyId } = merchant
  const client = await openDashboardClient(testApp, { companyId, role: 'accountant' })

  expect(readPageText(await readPage(client, PAYOUTS))).toContain('Total R$ 6.930,00')
})
