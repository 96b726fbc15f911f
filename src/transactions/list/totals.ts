// How many payments a list has, and what they come to, for people: exact up to so many, and beyond them said to
// be more, since nobody waits for a number that big.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { transactions } from '../../database/tables.ts'
import { type CountResult, MAX_COUNTED, toCountResult } from '../../lists/page.ts'
import { buildTransactionConditions, type TransactionListFilters } from './filters.ts'

type TransactionSums = {
  /** Gross, of those that were approved, whatever came after. */
  approvedCents: number
  /** What went back of that, by refund or by their payers' banks. */
  refundedCents: number
}

/** Of all pages of a list; no sums of a part of it. */
export type TotalsResult = CountResult & { sums: TransactionSums | null }

export async function sumTransactions(
  db: Database,
  companyId: string,
  filters: TransactionListFilters,
): Promise<TotalsResult> {
  const { totalCents, refundedCents, chargedBackCents, approvedAt, status } = transactions
  const some = db
    .select({ totalCents, refundedCents, chargedBackCents, approvedAt, status })
    .from(transactions)
    .where(buildTransactionConditions(companyId, filters))
    .limit(MAX_COUNTED + 1)
    .as('some')
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      approvedCents: sumApproved(sql`total_cents`),
      refundedCents: sumApproved(LOST_OR_REFUNDED_CENTS),
    })
    .from(some)
  const { count, ...sums } = requireFound(row)
  return { ...toCountResult(count), sums: count > MAX_COUNTED ? null : sums }
}

/** No more went back than came. */
const LOST_OR_REFUNDED_CENTS = sql`least(total_cents, refunded_cents + charged_back_cents)`

/** As a float, which is exact up to 90 trillion reais. */
function sumApproved(cents: SQL) {
  return sql<number>`coalesce(sum((${cents})::float8) filter (where approved_at is not null), 0)`
}
