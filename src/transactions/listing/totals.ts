// How many payments a list has, and what they come to, for people: exact up to so many that are looked
// through, and beyond them said to be more, since nobody waits for a number that big.

import type { Database } from '../../database/connect.ts'
import { and, type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { MAX_UUID } from '../../database/id.ts'
import { type CountResult, MAX_COUNTED } from '../../http/pagination.ts'
import { LOST_CENTS } from '../../reports/revenue.ts'
import { findSomeMatches } from '../../search/match.ts'
import { buildTransactionConditions } from '../list.ts'
import { buildScanWindow, getLeadSearch, type TransactionListFilters } from '../scan-window.ts'
import { toMatchQuery } from './found-ids.ts'

type TransactionSums = {
  /** Gross, of those that were approved, whatever came after. */
  approvedCents: number
  /** What went back of that, by refund or by their payers' banks. */
  refundedCents: number
}

/** Of all pages of a list; no sums of a part of it. */
export type TotalsResult = CountResult & { sums: TransactionSums | null }

/** What the words of a list find, where they lead: all of it or, of common ones, some of the newest. */
type SearchedPayments = { all?: string[]; some?: string[] }

/** Looked for once, for a page and for the totals beside it. */
export async function findSearched(
  db: Database,
  companyId: string,
  filters: TransactionListFilters,
): Promise<SearchedPayments> {
  const search = getLeadSearch(filters)
  if (!search) return {}
  const range = { ...filters, companyId, below: MAX_UUID }
  const { ids, isWhole } = await findSomeMatches(db, toMatchQuery(range, search, MAX_COUNTED + 1))
  return isWhole && ids.length <= MAX_COUNTED ? { all: ids } : { some: ids }
}

export async function sumTransactions(
  db: Database,
  companyId: string,
  filters: TransactionListFilters,
  { all, some }: SearchedPayments = {},
): Promise<TotalsResult> {
  const range = { ...filters, companyId, below: MAX_UUID }
  const scanned = buildScanWindow(db, { ...range, matched: all ?? some }, MAX_COUNTED + 1)
  const wanted = and(...buildTransactionConditions({ ...filters, companyId }, scanned)) ?? sql`true`
  const approved = sql`${wanted} and approved_at is not null`
  const [row] = await db
    .select({
      scannedCount: sql<number>`count(*)::int`,
      count: sql<number>`(count(*) filter (where ${wanted}))::int`,
      approvedCents: sumCentsWhere(sql`total_cents`, approved),
      refundedCents: sumCentsWhere(sql`refunded_cents + ${LOST_CENTS}`, approved),
    })
    .from(scanned)
  const { scannedCount, count, ...sums } = requireFound(row)
  return scannedCount > MAX_COUNTED || some
    ? { kind: 'partial', count: Math.min(count, MAX_COUNTED), sums: null }
    : { kind: 'exact', count, sums }
}

/** As a float, which is exact up to 90 trillion reais. */
function sumCentsWhere(cents: SQL, condition: SQL) {
  return sql<number>`coalesce(sum((${cents})::float8) filter (where ${condition}), 0)`
}
