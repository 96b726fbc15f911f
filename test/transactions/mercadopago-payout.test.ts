// What Mercado Pago keeps of a payment and when it releases the rest: told by the payment behind the order.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { payoutTerms, transactions } from '../../src/database/tables.ts'
import { computeNet } from '../../src/transactions/payout.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import {
  buildMercadoPagoCard,
  openMercadoPagoMerchant,
} from '../support/providers/mercadopago/merchant.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, clock, needs } = testApp
const testMerchant = await openMercadoPagoMerchant(testApp)
const { fake, newCardLink, quote, paymentsOf, read, pay } = testMerchant

const DAY_MS = 86_400_000
const RECEIVED = { net_received_amount: 95.02, total_paid_amount: 104.01 }

/** Asked about again, with nothing told before. */
async function check(id: string) {
  await db
    .update(transactions)
    .set({ checkAt: clock.now().toISOString() })
    .where(eq(transactions.id, id))
  await reconcileDuePayments(needs)
  return read(id)
}

async function payInThree() {
  const link = await newCardLink()
  await db.insert(payoutTerms).values({
    ...{ companyId: link.companyId, method: 'credit_card', installments: 1 },
    ...{ rateBps: 500, fixedCents: 40 },
  })
  const { response, send } = await quote(link)
  const { quote: cardQuote } = response.json()
  const shown = { cardBin: '42424242', cardQuote, installments: 3 }
  await send(buildMercadoPagoCard('ok', shown))
  const [row] = await paymentsOf(link)
  return row!
}

test('until it says, the fee that the company told is of the price, and the interest is Mercado Pago’s', async () => {
  const row = await payInThree()

  expect(row).toMatchObject({ totalCents: 10_401, interestCents: 401 })
  expect(row).toMatchObject({ feeCents: 401 + 540, feeSource: 'company', expectedOn: null })
  expect(computeNet(row)).toBe(9_460)
})

test('what it says later puts the payment right: its fees, the interest, and the day', async () => {
  const row = await payInThree()
  const paidOutAt = new Date(clock.now().getTime() + 14 * DAY_MS)
  fake.tellPayout(row.id, {
    ...{ status: 'approved', transaction_amount: 100, transaction_amount_refunded: 0 },
    transaction_details: RECEIVED,
    money_release_date: paidOutAt.toISOString().replace('Z', '-00:00'),
  })

  const told = await check(row.id)

  expect(told).toMatchObject({ feeCents: 401 + 498, feeSource: 'provider', payoutParts: 1 })
  expect(told.expectedOn! > row.createdAt.slice(0, 10)).toBe(true)
  expect(computeNet(told)).toBe(9_502)
})

test.each([
  ['another payment', { external_reference: 'somebody-else' }],
  ['nothing received as yet', { transaction_details: { ...RECEIVED, net_received_amount: 0 } }],
  ['an amount that is no number', { transaction_details: { net_received_amount: 'much' } }],
  ['a payment with a partial refund', { transaction_amount_refunded: 10 }],
  ['a payment that was refused', { status: 'rejected' }],
  ['nonsense', { transaction_details: 'none' }],
])('%s leaves what the company told', async (_, odd) => {
  const row = await payInThree()
  const told = { status: 'approved', transaction_amount: 100, transaction_details: RECEIVED }
  fake.tellPayout(row.id, { ...told, ...odd })

  expect(await check(row.id)).toMatchObject({ feeCents: 941, feeSource: 'company' })
})

test('a coupon of Mercado Pago’s own is not a smaller fee', async () => {
  const row = await payInThree()
  fake.tellPayout(row.id, {
    ...{ status: 'approved', transaction_amount: 100 },
    transaction_details: { net_received_amount: 95.02, total_paid_amount: 90 },
  })

  expect(await check(row.id)).toMatchObject({ feeCents: 498, feeSource: 'provider' })
})

test('without a word of it the payment is approved all the same', async () => {
  const { row } = await pay(await newCardLink(), buildMercadoPagoCard('ok', {}))

  expect(await check(row.id)).toMatchObject({ status: 'approved', feeCents: null })
})
