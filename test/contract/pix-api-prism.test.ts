// The adapter and the fake bank before Banco Central's description of the API Pix 2.9.0: Prism stands
// between them and lets neither say what the description does not.
import { expect, test } from 'vitest'
import { createPixApiProvider } from '../../src/providers/pix-api/provider.ts'
import { buildBankConfig, openFakeBank } from '../support/providers/fake-bank.ts'
import {
  buildPixChargeKey,
  buildRefundRequest,
  newPixCharge,
} from '../support/providers/pix-charges.ts'
import { descriptionAt, openPrism } from './prism.ts'

const FILE = 'pix-api-openapi.mock.json'
const description = descriptionAt(FILE)
const now = () => new Date()

if (description) {
  const bank = await openFakeBank()
  const prism = await openPrism(description, bank.url)
  const provider = createPixApiProvider(buildBankConfig(prism.url), { now })

  test('a charge is made, found, and given up as the description says', async () => {
    const charge = newPixCharge(now())
    const company = newPixCharge(now(), {
      payer: { name: 'Sol Ltda', email: null, taxId: '12ABC34501DE35', phone: null },
    })

    const made = await provider.charge(charge, now())
    const other = await provider.charge(company, now())
    const found = await provider.find(buildPixChargeKey(charge, charge.txid), now())
    await provider.cancel(buildPixChargeKey(charge, charge.txid), now())
    const canceled = await provider.find(buildPixChargeKey(charge, charge.txid), now())
    const unknown = await provider.find(buildPixChargeKey(newPixCharge(now()), null), now())

    expect([made, other, found, canceled, unknown]).toMatchObject([
      { status: 'pending', reference: charge.txid },
      { status: 'pending', reference: company.txid },
      { status: 'pending', reference: charge.txid },
      { status: 'canceled', reference: charge.txid },
      { status: 'unknown' },
    ])
    expect(prism.violations).toEqual([])
  })

  test('a payment is found and goes back as the description says', async () => {
    const charge = newPixCharge(now())
    await provider.charge(charge, now())
    const { endToEndId } = bank.pay(charge.txid, 1_990)
    const key = buildPixChargeKey(charge, charge.txid)
    const part = buildRefundRequest(charge, 500, { reference: charge.txid, endToEndId })
    const tooMuch = buildRefundRequest(charge, 1_500, { reference: charge.txid, endToEndId })

    const paid = await provider.find(key, now())
    const refund = await provider.refund(part, now())
    const again = await provider.findRefund(part, now())
    const failed = await provider.refund(tooMuch, now())
    await provider.cancel(key, now())
    const returned = await provider.find(key, now())

    expect([paid, refund, again, failed, returned]).toMatchObject([
      { status: 'approved', received: [{ amountCents: 1_990, endToEndId }] },
      { status: 'succeeded' },
      { status: 'succeeded' },
      { status: 'failed', reason: 'refused' },
      { status: 'approved', received: [{ refundedCents: 1_990 }] },
    ])
    expect(prism.violations).toEqual([])
  })

  test('a payment that is not listed with its charge is looked for as the description says', async () => {
    const charge = newPixCharge(now())
    await provider.charge(charge, now())
    bank.pay(charge.txid, 1_990)
    bank.book.manner.hidesPayments = true

    const found = await provider.find(buildPixChargeKey(charge, null), now())

    expect(found).toMatchObject({
      status: 'approved',
      received: [{ amountCents: 1_990 }],
    })
    expect(prism.violations).toEqual([])
  })

  test('the webhook is registered and the connection tried as the description says', async () => {
    const before = await provider.testConnection(now())
    await provider.registerNotifications!('https://vintem.example.com/webhooks/pix-api/segredo')
    const after = await provider.testConnection(now())

    const steps = ['token', 'read', 'webhook'].map((step) => ({ step, ok: true }))
    expect([before, after]).toEqual([steps, steps])
    expect(prism.violations).toEqual([])
  })

  test('what the description forbids does not come through', async () => {
    const charge = newPixCharge(now(), {
      payer: { name: 'Maria', email: null, taxId: '5299822472X', phone: null },
    })

    await expect(provider.charge(charge, now())).rejects.toThrow('422')

    expect(bank.calls(new RegExp(`PUT /cob/${charge.txid}`))).toEqual([])
    expect(prism.violations).not.toEqual([])
  })
} else {
  test.skip(`the description ${FILE} is not beside the project: the adapter was not held to it`, () => {})
}
