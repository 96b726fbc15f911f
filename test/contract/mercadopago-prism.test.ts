// The adapter and the fake Mercado Pago before the description of its API: Prism stands between them and
// lets neither say what the description does not.
import { expect, test } from 'vitest'
import { buildChargeKey, openMercadoPago } from '../support/providers/mercadopago.ts'
import { buildRefundRequest } from '../support/providers/pix-charges.ts'
import { correctDescription, descriptionAt, openPrism } from './prism.ts'

const FILE = 'mercadopago-orders.mock.json'
const file = descriptionAt(FILE)
// The documentation of orders and the SDK send it as text, like every amount of an order.
const UNIT_PRICE = '/components/schemas/OrderItem/properties/unit_price/type'
const description = file && correctDescription(file, { [UNIT_PRICE]: 'string' })
const now = () => new Date()

if (description) {
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

    const outcome = await provider.charge(charge, now())

    expect(outcome).toMatchObject({ status: 'declined', declineCode: 'provider_error' })
    expect(fake.ordersOf(charge.transactionId)).toEqual([])
  })
} else {
  test.skip(`the description ${FILE} is not beside the project: the adapter was not held to it`, () => {})
}
