// The pagarme adapter when something goes wrong: nothing is charged or given back twice, and nothing is guessed.
import { expect, test } from 'vitest'
import { ProviderDown } from '../../../src/providers/provider.ts'
import { buildChargeKey } from '../../support/providers/charges.ts'
import {
  buildCardRefund,
  openPagarmeAccount,
  TOTAL_CENTS,
} from '../../support/providers/pagarme/account.ts'
import type { WireFault } from '../../support/providers/server.ts'

const { now, pagarme, provider, logged, newCharge, charged, paid, find } =
  await openPagarmeAccount()

/** Ways to lose the answer to something that was done. */
const lostAnswers = (on: RegExp): [string, WireFault][] => [
  ['hangs', { on, works: true, does: 'hang' }],
  ['is garbage', { on, works: true, does: 'answer', status: 200 }],
]

const caught = (work: Promise<unknown>) => work.catch((error: unknown) => error)

test.each(lostAnswers(/^POST/))(
  'when the answer %s, an order is open until it is found by its code, and is one',
  async (_how, fault) => {
    const charge = newCharge()
    pagarme.next(fault)

    const failure = await caught(provider.charge(charge, now()))

    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(ProviderDown)
    expect(await find(buildChargeKey(charge, null))).toMatchObject({ status: 'awaiting_payer' })
    expect(pagarme.ordersOf(charge.transactionId)).toHaveLength(1)
  },
)

test.each([503, 409, 400, 422])(
  'a %d that Pagar.me itself did not explain is held against its orders',
  async (status) => {
    const [made, missed] = [newCharge(), newCharge()]
    pagarme.next({ on: /^POST/, works: true, does: 'answer', status })
    const outcome = await provider.charge(made, now())
    pagarme.next({ on: /^POST/, does: 'answer', status })
    const failure = await caught(provider.charge(missed, now()))

    expect(outcome).toMatchObject({ status: 'awaiting_payer' })
    expect(failure).toBeInstanceOf(status === 503 ? ProviderDown : Error)
    expect(pagarme.ordersOf(made.transactionId)).toHaveLength(1)
  },
)

test('an order that is refused with a reason is declined, and the reason is logged', async () => {
  const body = JSON.stringify({ message: 'The request is invalid.', errors: { 'x.y': ['no'] } })
  pagarme.next({ on: /^POST/, does: 'answer', status: 422, body })

  const outcome = await provider.charge(newCharge(), now())

  expect(outcome).toMatchObject({ status: 'declined', declineCode: 'provider_error' })
  expect(logged.at(-1)).toContain('The request is invalid.')
})

test('another order, or another amount, is never taken for ours', async () => {
  const { charge, key } = await charged()
  const other = await charged()
  pagarme.next({
    on: /^POST/,
    does: 'say',
    change: (order) => void Object.assign(order, { amount: 1 }),
  })

  await expect(provider.charge(newCharge(), now())).rejects.toThrow('not what was asked for')
  await expect(find(buildChargeKey(charge, other.reference))).rejects.toThrow('is not of payment')
  pagarme.next({
    on: /^GET .orders$/,
    does: 'say',
    change: (said) => void (said.data as object[]).unshift({ id: other.reference, code: 'x' }),
  })
  expect(await find({ ...key, reference: null })).toMatchObject({ reference: key.reference })
})

test('a search that lags is no order yet, and a gateway’s 404 is none either', async () => {
  const { key } = await charged()
  pagarme.manner.searchIsBlind = true
  expect(await find({ ...key, reference: null })).toEqual({ status: 'unknown' })
  pagarme.next({ on: /^GET/, does: 'answer', status: 404 })

  await expect(find(key)).rejects.toThrow('could not read a charge')
})

test('what was paid and cannot be read is told, with the field', async () => {
  const { key, reference } = await paid()
  const spoil = (said: Record<string, unknown>) =>
    void Object.assign(said, { charges: [{ id: 1 }] })
  pagarme.next({ on: /^GET/, does: 'say', change: spoil })

  expect(await find(key)).toEqual({
    ...{ status: 'unreadable', reference },
    field: expect.stringContaining('charges.0'),
  })
})

