// The net of a payment for its company, and the day of its payout as the provider gave it.

import type { TransactionRow } from '../transaction.ts'

type PricedPayment = Pick<
  TransactionRow,
  'approvedAt' | 'totalCents' | 'refundedCents' | 'chargedBackCents' | 'feeCents'
>

/** The amount after refunds, disputes and the provider's fee; null when the fee is unknown. */
export function computeNet(payment: PricedPayment) {
  const { approvedAt, totalCents, feeCents } = payment
  return approvedAt === null || feeCents === null
    ? null
    : totalCents - computeGone(payment) - feeCents
}

/** The amount that refunds and disputes took, at most the total. */
export function computeGone(
  payment: Pick<PricedPayment, 'totalCents' | 'refundedCents' | 'chargedBackCents'>,
) {
  return Math.min(payment.totalCents, payment.refundedCents + payment.chargedBackCents)
}

/** Null when unknown; a day with several parts was a guess of an earlier version. */
export function getPayoutDay({
  expectedOn,
  payoutParts,
}: Pick<TransactionRow, 'expectedOn' | 'payoutParts'>) {
  return payoutParts === 1 ? expectedOn : null
}
