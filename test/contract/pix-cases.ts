// What every provider of Pix is asked before its description.
import { expect, test } from 'vitest'
import type { Provider } from '../../src/providers/provider.ts'
import {
  buildPixChargeKey,
  buildRefundRequest,
  newPixCharge,
  type PixCharge,
} from '../support/providers/charges.ts'

type DescribedPix = {
  provider: Provider
  /** What Prism had against either side. */
  violations: string[]
  now: () => Date
  /** By what the provider knows it. */
  referenceOf: (charge: PixCharge) => string
  /** A payer pays the code of this charge. */
  pay: (charge: PixCharge, cents: number) => { endToEndId: string }
}

export function describeReturns({ provider, violations, now, referenceOf, pay }: DescribedPix) {
  test('a payment is found and goes back as the description says', async () => {
    const charge = newPixCharge(now())
    await provider.charge(charge, now())
    const { endToEndId } = pay(charge, 1_990)
    const reference = referenceOf(charge)
    const key = buildPixChargeKey(charge, reference)
    const part = buildRefundRequest(charge, 500, { reference, endToEndId })
    const tooMuch = buildRefundRequest(charge, 1_500, { reference, endToEndId })

    const paid = await provider.find(key, now())
    const refund = await provider.refund(part, now())
    const again = await provider.findRefund(part, now())
    const failed = await provider.refund(tooMuch, now())
    await provider.cancel(key, now())
    const returned = await provider.find(key, now())

    expect([paid, refund, again, failed, returned]).toMatchObject([
      { status: 'approved', received: [{ amountCents: 1_990, endToEndId }] },
      { status: 'succeeded' },
      { status: 'succeeded' },
      { status: 'failed', reason: 'refused' },
      { status: 'approved', received: [{ refundedCents: 1_990 }] },
    ])
    expect(violations).toEqual([])
  })
}

/** @param path to which the provider is to post */
export function describeRegistration(
  { provider, violations, now }: Pick<DescribedPix, 'provider' | 'violations' | 'now'>,
  path: string,
) {
  test('webhooks are registered and the connection tried as the description says', async () => {
    const before = await provider.testConnection(now())
    await provider.registerNotifications!(`https://vintem.example.com/webhooks/${path}/segredo`)
    const after = await provider.testConnection(now())

    const steps = ['token', 'read', 'webhook'].map((step) => ({ step, ok: true }))
    expect([before, after]).toEqual([steps, steps])
    expect(violations).toEqual([])
  })
}
