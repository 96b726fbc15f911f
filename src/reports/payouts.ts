// What providers say that they will pay out to a company, day by day, from the sums of days.
import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { PAYOUT_DAYS, selectDays } from './daily-sums.ts'

/** What is expected on a day, of so many payments. */
export type PayoutDay = { day: string; payments: number; netCents: number }

const MAX_DAYS = 60

/** From `today` on, the soonest first. */
export async function listPayoutDays(
  db: Database,
  companyId: string,
  today: string,
): Promise<PayoutDay[]> {
  const days = selectDays(PAYOUT_DAYS, companyId, sql`day >= ${today}`)
  const { rows } = await db.execute<PayoutDay>(sql`
    select day::text, sum(parts)::float8 as payments, sum(net_cents)::float8 as "netCents"
    from ${days} payout group by day having sum(parts) <> 0 or sum(net_cents) <> 0
    order by day limit ${MAX_DAYS}`)
  return rows
}
