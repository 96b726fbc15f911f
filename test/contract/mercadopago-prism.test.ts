// The adapter and the fake Mercado Pago before the description of its API: Prism stands between them and
// lets neither say what the description does not.
import { expect, test } from 'vitest'
import { buildChargeKey, buildRefundRequest } from '../support/providers/charges.ts'
import { openMercadoPago } from '../support/providers/mercadopago/account.ts'
import { correctDescription, findDescription, openPrism } from './prism.ts'

// The documentation of orders and the SDK send it as text, like every amount of an order.
const UNIT_PRICE = '/components/schemas/OrderItem/properties/unit_price/type'
const number = { type: 'number' }
const text = { type: 'string' }
// Of its by-product/payments, as far as we read it.
const PAYMENTS = {
  '/v1/payments/search': {
    get: {
      parameters: [
        { name: 'sort', in: 'query', required: true, schema: text },
        { name: 'criteria', in: 'query', required: true, schema: { enum: ['asc', 'desc'] } },
        { name: 'external_reference', in: 'query', schema: text },
      ],
      responses: {
        200: { description: 'Search results', content: buildJson(buildSearchResult()) },
      },
    },
  },
}
const description = correctDescription(
  findDescription('mercadopago'),
  { [UNIT_PRICE]: 'string' },
  PAYMENTS,
)
const now = () => new Date()

function buildJson(schema: object) {
  return { 'application/json': { schema } }
}

function buildSearchResult() {
  const details = { net_received_amount: number, total_paid_amount: number }
  const properties = {
    ...{ id: { type: 'integer' }, status: text, external_reference: text },
    ...{ transaction_amount: number, transaction_amount_refunded: number },
    transaction_details: { type: 'object', properties: details },
    money_release_date: { type: ['string', 'null'], format: 'date-time' },
  }
  const results = { type: 'array', items: { type: 'object', properties } }
  return { type: 'object', properties: { results } }
}

const { fake, pix, card, open } = await openMercadoPago()
const prism = await openPrism(description, fake.url)
const provider = open({ baseUrl: prism.url })

test('a Pix is made, found, and given up as the description says', async () => {
  const charge = pix()

  const made = await provider.charge(charge, now())
  const { reference } = made as { reference: string }
  const found = await provider.find(buildChargeKey(charge, reference), now())
  const lost = await provider.find(buildChargeKey(charge), now())
  await provider.cancel(buildChargeKey(charge, reference), now())
  const canceled = await provider.find(buildChargeKey(charge, reference), now())
  const unknown = await provider.find(buildChargeKey(pix()), now())

  expect([made, found, lost, canceled, unknown]).toMatchObject([
    { status: 'pending', reference },
    { status: 'pending', reference },
    { status: 'pending', reference },
    { status: 'canceled', reference },
    { status: 'unknown' },
  ])
  expect(prism.violations).toEqual([])
})

test('a card is charged, and its money goes back, as the description says', async () => {
  const deviceId = 'armor.0f544cb78efb1e79'
  const token = { token: 'fake_ok_0a1b2c3d', brand: 'visa', last4: '4242', deviceId }
  const charge = card('ok', { installments: 3, totalCents: 10_401, card: token })

  const made = await provider.charge(charge, now())
  const { reference } = made as { reference: string }
  const { txid, expiresAt } = pix()
  const priced = { ...pix(), ...charge, method: 'pix' as const, txid, expiresAt }
  const part = {
    ...buildRefundRequest(priced, 500, { reference }),
    method: 'credit_card' as const,
  }
  const refund = await provider.refund(part, now())
  const again = await provider.refund(part, now())
  await provider.cancel(buildChargeKey(charge, reference), now())
  const returned = await provider.find(buildChargeKey(charge, reference), now())

  expect([made, refund, again, returned]).toMatchObject([
    { status: 'approved', paidCents: 10_401 },
    { status: 'succeeded' },
    { status: 'succeeded' },
    { status: 'approved', refundedCents: 10_401 },
  ])
  expect(prism.violations).toEqual([])
})

test('a challenge is waited for, and passed, as the description says', async () => {
  const charge = card('challenge')

  const made = await provider.charge(charge, now())
  const { reference } = made as { reference: string }
  fake.answerChallenge(reference, true)
  const passed = await provider.find(buildChargeKey(charge, reference), now())

  expect([made.status, passed.status]).toEqual(['awaiting_authentication', 'approved'])
  expect(prism.violations).toEqual([])
})

test('what it keeps of a payment is asked for as the description of payments says', async () => {
  const charge = card('ok', { installments: 3, totalCents: 10_401 })
  const made = await provider.charge(charge, now())
  const { reference } = made as { reference: string }
  fake.tellPayout(charge.transactionId, {
    ...{ id: 1, status: 'approved', transaction_amount: 100, transaction_amount_refunded: 0 },
    transaction_details: { net_received_amount: 95.02, total_paid_amount: 104.01 },
    money_release_date: '2027-01-11T09:30:00.000-04:00',
  })

  const found = await provider.find(buildChargeKey(charge, reference), now())

  const payout = { feeCents: 899, paidOutAt: '2027-01-11T13:30:00.000Z' }
  expect(found).toMatchObject({ status: 'approved', payout })
  expect(prism.violations).toEqual([])
})

test('installments are quoted and the connection is tried as the description says', async () => {
  fake.settings.listsSettings = false
  const rows = await provider.quotes!({ bin: '42424242', amountCents: 10_000 })
  const steps = await provider.testConnection(now())

  expect(rows).toHaveLength(12)
  expect(steps.map(({ ok }) => ok)).toEqual([true, true])
  expect(prism.violations).toEqual([])
})

test('what the description forbids does not come through', async () => {
  const charge = card('ok', { installments: 0 })

  // The refusal is that of a gateway, and says nothing of the order.
  await expect(provider.charge(charge, now())).rejects.toThrow('answered 422')

  expect(fake.ordersOf(charge.transactionId)).toEqual([])
})
