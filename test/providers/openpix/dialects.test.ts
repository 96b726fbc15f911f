// A Woovi that writes its answers in another way than its description, and lists more than was asked for.
import { afterEach, expect, test } from 'vitest'
import { createOpenPixProvider } from '../../../src/providers/openpix/provider.ts'
import {
  changeFields,
  type Dialect,
  dropNamed,
  renameFields,
  rewriteFields,
  toBrasilia,
} from '../../support/providers/bank/dialects.ts'
import {
  buildPixChargeKey,
  buildRefundRequest,
  newPixCharge,
} from '../../support/providers/charges.ts'
import { openFakeOpenPix } from '../../support/providers/openpix/fake.ts'

const now = () => new Date()
const woovi = await openFakeOpenPix()
const unreadable: string[] = []
const provider = createOpenPixProvider(woovi.config, {
  ...{ now, createDeadline: woovi.createDeadline },
  onUnreadable: (field) => void unreadable.push(field),
})
const { manner } = woovi.book
const good = { ...manner }
const INSTANTS = ['time', 'createdAt', 'updatedAt', 'expiresDate']

const DIALECTS: Record<string, Dialect> = {
  'names in other letters': renameFields(
    new Map([
      ['correlationID', 'correlationId'],
      ['endToEndId', 'endToEndID'],
      ['transactionID', 'transaction_id'],
      ['brCode', 'BRCode'],
    ]),
  ),
  'ids in capitals': changeFields(['correlationID'], (text) => text.toUpperCase()),
  'cents as text': rewriteFields((name, value) => [name, name === 'value' ? `${value}.0` : value]),
  'instants without a zone': changeFields(INSTANTS, (text) => toBrasilia(text, '')),
  'no time': rewriteFields(dropNamed('time')),
  'all in data': (body) => ('error' in body ? body : { success: true, data: body }),
  'blanks for what is not there': (body) => ({ error: '', comment: null, ...body }),
  'status in small letters': changeFields(['status', 'type'], (text) => text.toLowerCase()),
  'an unreadable movement beside ours': rewriteFields((name, value) => [
    name,
    name === 'transactions' ? [{ value: 'dez', charge: null }, null, ...[value].flat()] : value,
  ]),
}

afterEach(() => void Object.assign(manner, good))

test.each(Object.entries(DIALECTS))('a Woovi that writes %s is read', async (_how, speak) => {
  manner.speak = speak
  const charge = newPixCharge(now())

  const made = await provider.charge(charge, now())
  const pix = woovi.pay(charge.transactionId, 1_990)
  const key = buildPixChargeKey(charge, charge.transactionId)
  const approved = await provider.find(key, now())
  const paid = { reference: charge.transactionId, endToEndId: pix.endToEndId }
  const request = buildRefundRequest(charge, 600, paid)
  const refunds = [await provider.refund(request, now()), await provider.findRefund(request, now())]

  expect(made).toMatchObject({ status: 'pending', reference: charge.transactionId })
  expect(approved).toMatchObject({ received: [{ endToEndId: pix.endToEndId, amountCents: 1_990 }] })
  expect(refunds).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
  expect(await provider.find(key, now())).toMatchObject({
    reference: charge.transactionId,
    received: [{ refundedCents: 600, returns: [{ reference: request.refundId }] }],
  })
})

test('ours is found among 150 of others', async () => {
  manner.ignoresFilters = true
  for (let i = 0; i < 150; i++) woovi.pay(`outro-${i}`, 7_700)
  const charge = newPixCharge(now())
  await provider.charge(charge, now())
  woovi.pay(charge.transactionId, 1_990)

  const outcome = await provider.find(buildPixChargeKey(charge, charge.transactionId), now())

  expect(outcome).toMatchObject({ status: 'approved', received: [{ amountCents: 1_990 }] })
  expect(outcome).toHaveProperty('received.length', 1)
})

test('what came in and cannot be read is told with the name of the field', async () => {
  const charge = newPixCharge(now())
  await provider.charge(charge, now())
  woovi.pay(charge.transactionId, 1_990)
  manner.speak = (body) =>
    'transactions' in body ? changeFields(['type'], String)(withValue(body, '19,90')) : body

  const outcome = await provider.find(buildPixChargeKey(charge, charge.transactionId), now())

  const reference = charge.transactionId
  expect(outcome).toEqual({ status: 'unreadable', reference, field: 'value' })
  expect(unreadable).toContain('transactions.value')
})

function withValue(body: object, value: string) {
  return rewriteFields((name, inner) => [name, name === 'value' ? value : inner])(body) as object
}

test('a notification behind a byte order mark, of other letters, is read', async () => {
  const reference = '0199aaaa-0000-7000-8000-000000000000'
  const body = Buffer.from(`\uFEFF${JSON.stringify({ Charge: { correlationId: reference } })}`)

  const reading = await provider.readNotification(woovi.signer.notify(body))

  expect(reading).toEqual({ kind: 'read', hints: [{ kind: 'reference', reference }] })
})
