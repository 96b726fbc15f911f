// Several charges of Malga for one payment: all paid ones are told, and a refund reaches the one that it names.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import type { CardCharge } from '../../../src/providers/provider.ts'
import { buildChargeKey } from '../../support/providers/charges.ts'
import { openMalga } from '../../support/providers/malga/account.ts'

const { clock, fake, logged, provider, card, chargeOf } = await openMalga()

async function paidTwice() {
  const charge = card()
  const reference = await chargeOf(charge)
  const second = fake.chargeAgain(charge.transactionId)
  return { charge, reference, second }
}

const findInBackground = (charge: CardCharge, reference: string) =>
  provider.find(buildChargeKey(charge, reference), clock.now(), 'background')

test('two paid charges are told in the background, and each is refunded by its own id', async () => {
  const { charge, reference, second } = await paidTwice()
  const both = await findInBackground(charge, reference)
  const { transactionId, method, totalCents } = charge
  const key = { refundId: newId(), transactionId, method, endToEndId: second.id, reference: null }
  const others = { earlier: [], laterReferences: [], isFirst: true }
  const request = { ...key, chargeReference: reference, amountCents: 401, totalCents, ...others }
  const refund = await provider.refund(request, clock.now())

  expect(both).toMatchObject({
    ...{ status: 'approved', reference, paidCents: 10_401, refundedCents: 0 },
    charges: [reference, second.id].map((id) => ({ endToEndId: id, amountCents: 10_401 })),
  })
  expect(refund).toMatchObject({ status: 'succeeded' })
  expect(second.amount).toBe(10_000)
  expect(await findInBackground(charge, reference)).toMatchObject({
    ...{ refundedCents: 0, charges: [{ refundedCents: 0 }, { refundedCents: 401 }] },
  })
})

test('a list that cannot be used hides nothing of the charge itself', async () => {
  const { charge, reference } = await paidTwice()
  fake.next({ on: /^GET .v1.charges$/, does: 'answer', status: 500 })

  const outcome = await findInBackground(charge, reference)

  expect(outcome).toMatchObject({ status: 'approved', paidCents: 10_401 })
  expect(outcome).not.toHaveProperty('charges')
  expect(logged.at(-1)).toContain('did not list the charges')
})

test('an unwanted payment is voided with all of its charges', async () => {
  const { charge, reference } = await paidTwice()

  await provider.cancel(buildChargeKey(charge, reference), clock.now())

  expect(fake.charges().filter(({ orderId }) => orderId === charge.transactionId)).toMatchObject([
    { status: 'voided' },
    { status: 'voided' },
  ])
})
