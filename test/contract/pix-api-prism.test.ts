// The adapter and the fake bank before Banco Central's description of the API Pix 2.9.0: Prism stands
// between them and lets neither say what the description does not.
import { expect, test } from 'vitest'
import { createPixApiProvider } from '../../src/providers/pix-api/provider.ts'
import { buildBankConfig, openFakeBank } from '../support/providers/bank/fake.ts'
import { buildPixChargeKey, newPixCharge } from '../support/providers/charges.ts'
import { describeRegistration, describeReturns } from './pix-cases.ts'
import { findDescription, openPrism } from './prism.ts'

const description = findDescription('pix-api')
const now = () => new Date()

const bank = await openFakeBank()
const prism = await openPrism(description, bank.url)
const provider = createPixApiProvider(buildBankConfig(prism.url), { now })
const asked = { provider, violations: prism.violations, now }

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

describeReturns({
  ...asked,
  referenceOf: ({ txid }) => txid,
  pay: ({ txid }, cents) => bank.pay(txid, cents),
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

describeRegistration(asked, 'pix-api')

test('what the description forbids does not come through', async () => {
  const charge = newPixCharge(now(), { totalCents: 1_000_000_000_000_000 })

  await expect(provider.charge(charge, now())).rejects.toThrow('422')

  expect(bank.calls(new RegExp(`PUT /cob/${charge.txid}`))).toEqual([])
  expect(prism.violations).not.toEqual([])
})
