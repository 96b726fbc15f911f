// The payouts that providers announce to a company, day by day.
import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'

type PayoutDay = { day: string; payments: number; netCents: number }

/** A payment is paid out within 390 days of its approval (transactions/payout.ts), so that no day is left out. */
const MAX_DAYS = 400

/** Lists payouts from `today` on, soonest first. Payments that were refunded in full are not included. */
export async function listPayoutDays(db: Database, companyId: string, today: string) {
  const { rows } = await db.execute<PayoutDay>(sql`
    select day::text, count(*) filter (where net_cents <> 0)::int as payments, sum(net_cents)::float8 as "netCents"
    from (
      select expected_on as day,
        total_cents - refunded_cents - least(charged_back_cents, total_cents - refunded_cents) - fee_cents as net_cents
      from transactions
      where company_id = ${companyId} and expected_on >= ${today} and payout_parts = 1
        and approved_at is not null and fee_cents is not null
    ) payout
    group by 1 having bool_or(net_cents <> 0) order by 1 limit ${MAX_DAYS}`)
  return rows
}
