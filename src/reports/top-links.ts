// The links that brought most in some days, where there are too many to add up the days of each. No link brings more
// in some days than it ever did: once the last that is asked for, of those that brought most ever, brought more in
// these days than any other link ever did, no other can be among them.

import type { Db } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { LINK_DAYS, selectDays } from './daily-sums.ts'
import { countDaysBetween } from './days.ts'
import { isWithin, type RevenueDays } from './revenue.ts'

/** Those that brought most ever. Where there are no more, all are added up as fast. */
const MAX_CANDIDATES = 2_000
/** To add up all links in so many days takes no longer. */
const MAX_SHORT_DAYS = 62
/** To read more of their days by themselves takes as long as to read those of all links. */
const MAX_CANDIDATE_DAYS = 100_000

/** The ids of the first `limit`, what brought most first; undefined where only the days of all links tell. */
export async function findTopLinks(
  db: Db,
  days: RevenueDays,
  limit: number,
  maxCandidates = MAX_CANDIDATES,
): Promise<string[] | undefined> {
  const { companyId, from, to } = days
  if (countDaysBetween(from, to) <= MAX_SHORT_DAYS) return undefined
  const { candidates, others } = await listCandidates(db, companyId, maxCandidates)
  if (others === null) return undefined
  const wanted = sql`${isWithin(days)} and payment_link_id = any(${sql.param(candidates)}::uuid[])`
  const { rows } = await db.execute<{ ids: string[]; last: number | null; isCut: boolean }>(sql`
    with candidate_days as materialized (
      select payment_link_id as id, gross_cents - refunded_cents as cents
      from ${selectDays(LINK_DAYS, companyId, wanted)} days limit ${MAX_CANDIDATE_DAYS + 1}
    ), top as materialized (
      select id, sum(cents::float8) as cents from candidate_days group by 1 order by 2 desc, 1 limit ${limit}
    )
    select array(select id from top order by cents desc, id)::text[] as ids,
      (select cents from top order by cents desc offset ${limit - 1}) as last,
      (select count(*) > ${MAX_CANDIDATE_DAYS} from candidate_days) as "isCut"`)
  const { ids, last, isCut } = requireFound(rows[0])
  return !isCut && last !== null && last > others ? ids : undefined
}

/** `others`: what any link brought at most that is none of them; null where there may be none. */
async function listCandidates(db: Db, companyId: string, max: number) {
  const { rows } = await db.execute<{ candidates: string[]; others: number | null }>(sql`
    with known as materialized (
      select payment_link_id as id, received_cents::float8 as cents from link_revenue
      where company_id = ${companyId} order by received_cents desc, payment_link_id desc limit ${max}
    )
    -- What links brought since the last fold is in no sum of theirs yet.
    select array(
        select id from known union
        select payment_link_id from revenue_changes where company_id = ${companyId} and day is not null
      )::text[] as candidates,
      (select cents from known order by cents desc offset ${max - 1}) as others`)
  return requireFound(rows[0])
}
