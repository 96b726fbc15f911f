// What a payment costs and when it is paid out, decided with its approval: what the provider says, and else
// what the company has told by then (companies/payout-terms.ts). Terms that change later change no payment.

import { PROVIDER_NAMES } from '../../database/enums.ts'
import { getCapabilities } from '../../providers/capabilities.ts'
import type { Approval } from '../../providers/provider.ts'
import { addDays, toDay } from '../../reports/days.ts'
import type { TransactionRow } from '../transaction.ts'

/** Null: the provider does not say, or something that cannot be. */
export type CheckedPayout = { feeCents: number | null; expectedOn: string | null }

/** Later than any provider pays out, installments and all. */
const MAX_PAYOUT_DAYS = 390

/** What the provider says of a payment of this total that was approved at this instant. */
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

/**
 * For the update that approves a payment: what it sets of fee and payout, in the statement itself. Its parameters
 * from `first` on are approvedAt, feeCents and expectedOn. A fee is rounded half up for each payment, as
 * acquirers bill it.
 */
export function buildPayoutAssignment(first: number) {
  const [approvedAt, feeCents, expectedOn] = [first, first + 1, first + 2].map((n) => `$${n}`)
  return `(fee_cents, fee_source, expected_on, payout_parts) = (
    select coalesce(${feeCents}::integer, told.fee),
      case when ${feeCents}::integer is not null then 'provider' when told.fee is not null then 'company' end,
      coalesce(${expectedOn}::date, day_in_sao_paulo(${approvedAt}::timestamptz) + told.payout_days),
      case when ${expectedOn}::date is not null then 1 else told.parts end
    from (select) as this left join lateral (${TOLD_TERMS_SQL}) told on true
  )`
}

/** Those that say what installments cost: the interest is theirs, and the fee is of the price alone. */
const QUOTING_PROVIDERS = PROVIDER_NAMES.filter(
  (name) => getCapabilities(name).installmentQuotes === 'provider',
).map((name) => `'${name}'`)

const TOLD_TERMS_SQL = `
    select payout_days, case when by_installment then transactions.installments else 1 end as parts,
      least(total_cents,
        ((total_cents - kept.interest)::bigint * rate_bps + 5000) / 10000 + fixed_cents + kept.interest
      )::integer as fee
    from payout_terms terms
    cross join (select case when provider in (${QUOTING_PROVIDERS}) then interest_cents else 0 end as interest) kept
    where terms.company_id = transactions.company_id and terms.method = transactions.method
      and terms.installments <= transactions.installments
    order by terms.installments desc limit 1`
