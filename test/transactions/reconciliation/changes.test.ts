// Changes at Mercado Pago that we were not notified of are found by its list of changes, and nothing is asked again and
// again.
import { expect, test } from 'vitest'
import { checkPayment } from '../../../src/transactions/check.ts'
import { readDueAccounts } from '../../../src/transactions/reconciliation/account-lists.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { PIX } from '../../support/payer.ts'
import {
  buildMercadoPagoCard,
  openMercadoPagoMerchant,
} from '../../support/providers/mercadopago/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const testApp = await openTestApp({ local: true })
const { clock, needs } = testApp
const { fake, newCollectingCompany, newCardLink, pay, read, listEventTypes } =
  await openMercadoPagoMerchant(testApp)

async function workAt(offsetMs: number) {
  clock.offsetMs = offsetMs
  await readDueAccounts(needs)
  await reconcileDuePayments(needs)
}

async function openPix() {
  const owner = await newCollectingCompany(['pix', 'credit_card'])
  const link = await newCardLink({ maxPayments: null }, owner)
  const { row } = await pay(link, PIX)
  return { link, row }
}

/** Paid, and known to be. */
async function openPaid(scenario: object = PIX) {
  const { link, row } = await openPix()
  if (scenario === PIX) {
    fake.payPix(row.providerReference!)
    return { link, row: await checkPayment(needs, row) }
  }
  return { link, row: (await pay(link, scenario)).row }
}

const countFinds = ({ providerReference }: { providerReference: string | null }) =>
  fake.calls(new RegExp(`^GET .v1.orders.${providerReference}$`)).length

test('a Pix without a notification is found by the next list, and booked once', async () => {
  const { link, row } = await openPix()
  await workAt(41_000)
  await workAt(82_000)
  clock.offsetMs = 3 * MINUTE_MS
  fake.payPix(row.providerReference!)

  await workAt(8 * MINUTE_MS)
  await workAt(14 * MINUTE_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
})

test.each([
  ['a Pix', PIX],
  ['a card', buildMercadoPagoCard('ok')],
])(
  'what goes back of %s at Mercado Pago is found within an hour, months later too',
  async (_what, form) => {
    const { row } = await openPaid(form)
    await workAt(HOUR_MS)
    const asked = countFinds(row)
    for (let day = 1; day <= 4; day++) await workAt(day * DAY_MS)
    expect(countFinds(row)).toBe(asked)
    clock.offsetMs = 80 * DAY_MS
    await workAt(80 * DAY_MS)
    fake.refundHere(row.providerReference!, 2_500)

    await workAt(80 * DAY_MS + HOUR_MS + MINUTE_MS)

    expect(await read(row.id)).toMatchObject({ status: 'partially_refunded', refundedCents: 2_500 })
  },
)

test('a chargeback without a notification is found, and one that is won', async () => {
  const { row } = await openPaid(buildMercadoPagoCard('ok'))
  await workAt(HOUR_MS)
  fake.dispute(row.providerReference!, 'settled')
  await workAt(3 * HOUR_MS)
  expect(await read(row.id)).toMatchObject({ status: 'charged_back' })
})

test('a fee that Mercado Pago tells after the approval is found', async () => {
  const { row } = await openPaid()
  await workAt(HOUR_MS)
  expect(await read(row.id)).toMatchObject({ feeCents: null })
  const details = { net_received_amount: 99.01, total_paid_amount: 100 }
  fake.tellPayout(row.id, {
    ...{ status: 'approved', transaction_amount: 100, transaction_details: details },
    date_approved: clock.now().toISOString(),
  })
  fake.orderOf(row.providerReference!).last_updated_date = clock.now().toISOString()

  await workAt(3 * HOUR_MS)

  expect(await read(row.id)).toMatchObject({ feeCents: 99, feeSource: 'provider' })
})

test('a change is found where pages are smaller than was asked for', async () => {
  const { link, row } = await openPix()
  fake.settings.maxPageSize = 1
  await workAt(41_000)
  await workAt(82_000)
  clock.offsetMs = 3 * MINUTE_MS
  fake.payPix(row.providerReference!)
  clock.offsetMs = 4 * MINUTE_MS
  await pay(link, PIX)

  await workAt(8 * MINUTE_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('a list that ignores its period and one that has payments of others change nothing', async () => {
  const { link, row } = await openPaid()
  fake.settings.ignoresRange = true
  await workAt(HOUR_MS)
  const asked = countFinds(row)

  for (let hour = 2; hour <= 5; hour++) await workAt(hour * HOUR_MS)

  expect(countFinds(row)).toBe(asked)
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
})

test('payments are checked one by one, once a day, while the list cannot be read', async () => {
  const { row } = await openPaid()
  await workAt(HOUR_MS)
  fake.refundHere(row.providerReference!, 1_000)
  for (let hour = 2; hour <= 50; hour++) {
    fake.next({ on: /payments.search/, does: 'answer', status: 500 })
    await workAt(hour * HOUR_MS)
  }

  expect(await read(row.id)).toMatchObject({ refundedCents: 1_000 })
})
