// The links that brought most in some days, where there are too many to add up the days of each. Of those that brought
// anything in the months of these days none brings more in them than it ever did: once the last that is asked for, of
// those that brought most ever, brought more in these days than any other of them ever did, no other can be among
// them. Of as much the newer comes first, so that a company that asks everybody for the same is answered too.

import type { Db } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { LINK_DAYS, selectDays } from './daily-sums.ts'
import { countDaysBetween } from './days.ts'
import { isWithin, type RevenueDays } from './revenue.ts'

/** Of those that brought most ever. Where there are no more, all are added up as fast. */
const MAX_CANDIDATES = 2_000
/** To add up all links in so many days takes no longer. */
const MAX_SHORT_DAYS = 7
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
  const { candidates, others } = await listCandidates(db, days, maxCandidates)
  if (!others) return undefined
  const wanted = sql`${isWithin(days)} and payment_link_id = any(${sql.param(candidates)}::uuid[])`
  const { rows } = await db.execute<{ top: Place[]; isCut: boolean }>(sql`
    with candidate_days as materialized (
      select payment_link_id as id, gross_cents - refunded_cents as cents
      from ${selectDays(LINK_DAYS, companyId, wanted)} days limit ${MAX_CANDIDATE_DAYS + 1}
    ), top as materialized (
      select id, sum(cents::float8) as cents from candidate_days group by 1 order by 2 desc, 1 desc limit ${limit}
    )
    select (select json_agg(top order by cents desc, id desc) from top) as top,
      (select count(*) > ${MAX_CANDIDATE_DAYS} from candidate_days) as "isCut"`)
  const { top, isCut } = requireFound(rows[0])
  const last = top?.[limit - 1]
  return !isCut && last && !isBefore(others, last) ? top.map(({ id }) => id) : undefined
}

/** What a link brought. */
type Place = { id: string; cents: number }

function isBefore(a: Place, b: Place) {
  return a.cents > b.cents || (a.cents === b.cents && a.id > b.id)
}

/** `others`: where at best any link stands that is none of them; null where there may be none. */
async function listCandidates(db: Db, { companyId, from, to }: RevenueDays, max: number) {
  const ofCompany = sql`from link_revenue where company_id = ${companyId}`
  const months = sql`first_month, last_month`
  const { rows } = await db.execute<{ candidates: string[]; others: Place | null }>(sql`
    with recursive span as (
      (select ${months} ${ofCompany} and first_month < ${to} order by ${months} limit 1)
      union all
      select next.* from span cross join lateral (
        select ${months} ${ofCompany} and first_month < ${to} and (${months}) > (span.first_month, span.last_month)
        order by ${months} limit 1
      ) next
    ), known as materialized (
      select best.* from span cross join lateral (
        select payment_link_id as id, received_cents as cents ${ofCompany} and (${months}) = (span.first_month, span.last_month)
        order by received_cents desc, payment_link_id desc limit ${max}
      ) best
      where last_month >= month_of(${from}) order by cents desc, id desc limit ${max}
    )
    -- What links brought since the last fold is in no sum of theirs yet.
    select array(
        select id from known union
        select payment_link_id from revenue_changes where company_id = ${companyId} and day is not null
      )::text[] as candidates,
      (select to_json(known) from known order by cents desc, id desc offset ${max - 1}) as others`)
  return requireFound(rows[0])
}
