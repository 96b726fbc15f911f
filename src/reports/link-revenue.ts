// What links have brought, each by itself, for a page of them.

import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
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
