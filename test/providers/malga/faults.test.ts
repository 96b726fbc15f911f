// The malga adapter when something goes wrong: what was charged is never guessed.
import { expect, test } from 'vitest'
import { ProviderDown } from '../../../src/providers/provider.ts'
import { openMalga } from '../../support/providers/malga/account.ts'
import type { WireFault } from '../../support/providers/server.ts'

const { fake, card, charge, chargeOf, find } = await openMalga()

const CHARGE = /^POST .v1.charges$/
const LIST = /^GET .v1.charges$/
const countOf = (transactionId: string) =>
  [...fake.book.charges.values()].filter(({ orderId }) => orderId === transactionId).length

const lost = (fault: Pick<WireFault, 'does'> & { status?: number; body?: string }) =>
  ({ on: CHARGE, works: true, ...fault }) as WireFault

test('when Malga charges and answers nothing, the outcome is open until it is found', async () => {
  const request = card()
  fake.next(lost({ does: 'hang' }))

  const failure = await charge(request).catch((error: unknown) => error)

  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(ProviderDown)
  expect(await find(request)).toMatchObject({ status: 'approved', paidCents: 10_401 })
  expect(await charge(request)).toMatchObject({ status: 'approved' })
  expect(countOf(request.transactionId)).toBe(1)
})

test.each([true, false])(
  'a 503 is held against the list: made all the same is %s',
  async (works) => {
    const request = card()
    fake.next({ on: CHARGE, works, does: 'answer', status: 503 })

    const outcome = await charge(request).catch((error: unknown) => error)

    if (works) expect(outcome).toMatchObject({ status: 'approved' })
    else expect(outcome).toBeInstanceOf(ProviderDown)
    expect(await charge(request)).toMatchObject({ status: 'approved' })
    expect(countOf(request.transactionId)).toBe(1)
  },
)

const BUSY = 'There is a transaction with the same idempotency key in transaction at that time'

test.each([
  [409, { error: { type: 'bad_request', message: 'Transaction is processing' } }],
  [400, { error: { type: 'bad_request', message: BUSY } }],
  [400, undefined],
  [404, undefined],
  [422, undefined],
])(
  'a %d that is no verdict (%j) declines no card: its charge is looked for',
  async (status, body) => {
    const [made, missed] = [card(), card()]
    const said = body && JSON.stringify(body)
    const fault = { on: CHARGE, does: 'answer', status, ...(said && { body: said }) } as const
    fake.next({ ...fault, works: true })
    const outcome = await charge(made)
    fake.next(fault)
    const failure = await charge(missed).catch((error: unknown) => error)

    expect(outcome).toMatchObject({ status: 'approved' })
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(ProviderDown)
    expect(await find(missed)).toEqual({ status: 'unknown' })
  },
)

test('a charge that may be there stays an open outcome where it may not be looked for', async () => {
  const request = card()
  fake.next(lost({ does: 'answer', status: 503 }), { on: LIST, does: 'answer', status: 429 })

  const failure = await charge(request).catch((error: unknown) => error)

  expect(failure).not.toBeInstanceOf(ProviderDown)
  expect(await find(request)).toMatchObject({ status: 'approved' })
})

test('a 404 of a gateway on the way does not say that there is no charge', async () => {
  const request = card()
  const reference = await chargeOf(request)
  fake.next({ on: /^GET/, does: 'answer', status: 404 })

  await expect(find(request, reference)).rejects.toThrow('could not read a charge')

  expect(await find(request, reference)).toMatchObject({ status: 'approved' })
})
