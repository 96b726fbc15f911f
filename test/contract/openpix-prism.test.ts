// The adapter and the fake Woovi before Woovi's description of its API: Prism stands between them and lets
// neither say what the description does not.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createOpenPixProvider } from '../../src/providers/openpix/provider.ts'
import {
  buildPixChargeKey,
  buildRefundRequest,
  newPixCharge,
} from '../support/providers/charges.ts'
import { openFakeOpenPix } from '../support/providers/openpix/fake.ts'
import { describeRegistration, describeReturns } from './pix-cases.ts'
import { findDescription, openPrism } from './prism.ts'

const description = findDescription('openpix')
const now = () => new Date()

const woovi = await openFakeOpenPix()
const prism = await openPrism(withAppIdAsKey(description), woovi.url)
const provider = createOpenPixProvider({ ...woovi.config, baseUrl: prism.url }, { now })
const asked = { provider, violations: prism.violations, now }

test('a charge is made, found, and given up as the description says', async () => {
  const charge = newPixCharge(now())
  const company = newPixCharge(now(), {
    payer: { name: 'Sol Ltda', email: 'oi@sol.example', taxId: null, phone: null },
  })
  const key = buildPixChargeKey(charge, charge.transactionId)

  const made = await provider.charge(charge, now())
  const again = await provider.charge(charge, now())
  const other = await provider.charge(company, now())
  const found = await provider.find(key, now())
  await provider.cancel(key, now())
  const canceled = await provider.find(key, now())
  const unknown = await provider.find(buildPixChargeKey(newPixCharge(now()), null), now())

  expect([made, again, other, found, canceled, unknown]).toMatchObject([
    { status: 'pending', reference: charge.transactionId },
    { status: 'pending', reference: charge.transactionId },
    { status: 'pending', reference: company.transactionId },
    { status: 'pending', reference: charge.transactionId },
    { status: 'unknown' },
    { status: 'unknown' },
  ])
  expect(prism.violations).toEqual([])
})

describeReturns({
  ...asked,
  referenceOf: ({ transactionId }) => transactionId,
  pay: ({ transactionId }, cents) => woovi.pay(transactionId, cents),
})

test('a Pix without a charge goes back as the description says', async () => {
  const { endToEndId } = woovi.pay('', 1_990)
  const paid = { reference: null, endToEndId }
  const request = {
    ...buildRefundRequest(newPixCharge(now()), 1_990, paid),
    transactionId: null,
  }

  const sent = await provider.refund(request, now())
  const found = await provider.findRefund(request, now())

  expect([sent.status, found.status]).toEqual(['succeeded', 'succeeded'])
  expect(prism.violations).toEqual([])
})

test('a dispute is read as the description says', async () => {
  const charge = newPixCharge(now())
  await provider.charge(charge, now())
  woovi.dispute(woovi.pay(charge.transactionId, 1_990), 'ACCEPTED', 1_990)

  const found = await provider.find(buildPixChargeKey(charge, null), now())

  expect(found).toMatchObject({ status: 'approved', disputes: [{ status: 'lost' }] })
  expect(prism.violations).toEqual([])
})

describeRegistration(asked, 'openpix')

test('what the description forbids does not come through, said by Woovi either', async () => {
  const standing = newPixCharge(now())
  await provider.charge(standing, now())
  const change = (said: Record<string, unknown>) =>
    void Object.assign(said.charge as object, { comment: 7 })
  woovi.next({ on: /^GET .charge/, does: 'say', change })

  await expect(provider.find(buildPixChargeKey(standing, null), now())).rejects.toThrow('500')

  expect(prism.violations).toHaveLength(1)
})

test('nor by us', async () => {
  const charge = newPixCharge(now(), { totalCents: 'muito' as unknown as number })

  await expect(provider.charge(charge, now())).rejects.toThrow('422')

  expect(woovi.book.charges.has(charge.transactionId)).toBe(false)
  expect(prism.violations).toHaveLength(2)
})

/** It calls the AppID OAuth 2.0, which Prism takes for "Bearer"; its own text says that it goes alone. */
function withAppIdAsKey(path: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-openpix-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const document = JSON.parse(readFileSync(path, 'utf8'))
  document.components.securitySchemes.AppID = {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
  }
  const copy = join(folder, 'openpix.json')
  writeFileSync(copy, JSON.stringify(document))
  return copy
}
