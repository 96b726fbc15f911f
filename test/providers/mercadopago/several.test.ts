// Orders of Mercado Pago with more than one payment: a paid one counts, and each paid one is read by itself.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'

const { clock, fake, provider, card, pix, chargeOf, find } = await openMercadoPago()

async function paidTwice() {
  const charge = card()
  const reference = await chargeOf(charge)
  fake.payAgain(reference)
  const payments = fake.orderOf(reference).transactions.payments
  const [first, second] = payments.map(({ id }) => id) as [string, string]
  return { charge, reference, first, second, payments }
}

test('two paid payments are told with what went back of each, and the one that is left pays the sale', async () => {
  const { charge, reference, first, second } = await paidTwice()
  fake.refundHere(reference, 2_500, second)
  const both = await find(charge, reference)
  fake.refundHere(reference, null, first)
  const one = await find(charge, reference)

  expect(both).toMatchObject({
    ...{ status: 'approved', paidCents: 10_000, refundedCents: 0 },
    charges: [
      { endToEndId: first, amountCents: 10_000, refundedCents: 0 },
      { endToEndId: second, amountCents: 10_000, refundedCents: 2_500 },
    ],
  })
  expect(one).toMatchObject({ status: 'approved', paidCents: 10_000, refundedCents: 2_500 })
})

test('a refund that names no payment of two is made of the one that is left', async () => {
  const { charge, reference, first, second } = await paidTwice()
  fake.refundHere(reference, null, first)
  const { transactionId, method, totalCents } = charge
  const key = { refundId: newId(), transactionId, method, endToEndId: null, reference: null }
  const others = { earlier: [], laterReferences: [], isFirst: true, amountCents: 2_500, totalCents }
  const request = { ...key, ...others, chargeReference: reference }

  expect(await provider.refund(request, clock.now())).toMatchObject({ status: 'succeeded' })
  const { refunds } = fake.orderOf(reference).transactions
  expect(refunds.at(-1)).toMatchObject({ transaction_id: second, amount: '25.00' })
})

test('a refund that names a payment of two is made of it, in part and whole', async () => {
  const { charge, reference, first, second, payments } = await paidTwice()
  const { transactionId, method, totalCents } = charge
  const refund = (endToEndId: string, amountCents: number) => {
    const key = { refundId: newId(), transactionId, method, endToEndId, reference: null }
    const others = { earlier: [], laterReferences: [], isFirst: true }
    const request = { ...key, chargeReference: reference, amountCents, totalCents, ...others }
    return provider.refund(request, clock.now())
  }

  const outcomes = [await refund(second, 10_000), await refund(first, 2_500)]

  const { refunds } = fake.orderOf(reference).transactions
  expect(outcomes).toEqual(refunds.map(({ id }) => ({ status: 'succeeded', reference: id })))
  expect(refunds).toMatchObject([
    { transaction_id: second, amount: '100.00' },
    { transaction_id: first, amount: '25.00' },
  ])
  expect(payments.map(({ status }) => status)).toEqual(['processed', 'refunded'])
})

test('a chargeback names the payment that it is of', async () => {
  const { charge, reference, second, payments } = await paidTwice()
  const { chargebacks } = fake.orderOf(reference).transactions
  chargebacks.push({
    ...{ id: 'CBK1', transaction_id: second, case_id: '1', status: 'settled', amount: null },
  })
  payments[1]!.status = 'charged_back'

  expect(await find(charge, reference)).toMatchObject({
    ...{ status: 'approved', refundedCents: 0 },
    disputes: [{ reference: second, endToEndId: second, amountCents: 10_000, status: 'lost' }],
  })
})

test.each([card, pix])('a payment that is paid after another failed counts', async (build) => {
  const charge = build()
  const reference = await chargeOf(charge)
  fake.moveTo(reference, 'failed', 'cc_rejected_other_reason')
  const failed = await find(charge, reference)
  fake.payAgain(reference)

  expect(failed).toMatchObject({ status: 'declined' })
  expect(await find(charge, reference)).toMatchObject({ status: 'approved' })
})
