// Money given back through Mercado Pago, by us and at Mercado Pago itself.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import type { Charge, EarlierRefund, RefundRequest } from '../../../src/providers/provider.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'
import type { WireFault } from '../../support/providers/server.ts'

const { clock, fake, provider, card, chargeOf, find } = await openMercadoPago()

function refundOf(
  charge: Charge,
  chargeReference: string,
  amountCents: number,
  ...earlier: EarlierRefund[]
): RefundRequest {
  const { transactionId, method, totalCents } = charge
  const key = { refundId: newId(), transactionId, method, endToEndId: null, reference: null }
  const others = { earlier, laterReferences: [], isFirst: true }
  return { ...key, chargeReference, amountCents, totalCents, ...others }
}

const refund = (request: RefundRequest) => provider.refund(request, clock.now())
const findRefund = (request: RefundRequest, reference: string | null) =>
  provider.findRefund({ ...request, reference }, clock.now())

async function paid(more: object = {}) {
  const charge = card('ok', more)
  return { charge, reference: await chargeOf(charge) }
}

test('a refund of all is asked for once, with its own key, and is found by its id', async () => {
  const { charge, reference } = await paid()
  const request = refundOf(charge, reference, 10_000)

  const outcome = await refund(request)

  const [made] = fake.orderOf(reference).transactions.refunds
  expect(outcome).toEqual({ status: 'succeeded', reference: made!.id })
  expect(await findRefund(request, made!.id)).toEqual(outcome)
  expect(fake.calls(/^POST .*refund$/).at(-1)).toMatchObject({
    headers: { 'x-idempotency-key': request.refundId },
    body: {},
  })
  expect(await find(charge, reference)).toMatchObject({ refundedCents: 10_000 })
})

test('parts are refunded by the payment and their amount, and never more than is left', async () => {
  const { charge, reference } = await paid()

  const outcomes = [
    await refund(refundOf(charge, reference, 3_000)),
    await refund(refundOf(charge, reference, 3_000)),
    await refund(refundOf(charge, reference, 5_000)),
  ]

  expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'failed'])
  expect(outcomes[2]).toEqual({ status: 'failed', reason: 'refused' })
  expect(fake.calls(/^POST .*refund$/).at(-1)!.body).toEqual({
    transactions: [{ id: fake.orderOf(reference).transactions.payments[0]!.id, amount: '50.00' }],
  })
  expect(await find(charge, reference)).toMatchObject({ refundedCents: 6_000 })
})

test.each<[string, WireFault]>([
  ['answers nothing', { works: true, does: 'hang' }],
  ['a gateway on the way answers 404', { works: true, does: 'answer', status: 404 }],
  ['is still busy', { works: true, does: 'answer', status: 423 }],
])('when Mercado Pago gives back and %s, asking again gives back nothing more', async (...told) => {
  const { charge, reference } = await paid()
  const request = refundOf(charge, reference, 4_000)
  fake.next({ does: 'pass' }, told[1])

  await expect(refund(request)).rejects.toThrow()
  expect(await findRefund(request, null)).toEqual({ status: 'unknown' })
  const again = await refund(request)
  fake.keys.strict = true
  const strictly = await refund(request)

  const refunds = fake.orderOf(reference).transactions.refunds
  expect(refunds).toHaveLength(1)
  expect(again.status).toMatch(/succeeded|processing/)
  expect(strictly).toEqual({ status: 'succeeded', reference: refunds[0]!.id })
})

test('a refund of all with a lost answer is the one that the order holds', async () => {
  const { charge, reference } = await paid()
  const request = refundOf(charge, reference, 10_000)
  fake.next({ does: 'pass' }, { works: true, does: 'hang' })
  fake.keys.strict = true

  await expect(refund(request)).rejects.toThrow()

  const [made] = fake.orderOf(reference).transactions.refunds
  expect(await refund(request)).toEqual({ status: 'succeeded', reference: made!.id })
})

test.each([3_000, 10_000])(
  'a refund of %i cents that the answer does not name is the one that the order holds',
  async (cents) => {
    fake.settings.namesRefunds = false
    const { charge, reference } = await paid()

    const outcome = await refund(refundOf(charge, reference, cents))

    const [made] = fake.orderOf(reference).transactions.refunds
    expect(outcome).toEqual({ status: 'succeeded', reference: made!.id })
  },
)

test('of an order charged at another amount than its own, what is left is that amount', async () => {
  const { charge, reference } = await paid({ totalCents: 9_000 })
  fake.orderOf(reference).transactions.payments[0]!.amount = '90.00'
  const request = refundOf(charge, reference, 9_000)
  fake.next({ does: 'pass' }, { works: true, does: 'hang' })
  fake.keys.strict = true

  await expect(refund(request)).rejects.toThrow()

  expect(await refund(request)).toMatchObject({ status: 'succeeded' })
})

