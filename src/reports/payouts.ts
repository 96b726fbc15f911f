// What is to be paid out to a company, day by day, from the sums of days.
import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import type { PaymentMethod } from '../database/enums.ts'
import { PAYOUT_DAYS, selectDays } from './daily-sums.ts'
import { addDays } from './days.ts'

/** What is expected on a day by one method; `parts` of payments. */
export type PayoutDay = { day: string; method: PaymentMethod; parts: number; netCents: number }

/** How far back what should have come in by now is told. */
const PAST_PAYOUT_DAYS = 30
/** Thirteen months: a card's last part is paid out within twelve, or a little later where a provider is slow. */
const PAYOUT_DAYS_AHEAD = 396

/** From 30 days ago to thirteen months ahead, the oldest first. */
export async function listPayoutDays(
  db: Database,
  companyId: string,
  today: string,
): Promise<PayoutDay[]> {
  const first = addDays(today, -PAST_PAYOUT_DAYS)
  const last = addDays(today, PAYOUT_DAYS_AHEAD)
  const days = selectDays(PAYOUT_DAYS, companyId, sql`day between ${first} and ${last}`)
  const { rows } = await db.execute<PayoutDay>(sql`
    select day::text, method, sum(parts)::float8 as parts, sum(net_cents)::float8 as "netCents"
    from ${days} payout group by day, method having sum(parts) <> 0 or sum(net_cents) <> 0
    order by day, method desc`)
  return rows
}
