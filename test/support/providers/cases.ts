// The cases that every provider must pass, run over each adapter.
import { describe, expect, test } from 'vitest'
import { ProviderDown } from '../../../src/providers/provider.ts'
import type { ReceivedPix } from '../../../src/providers/received.ts'
import { requireKind } from '../kind.ts'
import { buildPixChargeKey, newPixCharge } from './charges.ts'
import {
  catchError,
  createCharge,
  createPaidCharge,
  type FaultyNetwork,
  getReference,
  type OpenedProvider,
  PRICE_CENTS,
} from './harness.ts'

const MINUTE_MS = 60_000

/** What a provider's world has no place for is no case of it. */
export async function describeProvider(name: string, open: () => Promise<OpenedProvider>) {
  const opened = await open()
  const { network } = opened.harness
  describe(name, () => {
    describeCharges(opened)
    if (network) describeLostCharges(opened, network)
    describeRefunds(opened)
    if (network) describeLostRefunds(opened, network)
    describeCancellations(opened)
    describeNotifications(opened)
  })
}

function describeCharges({ provider, harness }: OpenedProvider) {
  const { now } = harness

  test('a charge asked for twice is one charge, with one code', async () => {
    const charge = newPixCharge(now())

    const first = await provider.charge(charge, now())
    const second = await provider.charge(charge, now())

    expect(first).toMatchObject({ status: 'pending', pixBrCode: expect.stringMatching(/^0002/) })
    expect(second).toMatchObject({ status: 'pending', reference: getReference(first) })
    expect(harness.chargesOf?.(charge) ?? 1).toBe(1)
  })

  test('a charge that was never asked for is unknown', async () => {
    const outcome = await provider.find(buildPixChargeKey(newPixCharge(now()), null), now())

    expect(outcome).toEqual({ status: 'unknown' })
  })

  test.each([PRICE_CENTS, PRICE_CENTS - 1, 2_500])(
    '%d cents that were paid are told as they are',
    async (cents) => {
      const { charge, key } = await createCharge({ provider, harness })
      await harness.payPix(charge, cents)

      const outcome = await provider.find(key, now())

      expect(outcome).toMatchObject({
        status: 'approved',
        reference: key.reference,
        received: [{ amountCents: cents, refundedCents: 0 }],
      })
      const [pix] = (outcome as { received: ReceivedPix[] }).received
      expect(Math.abs(Date.parse(pix!.paidAt) - now().getTime())).toBeLessThan(MINUTE_MS)
    },
  )

  test('a code that is paid after its time was paid all the same', async () => {
    const { charge, key } = await createCharge({ provider, harness })
    harness.advance(60 * MINUTE_MS)
    await harness.payPix(charge, PRICE_CENTS)

    expect(await provider.find(key, now())).toMatchObject({
      status: 'approved',
      received: [{ amountCents: PRICE_CENTS }],
    })
  })

  test('a payment is found although the answer to the charge was never heard', async () => {
    const { charge, key } = await createCharge({ provider, harness })
    await harness.payPix(charge, PRICE_CENTS)

    const outcome = await provider.find({ ...key, reference: null }, now())

    expect(outcome).toMatchObject({ status: 'approved', reference: key.reference })
  })
}

function describeRefunds({ provider, harness }: OpenedProvider) {
  const { now } = harness

  test('a refund asked for twice gives back once', async () => {
    const { charge, refund } = await createPaidCharge({ provider, harness })
    const request = refund(500)

    const first = await provider.refund(request, now())
    const second = await provider.refund(request, now())

    expect([first, second]).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
    const { reference } = first as { reference: string }
    const found = await provider.findRefund({ ...request, reference }, now())
    expect(found).toMatchObject({ status: 'succeeded' })
    expect(await harness.refundedCentsOf(charge)).toBe(500)
  })

  test('refunds never give back more than was paid', async () => {
    const { charge, refund } = await createPaidCharge({ provider, harness })

    const first = await provider.refund(refund(1_500), now())
    const tooMuch = await provider.refund(refund(500), now())
    const rest = await provider.refund(refund(PRICE_CENTS - 1_500), now())

    expect([first, tooMuch, rest]).toMatchObject([
      { status: 'succeeded' },
      { status: 'failed', reason: 'refused' },
      { status: 'succeeded' },
    ])
    expect(await harness.refundedCentsOf(charge)).toBe(PRICE_CENTS)
  })

  test('a refund that was never asked for is unknown', async () => {
    const { refund } = await createPaidCharge({ provider, harness })

    expect(await provider.findRefund(refund(500), now())).toEqual({ status: 'unknown' })
  })
}

