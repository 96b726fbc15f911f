// How many links a list has, for people: exact up to so many that are looked through.

import type { Database } from '../../database/connect.ts'
import { and, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { MAX_UUID } from '../../database/id.ts'
import { type CountResult, MAX_COUNTED } from '../../http/pagination.ts'
import { findSomeMatches } from '../../search/match.ts'
import type { LinkListFilters } from './conditions.ts'
import { resolveLeadFilter } from './list.ts'
import { planLinkQuery, toMatchQuery } from './query-plan.ts'

export async function countPaymentLinks(
  db: Database,
  companyId: string,
  filters: LinkListFilters,
  now: Date,
): Promise<CountResult> {
  const lead = await resolveLeadFilter(db, companyId, filters)
  const wanted = { companyId, cursor: MAX_UUID, oldest: false, now, ...lead }
  const words = toMatchQuery(wanted, MAX_COUNTED + 1)
  const found = words && (await findSomeMatches(db, words))
  const { scanRows, conditions } = planLinkQuery({ ...wanted, matched: found?.ids })
  const { rows } = await db.execute<{ scanned: number; count: number }>(sql`
    select count(*)::int as scanned,
      (count(*) filter (where ${and(...conditions) ?? sql`true`}))::int as count
    from (${scanRows(MAX_COUNTED + 1)}) scanned`)
  const { scanned, count } = requireFound(rows[0])
  return scanned > MAX_COUNTED || found?.isWhole === false
    ? { kind: 'partial', count: Math.min(count, MAX_COUNTED) }
    : { kind: 'exact', count }
}
