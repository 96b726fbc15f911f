// What is left of a payment for its company, and how that is paid out (payout_parts_of in the migrations
// says the same).

import { PART_INTERVAL_DAYS } from '../../companies/payout-terms.ts'
import { requireFound } from '../../database/found.ts'
import { addDays } from '../../reports/days.ts'
import type { TransactionRow } from '../transaction.ts'

type PaidOut = Pick<
  TransactionRow,
  | 'approvedAt'
  | 'totalCents'
  | 'refundedCents'
  | 'chargedBackCents'
  | 'feeCents'
  | 'expectedOn'
  | 'payoutParts'
>

type PayoutPart = { day: string; netCents: number }

/** After refunds, disputes and the fee, which the provider keeps; null where the fee is not known. */
export function computeNet(payment: Omit<PaidOut, 'expectedOn' | 'payoutParts'>) {
  const { approvedAt, totalCents, feeCents } = payment
  return approvedAt === null || feeCents === null
    ? null
    : totalCents - computeGone(payment) - feeCents
}

/** What went back by refund or dispute: no more than came. */
export function computeGone(
  payment: Pick<PaidOut, 'totalCents' | 'refundedCents' | 'chargedBackCents'>,
) {
  return Math.min(payment.totalCents, payment.refundedCents + payment.chargedBackCents)
}

/** Null where fee or day is not known. Their sum is the net, to the cent. */
export function listPayoutParts(payment: PaidOut): PayoutPart[] | null {
  const net = computeNet(payment)
  const { totalCents, feeCents, expectedOn, payoutParts: count } = payment
  if (net === null || feeCents === null || expectedOn === null || count === null) return null
  const whole = totalCents - feeCents
  const each = Math.floor(whole / count)
  const sums = Array.from({ length: count }, (_, at) =>
    Math.min(net, whole - (count - at - 1) * each),
  )
  return sums.map((sum, at) => ({
    day: addDays(expectedOn, at * PART_INTERVAL_DAYS),
    netCents: at === 0 ? sum : sum - requireFound(sums[at - 1]),
  }))
}