function describeCancellations({ provider, harness }: OpenedProvider) {
  const { now } = harness

  test('a charge that is given up unpaid is neither pending nor paid', async () => {
    const { key } = await createCharge({ provider, harness })

    await provider.cancel(key, now())
    await provider.cancel(key, now())

    const { status } = await provider.find(key, now())
    expect(['canceled', 'unknown']).toContain(status)
  })

  test('the money of a charge that is given up too late is not kept', async () => {
    const { charge, key } = await createPaidCharge({ provider, harness })

    await provider.cancel(key, now())
    await provider.cancel(key, now())

    const outcome = await provider.find(key, now())
    const pix = outcome.status === 'approved' ? (outcome.received ?? []) : []
    const kept = pix.reduce((sum, one) => sum + one.amountCents - one.refundedCents, 0)
    expect(kept).toBe(0)
    expect(await harness.refundedCentsOf(charge)).toBeLessThanOrEqual(PRICE_CENTS)
  })

  test('giving up what was never asked for does nothing', async () => {
    const key = buildPixChargeKey(newPixCharge(now()), null)

    await provider.cancel(key, now())

    expect(await provider.find(key, now())).toEqual({ status: 'unknown' })
  })
}

function describeNotifications({ provider, harness }: OpenedProvider) {
  const { now, refundAtProvider, notificationOf } = harness

  if (refundAtProvider) {
    test('what goes back at the provider is told', async () => {
      const { charge, key } = await createPaidCharge({ provider, harness })
      await refundAtProvider(charge, 600)

      const outcome = await provider.find(key, now())

      expect(outcome).toMatchObject({
        status: 'approved',
        received: [{ amountCents: PRICE_CENTS, refundedCents: 600 }],
      })
    })
  }

  if (notificationOf) {
    test('a notification leads to its charge, and says no more', async () => {
      const { charge, key } = await createPaidCharge({ provider, harness })

      const reading = await provider.readNotification(notificationOf(charge))

      const { hints } = requireKind(reading, 'read')
      expect([
        [{ kind: 'txid', txid: charge.txid }],
        [{ kind: 'reference', reference: key.reference }],
      ]).toContainEqual(hints)
    })
  }

  test('a notification that is garbage leads nowhere', async () => {
    for (const text of ['', '{', 'null', '7', '[]', '{"pix":7}', '{"pix":null}', '{"data":null}']) {
      const body = Buffer.from(text)
      const read = await provider.readNotification({ headers: {}, query: {}, body })

      expect(read.hints, text).toEqual([])
    }
  })
}

/** Ways to lose an answer to something that was done. Which errors leave a result open: transport.test.ts and refusal.test.ts. */
const LOST_ANSWERS: [string, (network: FaultyNetwork) => void][] = [
  ['comes too late', (network) => network.makeSlow()],
  ['is garbage', (network) => network.answerGarbage()],
  ['is a 500', (network) => network.failAfter(500)],
]

function describeLostCharges({ provider, harness }: OpenedProvider, network: FaultyNetwork) {
  const { now } = harness

  test.each(LOST_ANSWERS)(
    'when the answer %s, a charge is unknown until the provider is asked',
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

  test.each(LOST_ANSWERS)(
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

function describeLostRefunds({ provider, harness }: OpenedProvider, network: FaultyNetwork) {
  const { now } = harness

  test.each(LOST_ANSWERS)(
    'when the answer %s, a refund is found, and made once',
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
