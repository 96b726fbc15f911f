// The fee of a payment, decided with its approval: the provider's value, else the company's terms at that time
// (companies/fee-terms.ts); the day of its payout if the provider gives one; and the net. Later terms change no payment.

import type { Transaction } from '../database/connect.ts'
import { and, desc, eq, lte } from '../database/drizzle.ts'
import { payoutTerms } from '../database/tables.ts'
import type { Approval } from '../providers/provider.ts'
import { getProfile } from '../providers/registry.ts'
import { getKeys } from '../record.ts'
import { addDays, toDay } from '../reports/days.ts'
import type { TransactionRow } from './transaction.ts'

/** Null when the provider gives no value, or an impossible one. */
export type CheckedPayout = { feeCents: number | null; expectedOn: string | null }

/** Later than any provider pays out, installments included. */
const MAX_PAYOUT_DAYS = 390

/** Reads the provider's values for a payment of this total and approval. */
export function readProviderPayout(
  { payout }: Pick<Approval, 'payout'>,
  { totalCents }: Pick<TransactionRow, 'totalCents'>,
  approvedAt: string,
): CheckedPayout {
  const feeCents = payout?.feeCents ?? null
  const isFee = feeCents !== null && feeCents >= 0 && feeCents <= totalCents
  const expectedOn = payout?.paidOutAt ? toDay(payout.paidOutAt) : null
  const approvedOn = toDay(approvedAt)
  const isDay = expectedOn !== null && expectedOn >= approvedOn
  const isSoon = isDay && expectedOn <= addDays(approvedOn, MAX_PAYOUT_DAYS)
  return { feeCents: isFee ? feeCents : null, expectedOn: isSoon ? expectedOn : null }
}

export type FeeTerms = Pick<typeof payoutTerms.$inferSelect, 'rateBps' | 'fixedCents'>

/** Finds the company's fee terms for payments like this one. */
export async function findFeeTerms(
  tx: Transaction,
  { companyId, method, installments }: TransactionRow,
): Promise<FeeTerms | null> {
  const [terms] = await tx
    .select()
    .from(payoutTerms)
    .where(
      and(
        eq(payoutTerms.companyId, companyId),
        eq(payoutTerms.method, method),
        lte(payoutTerms.installments, installments),
      ),
    )
    .orderBy(desc(payoutTerms.installments))
    .limit(1)
  return terms ?? null
}

/** Returns the fee of an approved payment. A company's fee is rounded half up, as acquirers bill it. */
export function toPayoutColumns(
  payment: PricedRow,
  { feeCents, expectedOn }: CheckedPayout,
  terms: FeeTerms | null,
) {
  const payout = { expectedOn, payoutParts: expectedOn === null ? null : 1 }
  if (feeCents !== null) return { feeCents, feeSource: 'provider' as const, ...payout }
  if (!terms) return { feeCents: null, feeSource: null, ...payout }
  return { feeCents: calculateFee(terms, payment), feeSource: 'company' as const, ...payout }
}

/** Returns changes from the provider's values after the approval, which override the stored ones. */
export function listPayoutCorrections(
  payment: TransactionRow,
  approval: Pick<Approval, 'payout'>,
): Partial<TransactionRow> | null {
  if (!approval.payout || payment.approvedAt === null) return null
  const { feeCents, expectedOn } = readProviderPayout(approval, payment, payment.approvedAt)
  const changes = {
    ...(feeCents !== null && { feeCents, feeSource: 'provider' as const }),
    ...(expectedOn !== null && { expectedOn, payoutParts: 1 }),
  }
  return getKeys(changes).every((name) => changes[name] === payment[name]) ? null : changes
}

type PricedRow = Pick<TransactionRow, 'provider' | 'totalCents' | 'interestCents'>

/** If the provider quotes installments, the interest is its own, and the fee is a part of the price alone. */
function calculateFee(
  { rateBps, fixedCents }: FeeTerms,
  { provider, totalCents, interestCents }: PricedRow,
) {
  const kept = getProfile(provider).installmentQuotes === 'provider' ? interestCents : 0
  const rated = Math.floor(((totalCents - kept) * rateBps + 5_000) / 10_000)
  return Math.min(totalCents, rated + fixedCents + kept)
}

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

/** Null when unknown: of a payout in several parts the stored day is a guess, not what the provider said. */
export function getPayoutDay({
  expectedOn,
  payoutParts,
}: Pick<TransactionRow, 'expectedOn' | 'payoutParts'>) {
  return payoutParts === 1 ? expectedOn : null
}
