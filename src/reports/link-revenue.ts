// What links have brought, each by itself: for a page of them, and for all of a company's to be put in order.

import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { LINK_DAYS, selectDays } from './daily-sums.ts'
import { REVENUE_COLUMNS, type Revenue, type RevenueRow, toRevenue } from './revenue.ts'

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
      select *, gross_cents as gross, refunded_cents as refunded
      from ${selectDays(LINK_DAYS, companyId, wanted)} days
    ) revenue group by 1`)
  return new Map(rows.map(({ id, ...row }) => [id, toRevenue(row)]))
}

/** Rows of `payment_link_id, net_cents`, one for each link of a company that ever brought something. */
export function selectNetByLink(companyId: string): SQL {
  return sql`
    select payment_link_id, sum((gross_cents - refunded_cents)::float8) as net_cents
    from ${selectDays(LINK_DAYS, companyId, sql`true`)} days group by 1`
}
