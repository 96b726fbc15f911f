// The cases that every provider must pass when answers are lost: nothing is done twice, and nothing is guessed.
import { expect, test } from 'vitest'
import { ProviderDown } from '../../../src/providers/provider.ts'
import { buildPixChargeKey, newPixCharge } from './charges.ts'
import {
  catchError,
  createCharge,
  createPaidCharge,
  type FaultyNetwork,
  type OpenedProvider,
  PRICE_CENTS,
} from './harness.ts'

/** Ways to lose an answer to something that was done. */
const LOST_ANSWERS: [string, (network: FaultyNetwork) => void][] = [
  ['comes too late', (network) => network.makeSlow()],
  ['breaks off', (network) => network.breakOff()],
  ['is garbage', (network) => network.answerGarbage()],
  buildFailure(500),
  buildFailure(504),
]

function buildFailure(status: number): (typeof LOST_ANSWERS)[number] {
  return [`is a ${status}`, (network) => network.failAfter(status)]
}

export function describeLostCharges({ provider, harness }: OpenedProvider, network: FaultyNetwork) {
  const { now } = harness

  test.each([...LOST_ANSWERS, ...[302, 408, 502].map(buildFailure)])(
    'nobody knows of a charge whose answer %s, until the provider is asked',
    async (_how, lose) => {
      const charge = newPixCharge(now())
      lose(network)

      const error = await catchError(provider.charge(charge, now()))
      const found = await provider.find(buildPixChargeKey(charge, null), now())

      expect(error).not.toBeInstanceOf(ProviderDown)
      expect(found).toMatchObject({ status: 'pending', pixBrCode: expect.any(String) })
      expect(harness.chargesOf?.(charge)).toBe(1)
    },
  )

  test.each([429, 503])(
    'a charge that is answered %d was not made, and is made when it is asked for again',
    async (status) => {
      const charge = newPixCharge(now())
      network.failNext(status)

      const error = await catchError(provider.charge(charge, now()))
      const found = await provider.find(buildPixChargeKey(charge, null), now())
      const again = await provider.charge(charge, now())

      expect(error).toBeInstanceOf(ProviderDown)
      expect(found).toEqual({ status: 'unknown' })
      expect(again).toMatchObject({ status: 'pending' })
      expect(harness.chargesOf?.(charge)).toBe(1)
    },
  )

  test('a charge of another amount than ours is not shown to the payer', async () => {
    const charge = newPixCharge(now())
    network.changeAmount(PRICE_CENTS + 1)

    const error = await catchError(provider.charge(charge, now()))

    expect(error).not.toBeInstanceOf(ProviderDown)
  })

  test.each([
    ...LOST_ANSWERS,
    ['is a 503', (network: FaultyNetwork) => network.failNext(503)],
  ] as typeof LOST_ANSWERS)(
    'a payment is not taken for lost when the answer %s',
    async (_how, lose) => {
      const { charge, key } = await createCharge({ provider, harness })
      await harness.payPix(charge, PRICE_CENTS)
      lose(network)

      await catchError(provider.find(key, now()))

      expect(await provider.find(key, now())).toMatchObject({ status: 'approved' })
    },
  )
}

export function describeLostRefunds({ provider, harness }: OpenedProvider, network: FaultyNetwork) {
  const { now } = harness

  test.each(LOST_ANSWERS)(
    'a refund whose answer %s is found, and given back once',
    async (_how, lose) => {
      const { charge, refund } = await createPaidCharge({ provider, harness })
      const request = refund(700)
      lose(network)

      await catchError(provider.refund(request, now()))
      const found = await provider.findRefund(request, now())
      const again = await provider.refund(request, now())

      expect(found.status).toBe(harness.refundsAreNameless ? 'unknown' : 'succeeded')
      expect(again.status).toBe('succeeded')
      expect(await harness.refundedCentsOf(charge)).toBe(700)
    },
  )

  test('a refund that is answered 503 is not called refused', async () => {
    const { charge, refund } = await createPaidCharge({ provider, harness })
    const request = refund(700)
    network.failNext(503)

    await catchError(provider.refund(request, now()))

    expect(await provider.findRefund(request, now())).toEqual({ status: 'unknown' })
    expect(await harness.refundedCentsOf(charge)).toBe(0)
  })
}
