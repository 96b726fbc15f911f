// What is left of a payment for its company, and the day that its provider has said it pays that out.

import type { TransactionRow } from '../transaction.ts'

type PricedPayment = Pick<
  TransactionRow,
  'approvedAt' | 'totalCents' | 'refundedCents' | 'chargedBackCents' | 'feeCents'
>

/** After refunds, disputes and the fee, which the provider keeps; null where the fee is not known. */
export function computeNet(payment: PricedPayment) {
  const { approvedAt, totalCents, feeCents } = payment
  return approvedAt === null || feeCents === null
    ? null
    : totalCents - computeGone(payment) - feeCents
}

/** What went back by refund or dispute: no more than came. */
export function computeGone(
  payment: Pick<PricedPayment, 'totalCents' | 'refundedCents' | 'chargedBackCents'>,
) {
  return Math.min(payment.totalCents, payment.refundedCents + payment.chargedBackCents)
}

/** Null where nobody said it; a day with several parts was guessed by a version before this one. */
export function getPayoutDay({
  expectedOn,
  payoutParts,
}: Pick<TransactionRow, 'expectedOn' | 'payoutParts'>) {
  return payoutParts === 1 ? expectedOn : null
}
