// The mercadopago adapter when something goes wrong: what was charged is never guessed.
import { expect, test } from 'vitest'
import { ProviderDown } from '../../../src/providers/provider.ts'
import { buildChargeKey } from '../../support/providers/charges.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'

const { clock, fake, provider, open, pix, card, charge, chargeOf, find } = await openMercadoPago()

test('when Mercado Pago charges and answers nothing, the outcome is open until it is found', async () => {
  const request = card()
  fake.next({ works: true, does: 'hang' })

  const failure = await charge(request).catch((error: unknown) => error)

  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(ProviderDown)
  expect(await find(request)).toMatchObject({ status: 'approved', paidCents: 10_000 })
  expect(fake.ordersOf(request.transactionId)).toHaveLength(1)
})

test('what a payer waits for is waited for three seconds, an order of a card longer', async () => {
  const limits: (number | undefined)[] = []
  const createDeadline = (limitMs?: number) => {
    limits.push(limitMs)
    return fake.createDeadline()
  }
  const account = open({}, { createDeadline })

  await account.quotes?.({ bin: '50314332', amountCents: 10_000 })
  await account.charge(pix(), clock.now())
  await account.charge(card(), clock.now())

  expect(limits).toEqual([3_000, 3_000, 3_000, undefined])
})

test.each([
  [false, ProviderDown],
  [true, undefined],
])('a 503 is held against the orders: made all the same is %s', async (after, failure) => {
  const request = card()
  fake.next({ works: after, does: 'answer', status: 503 })

  const outcome = await charge(request).catch((error: unknown) => error)

  if (failure) expect(outcome).toBeInstanceOf(failure)
  else expect(outcome).toMatchObject({ status: 'approved' })
  expect(await charge(request)).toMatchObject({ status: 'approved' })
  expect(fake.ordersOf(request.transactionId)).toHaveLength(1)
})

test.each([503, 424])(
  'an order that may be there after a %d stays an open outcome where it may not be looked for',
  async (status) => {
    const request = card()
    fake.next({ works: true, does: 'answer', status }, { does: 'answer', status: 429 })

    const failure = await charge(request).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(ProviderDown)
    expect(await find(request)).toMatchObject({ status: 'approved' })
  },
)

test('a 404 of a gateway on the way does not say that there is no order', async () => {
  const request = card()
  const reference = await chargeOf(request)
  fake.next({ works: true, does: 'answer', status: 404 })

  await expect(find(request, reference)).rejects.toThrow('could not read a charge')

  expect(await find(request, reference)).toMatchObject({ status: 'approved' })
})

test.each([400, 404, 413, 422])(
  'a %d that Mercado Pago itself did not say declines no card: its order is looked for',
  async (status) => {
    const [made, missed] = [card(), card()]
    fake.next({ works: true, does: 'answer', status })
    const outcome = await charge(made)
    fake.next({ does: 'answer', status })
    const failure = await charge(missed).catch((error: unknown) => error)

    expect(outcome).toMatchObject({ status: 'approved' })
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(ProviderDown)
    expect(await find(missed)).toEqual({ status: 'unknown' })
  },
)

test('a locked order is an open outcome while it cannot be found', async () => {
  const request = card()
  fake.settings.searchIsBlind = true
  fake.next({ works: true, does: 'answer', status: 423 })

  await expect(charge(request)).rejects.toThrow('cannot be found yet')

  fake.settings.searchIsBlind = false
  expect(await find(request)).toMatchObject({ status: 'approved' })
})

test('a 402 that does not hold the order leads to it all the same', async () => {
  const request = card('high_risk')
  fake.next({ works: true, does: 'answer', status: 402 })

  expect(await charge(request)).toMatchObject({ declineCode: 'suspected_fraud' })
})

test('giving up cancels what waits and gives back what was paid', async () => {
  const [waiting, paid] = [pix(), card()]
  const references = [await chargeOf(waiting), await chargeOf(paid)]

  await provider.cancel(buildChargeKey(waiting), clock.now())
  await provider.cancel(buildChargeKey(paid, references[1]), clock.now())
  await provider.cancel(buildChargeKey(paid, references[1]), clock.now())

  expect(await find(waiting, references[0])).toMatchObject({ status: 'canceled' })
  expect(await find(paid, references[1])).toMatchObject({ refundedCents: 10_000 })
})

test('what is still being decided cannot be given up, and says so', async () => {
  const request = card('processing')
  const reference = await chargeOf(request)

  await expect(provider.cancel(buildChargeKey(request, reference), clock.now())).rejects.toThrow(
    'cannot be canceled yet',
  )
})
