// The number of payments in a list and their sums, for people: exact up to a limit; beyond it only "more", since
// counting would take too long.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { transactions } from '../../database/tables.ts'
import { type CountResult, MAX_COUNTED, toCountResult } from '../../lists/page.ts'
import { buildTransactionConditions, type TransactionListFilters } from './filters.ts'

type TransactionSums = {
  /** The gross amount of approved payments, whatever happened later. */
  approvedCents: number
  /** The part that was refunded or taken by disputes. */
  refundedCents: number
}

/** Of all pages of a list; null for a list that is too long to sum. */
type TotalsResult = CountResult & { sums: TransactionSums | null }

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

/** At most the received amount. */
const LOST_OR_REFUNDED_CENTS = sql`least(total_cents, refunded_cents + charged_back_cents)`

/** A float, which is exact up to 90 trillion reais. */
function sumApproved(cents: SQL) {
  return sql<number>`coalesce(sum((${cents})::float8) filter (where approved_at is not null), 0)`
}