test.each([true, false])(
  'with interest too, a refund with a lost answer is asked for again as it was (strict: %s)',
  async (strict) => {
    const { charge, reference } = await paid({ installments: 3, totalCents: 10_401 })
    const request = refundOf(charge, reference, 6_000)
    fake.next({ does: 'pass' }, { works: true, does: 'hang' })
    fake.keys.strict = strict

    await expect(refund(request)).rejects.toThrow()

    const [made, another] = fake.orderOf(reference).transactions.refunds
    expect(await refund(request)).toEqual({ status: 'succeeded', reference: made!.id })
    expect(another).toBeUndefined()
  },
)

test.each<[string, number, number]>([
  ['of the same amount', 3_000, 3_000],
  ['of all, after a part went back unheard of', 10_000, 4_000],
])('an order in no state to be refunded refunds nothing: %s', async (_what, cents, gone) => {
  const { charge, reference } = await paid()
  const before = refundOf(charge, reference, gone)
  const first = (await refund(before)) as { reference: string }
  fake.moveTo(reference, 'processing', 'in_review')

  const known = { reference: first.reference, amountCents: gone, isDone: true }
  const outcome = await refund(
    refundOf(charge, reference, cents, ...(cents === gone ? [known] : [])),
  )

  expect(outcome).toEqual({ status: 'failed', reason: 'refused' })
  expect(fake.orderOf(reference).transactions.refunds).toHaveLength(1)
})

test('a refund takes its time, and may fail in the end', async () => {
  fake.settings.refundStatus = 'processing'
  const { charge, reference } = await paid()
  const request = refundOf(charge, reference, 1_000)

  const outcome = await refund(request)
  const [made] = fake.orderOf(reference).transactions.refunds
  const stood = await find(charge, reference)
  made!.status = 'failed'

  expect(outcome).toEqual({ status: 'processing', reference: made!.id })
  expect(stood).toMatchObject({ refundedCents: 0 })
  expect(await findRefund(request, made!.id)).toMatchObject({ status: 'failed', reason: 'refused' })
})

test('without the money for it a refund fails, and says so', async () => {
  fake.settings.balanceIsShort = true
  const { charge, reference } = await paid()

  const outcome = await refund(refundOf(charge, reference, 1_000))

  expect(outcome).toEqual({ status: 'failed', reason: 'insufficient_balance' })
})

test.each([true, false])(
  'what was paid with interest goes back in parts to the last cent (told: %s)',
  async (tellsInterest) => {
    fake.settings.tellsInterest = tellsInterest
    const { charge, reference } = await paid({ installments: 3, totalCents: 10_401 })

    const first = await refund(refundOf(charge, reference, 5_000))
    const between = await find(charge, reference)
    const request = refundOf(charge, reference, 5_401, {
      reference: null,
      amountCents: 5_000,
      isDone: false,
    })
    const rest = await refund(request)
    const again = await refund(request)

    expect([first.status, rest.status]).toEqual(['succeeded', 'succeeded'])
    expect(again).toEqual(rest)
    expect(between).toMatchObject({ paidCents: 10_401, refundedCents: 5_000 })
    expect(await find(charge, reference)).toMatchObject({ refundedCents: 10_401 })
    expect(fake.orderOf(reference).transactions.refunds.map(({ amount }) => amount)).toEqual([
      '50.00',
      '50.00',
    ])
  },
)

test('money given back at Mercado Pago itself is told with the payment', async () => {
  const { charge, reference } = await paid({ installments: 3, totalCents: 10_401 })

  fake.refundHere(reference, 2_500)
  const part = await find(charge, reference)
  fake.refundHere(reference, null)

  expect(part).toMatchObject({ status: 'approved', refundedCents: 2_500 })
  expect(await find(charge, reference)).toMatchObject({ status: 'approved', refundedCents: 10_401 })
})

test('a payment that Mercado Pago does not know gives nothing back', async () => {
  const { charge } = await paid()

  const outcome = await refund(refundOf(charge, 'ORDTST00000000000000000000', 1_000))

  expect(outcome).toEqual({ status: 'failed', reason: 'refused' })
})

test.each([
  ['no amount', null],
  ['what is no amount', 'R$ 10'],
])(
  'an order is read though a refund in it tells %s, and its payment tells it',
  async (_how, amount) => {
    const [whole, part] = [await paid(), await paid()]
    Object.assign(fake.refundHere(whole.reference, null)!, { amount })
    Object.assign(fake.refundHere(part.reference, 1_000)!, { id: 217_000, amount })
    const partlyRefunded = { refunded_amount: '10.00' }
    Object.assign(fake.orderOf(part.reference).transactions.payments[0]!, partlyRefunded)

    expect(await find(whole.charge, whole.reference)).toMatchObject({ refundedCents: 10_000 })
    expect(await find(part.charge, part.reference)).toMatchObject({ refundedCents: 1_000 })
  },
)

test('a refund of all with a lost answer is found though the order does not tell its amount', async () => {
  const { charge, reference } = await paid()
  const request = refundOf(charge, reference, 10_000)
  fake.next({ does: 'pass' }, { works: true, does: 'hang' })
  await expect(refund(request)).rejects.toThrow()
  const [made] = fake.orderOf(reference).transactions.refunds
  Object.assign(made!, { amount: null })
  fake.keys.strict = true

  expect(await refund(request)).toEqual({ status: 'succeeded', reference: made!.id })
})
