// A Mercado Pago that writes its orders in another way than it describes them.
import { expect, test } from 'vitest'
import {
  changeFields,
  type Dialect,
  renameFields,
  rewriteFields,
} from '../../support/providers/bank/dialects.ts'
import { buildChargeKey } from '../../support/providers/charges.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'

const { clock, fake, open, pix, charge, chargeOf, find } = await openMercadoPago()
const AMOUNTS = ['amount', 'paid_amount', 'total_amount', 'total_paid_amount', 'refunded_amount']

const DIALECTS: Record<string, Dialect> = {
  'names in camels': renameFields(
    new Map([
      ['external_reference', 'externalReference'],
      ['total_amount', 'totalAmount'],
      ['payment_method', 'paymentMethod'],
      ['qr_code', 'QRCode'],
    ]),
  ),
  'our id in capitals': changeFields(['external_reference'], (text) => text.toUpperCase()),
  'amounts with a comma': changeFields(AMOUNTS, (text) => text.replace('.', ',')),
  'amounts as numbers': changeFields(AMOUNTS, Number),
  'states in capitals': changeFields(['status', 'status_detail'], (text) => text.toUpperCase()),
  'blanks for what is not there': rewriteFields((name, value) => [name, value ?? '']),
}

test.each(Object.entries(DIALECTS))(
  'a Mercado Pago that writes %s is read',
  async (_how, speak) => {
    fake.settings.speak = speak
    const request = pix()

    const made = await charge(request)
    const { reference } = made as { reference: string }
    fake.payPix(reference)
    fake.refundHere(reference, 2_500)

    expect(made).toMatchObject({ status: 'pending', pixBrCode: expect.stringMatching(/^000201/) })
    expect(await find(request, reference)).toMatchObject({
      status: 'approved',
      received: [{ amountCents: 10_000, refundedCents: 2_500 }],
    })
  },
)

test('a paid order with an amount that cannot be read is reported with the name of the field', async () => {
  const unreadable: string[] = []
  const account = open({}, { onUnreadable: (field: string) => void unreadable.push(field) })
  const request = pix()
  const reference = await chargeOf(request)
  fake.payPix(reference)
  fake.settings.speak = changeFields(['paid_amount'], () => '1.234')

  const outcome = await account.find(buildChargeKey(request, reference), clock.now())

  const field = 'transactions.payments.0.paid_amount'
  expect(outcome).toEqual({ status: 'unreadable', reference, field })
  expect(unreadable).toEqual([field])
})

test('an order that waits and cannot be read is no verdict', async () => {
  const request = pix()
  const reference = await chargeOf(request)
  fake.settings.speak = changeFields(['amount'], () => 'cem')

  await expect(find(request, reference)).rejects.toThrow('could not be read')
})