test('fields in another case, amounts as texts and nulls are read all the same', async () => {
  const { key } = await paid()
  pagarme.manner.speak = (body) => JSON.parse(JSON.stringify(body, changeSpelling))

  expect(await find(key)).toMatchObject({ status: 'approved', paidCents: TOTAL_CENTS })
})

/** `paid_amount: 100` → `PaidAmount: "100"`. */
function changeSpelling(_key: string, value: unknown) {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const camel = (name: string) =>
    name.replace(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [camel(name), one ?? null]))
}

// Refunds.

test('refunds in part go back once each, and never more than was paid', async () => {
  const { key, reference } = await paid()
  const first = buildCardRefund(key, 4_000)
  const done = { reference: first.refundId, amountCents: 4_000, isDone: true }
  const rest = buildCardRefund(key, TOTAL_CENTS - 4_000, [done])

  const outcomes = [
    await provider.refund(first, now()),
    await provider.refund(buildCardRefund(key, TOTAL_CENTS, [done]), now()),
    await provider.refund(rest, now()),
  ]

  expect(outcomes).toEqual([
    { status: 'succeeded', reference: first.refundId },
    { status: 'failed', reason: 'refused' },
    { status: 'succeeded', reference: rest.refundId },
  ])
  expect(pagarme.orders.get(reference)!.charges[0]).toMatchObject({ canceled_amount: TOTAL_CENTS })
})

test.each(lostAnswers(/^DELETE/))(
  'when the answer %s, a refund is found by the sum, and not made again when its key is forgotten',
  async (_how, fault) => {
    const { key, reference } = await paid()
    const request = buildCardRefund(key, 700)
    pagarme.next(fault)

    const failure = await caught(provider.refund(request, now()))
    const found = await provider.findRefund(request, now())
    pagarme.forgetKeys()
    const again = await provider.refund({ ...request, isFirst: false }, now())

    expect(failure).toBeInstanceOf(Error)
    expect([found, again]).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
    expect(pagarme.orders.get(reference)!.charges[0]!.canceled_amount).toBe(700)
  },
)

test('a sum that is told late leaves the refund processing, and it is not sent again', async () => {
  const { key, reference } = await paid()
  const request = buildCardRefund(key, 700)
  pagarme.next({ on: /^DELETE/, works: true, does: 'answer', status: 200, body: '{"id":"ch_1"}' })
  pagarme.next({
    on: /^GET/,
    times: 2,
    does: 'say',
    change: (order) =>
      void delete (order.charges as { canceled_amount?: number }[])[0]!.canceled_amount,
  })

  expect(await provider.refund(request, now())).toMatchObject({ status: 'processing' })
  pagarme.heal()
  expect(await provider.findRefund(request, now())).toMatchObject({ status: 'succeeded' })
  expect(pagarme.orders.get(reference)!.charges[0]!.canceled_amount).toBe(700)
})

test.each([
  [412, 'Saldo insuficiente', true, { status: 'failed', reason: 'insufficient_balance' }],
  [412, 'This charge was already canceled', true, { status: 'failed', reason: 'refused' }],
  [412, 'This charge was already canceled', false, { status: 'unconfirmed' }],
  [409, 'Request is being processed', true, { status: 'unconfirmed' }],
])('a refund refused with %d "%s" (first: %s) is %o', async (status, message, isFirst, outcome) => {
  const { key } = await paid()
  const body = JSON.stringify({ message })
  pagarme.next({ on: /^DELETE/, does: 'answer', status, body })

  const request = { ...buildCardRefund(key, 700), isFirst }
  expect(await provider.refund(request, now())).toMatchObject(outcome)
})

test('what goes back at Pagar.me itself is told as a sum', async () => {
  const { key, reference } = await paid()
  pagarme.refundHere(reference, 300)

  expect(await find(key)).toMatchObject({ status: 'approved', refundedCents: 300 })
})
