// The funnel of a link in its last 30 days, from opened to paid. Opened pages and begun forms are counted when they
// happen (payment-links/visits.ts), the other steps from the payments.
import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import type { DeclineCode } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { buildMinUuid, MAX_UUID } from '../database/id.ts'
import { addDays, getDayStart, toDay } from './days.ts'

export const FUNNEL_DAYS = 30
/** When a link has more attempts, only the newest are counted. */
const MAX_ATTEMPTS = 100_000

export type Funnel = Awaited<ReturnType<typeof loadLinkFunnel>>

type AttemptRow = {
  end: 'paid' | 'expired' | 'declined' | 'open'
  code: DeclineCode | null
  count: number
}

export async function loadLinkFunnel(db: Database, linkId: string, now: Date) {
  const from = addDays(toDay(now), 1 - FUNNEL_DAYS)
  const [visits, attempts] = await Promise.all([
    sumVisits(db, linkId, from),
    countAttempts(db, linkId, getDayStart(from)),
  ])
  const count = (end: AttemptRow['end']) =>
    attempts.filter((row) => row.end === end).reduce((sum, row) => sum + row.count, 0)
  const tried = attempts.reduce((sum, row) => sum + row.count, 0)
  const begun = Math.max(visits.begun, tried)
  return {
    // At least as many as in the next step: without its script a page reports neither.
    opened: Math.max(visits.opened, begun),
    begun,
    /** Attempts with a Pix code that was shown, or with a card that was sent. */
    tried,
    paid: count('paid'),
    expired: count('expired'),
    /** Most frequent first. */
    declined: attempts.flatMap(({ code, count }) => (code ? [{ code, count }] : [])),
  }
}

async function sumVisits(db: Database, linkId: string, from: string) {
  const { rows } = await db.execute<{ opened: number; begun: number }>(sql`
    select coalesce(sum(opened), 0)::float8 as opened, coalesce(sum(begun), 0)::float8 as begun
    from link_visits where link_id = ${linkId} and day >= ${from}`)
  return requireFound(rows[0])
}

/** The range is one comparison of both index columns: with two, Postgres would read all links of these days. */
async function countAttempts(db: Database, linkId: string, start: string) {
  const { rows } = await db.execute<AttemptRow>(sql`
    select case
        when approved_at is not null then 'paid'
        when status in ('declined', 'expired') and hold_reason is null then status
        else 'open'
      end as end,
      case when status = 'declined' then decline_code end as code,
      count(*)::float8 as count
    from (
      select status, approved_at, decline_code, hold_reason from transactions
      where (payment_link_id, id) > (${linkId}, ${buildMinUuid(Date.parse(start))})
        and (payment_link_id, id) <= (${linkId}, ${MAX_UUID})
      order by payment_link_id desc, id desc limit ${MAX_ATTEMPTS}
    ) recent
    group by 1, 2 order by 3 desc, 2`)
  return rows
}
