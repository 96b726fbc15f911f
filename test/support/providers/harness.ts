// The world around a provider: payers who pay, money that goes back, and a network that fails. Each adapter
// is tried in one of its own (contract.test.ts of test/providers).
import { expect } from 'vitest'
import type { Notification } from '../../../src/providers/notification.ts'
import type { ChargeOutcome, Provider } from '../../../src/providers/provider.ts'
import { buildPixChargeKey, buildRefundRequest, newPixCharge, type PixCharge } from './charges.ts'

export const PRICE_CENTS = 1_990

export type ProviderHarness = {
  now(): Date
  /** Time goes on, for us and for the provider. */
  advance(ms: number): void
  /** A payer pays the code of this charge, whatever has become of it. */
  payPix(charge: PixCharge, cents: number): Promise<unknown> | unknown
  /** All that has gone back to the payer, in cents. */
  refundedCentsOf(charge: PixCharge): Promise<number> | number
  /** How many charges the provider has made for this one. Absent: it keeps none before it is paid. */
  chargesOf?(charge: PixCharge): number
  /** Money goes back at the provider, without us. Absent: there it can't. */
  refundAtProvider?: (charge: PixCharge, cents: number) => unknown
  /** What the provider posts to us about this charge. Absent: it sends no news. */
  notificationOf?: (charge: PixCharge) => Notification
  /** Refunds carry only the provider's own id: after a lost answer, the refund is asked for again. */
  refundsAreNameless?: true
  /** What becomes of the next call. Absent: there is no way between us, and it can't fail. */
  network?: FaultyNetwork
}

export type FaultyNetwork = {
  /** Carried out; the answer comes after we have given up waiting. */
  makeSlow(): void
  /** Refused with this status, undone. */
  failNext(status: number): void
  /** Carried out, and answered with this status all the same. */
  failAfter(status: number): void
  /** Carried out, and answered with what cannot be read. */
  answerGarbage(): void
  /** Carried out; the connection breaks off before the answer. */
  breakOff(): void
  /** Carried out, but the answer tells of this amount. */
  changeAmount(cents: number): void
}

export type OpenedProvider = { provider: Provider; harness: ProviderHarness }

export async function createCharge({ provider, harness }: OpenedProvider) {
  const charge = newPixCharge(harness.now())
  const outcome = await provider.charge(charge, harness.now())
  return { charge, key: buildPixChargeKey(charge, getReference(outcome)) }
}

export async function createPaidCharge({ provider, harness }: OpenedProvider) {
  const { charge, key } = await createCharge({ provider, harness })
  await harness.payPix(charge, PRICE_CENTS)
  const [pix] = getReceived(await provider.find(key, harness.now()))
  const endToEndId = pix?.endToEndId
  const refund = (cents: number) =>
    buildRefundRequest(charge, cents, { reference: key.reference, endToEndId })
  return { charge, key, refund }
}

/** Every Pix that a charge was paid by. */
export function getReceived(outcome: ChargeOutcome) {
  return outcome.status === 'approved' ? (outcome.received ?? []) : []
}

export function getReference(outcome: object) {
  const { reference } = outcome as { reference?: string | null }
  if (!reference) throw new Error('The provider gave the charge no reference')
  return reference
}

export function catchError(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('it went well'),
    (error) => error,
  )
}
