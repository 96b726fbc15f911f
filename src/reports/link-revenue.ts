// What links have brought, each by itself: for a page of them, and for all of a company's to be put in order.

import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { LINK_DAYS, selectDays } from './daily-sums.ts'
import {
  REVENUE_COLUMNS,
  REVENUE_SUMS_AS,
  type Revenue,
  type RevenueRow,
  toRevenue,
} from './revenue.ts'

/** By the id of the link; one that brought nothing is left out. */
export async function sumRevenueByLink(
  db: Database,
  companyId: string,
  linkIds: string[],
): Promise<Map<string, Revenue>> {
  if (linkIds.length === 0) return new Map()
  const wanted = sql`payment_link_id = any(${sql.param(linkIds)}::uuid[])`
  const { rows } = await db.execute<RevenueRow & { id: string }>(sql`
    select payment_link_id as id, ${REVENUE_COLUMNS} from (
      select *, ${REVENUE_SUMS_AS} from ${selectDays(LINK_DAYS, companyId, wanted)} days
    ) revenue group by 1`)
  return new Map(rows.map(({ id, ...row }) => [id, toRevenue(row)]))
}

/** Rows of `payment_link_id, cents`: what each link received by changes that no fold has added to its sums yet. */
export function selectUnfoldedByLink(companyId: string): SQL {
  return sql`
    select payment_link_id, sum(gross_cents - refunded_cents)::bigint as cents from revenue_changes
    where company_id = ${companyId} and day is not null group by 1`
}
