// What came in, summed by day: what was folded so far, and the changes that were not yet, which a trigger
// notes in the transaction of the payment itself. A sum reads both in one statement, so it is exact at any
// time, whoever folds meanwhile. Days are those of São Paulo.

import { type SQL, sql } from '../database/drizzle.ts'

export type DailySums = {
  table: 'daily_revenue' | 'daily_link_revenue' | 'daily_tag_revenue' | 'daily_payouts'
  /** What there is one row of each. */
  key: string
  sums: readonly string[]
  /** How many days before its own a day's payments may have been approved. */
  reachDays?: number
  /** Each of these rows of `revenue_changes` as what it adds, and to which day. */
  selectEntries: (changes: SQL) => SQL
}

const REVENUE_SUMS = ['payments', 'gross_cents', 'refunded_cents', 'priced', 'fee_cents'] as const
const ATTEMPT_SUMS = ['attempts_decided', 'attempts_approved'] as const

/** A payment counts on the day of its approval, an attempt on the day that it was begun. */
export const METHOD_DAYS: DailySums = {
  table: 'daily_revenue',
  key: 'company_id, day, method',
  sums: [...REVENUE_SUMS, ...ATTEMPT_SUMS],
  selectEntries: (changes) => sql`
    select company_id, method, place.* from ${changes} change
    cross join lateral (values
      (change.day, change.payments, change.gross_cents, change.refunded_cents, change.priced, change.fee_cents,
        0, 0::bigint),
      (begun_on, 0, 0, 0, 0, 0, decided, change.payments)
    ) place (day, payments, gross_cents, refunded_cents, priced, fee_cents, attempts_decided, attempts_approved)
    where place.day is not null`,
}

export const LINK_DAYS: DailySums = {
  table: 'daily_link_revenue',
  key: 'company_id, day, payment_link_id',
  sums: REVENUE_SUMS,
  selectEntries: (changes) => sql`
    select company_id, day, payment_link_id, payments, gross_cents, refunded_cents, priced, fee_cents
    from ${changes} change where day is not null`,
}

/** A payment with several tags counts for each of them; one without any for ''. */
export const TAG_DAYS: DailySums = {
  table: 'daily_tag_revenue',
  key: 'company_id, day, tag',
  sums: REVENUE_SUMS,
  selectEntries: (changes) => sql`
    select company_id, day, coalesce(tag, '') as tag, payments, gross_cents, refunded_cents, priced, fee_cents
    from ${changes} change left join lateral unnest(tags) tag on true where day is not null`,
}

/**
 * What is to be paid out on each day, a part at a time. `decided` is the sign of a change, which its sums bear;
 * parts are of a payment as it was, or as it came to be.
 */
export const PAYOUT_DAYS: DailySums = {
  table: 'daily_payouts',
  key: 'company_id, day, method',
  sums: ['parts', 'net_cents'],
  reachDays: 420,
  selectEntries: (changes) => sql`
    select company_id, expected_on + (part.part - 1) * 30 as day, method,
      case when part.net_cents = 0 then 0 else decided end as parts, decided * part.net_cents as net_cents
    from ${changes} change
    cross join lateral payout_parts_of(
      decided * (gross_cents - fee_cents), decided * refunded_cents, payout_parts
    ) part
    where expected_on is not null`,
}

export const DAILY_SUMS = [METHOD_DAYS, LINK_DAYS, TAG_DAYS, PAYOUT_DAYS]

/** All that is `wanted` of a company's, several rows to a day as it may be. `wanted` is of columns that both have. */
export function selectDays(
  { table, key, sums, selectEntries }: DailySums,
  companyId: string,
  wanted: SQL,
): SQL {
  const columns = sql.raw(`${key}, ${sums.join(', ')}`)
  const changes = sql`(select * from revenue_changes where company_id = ${companyId})`
  return sql`(
    select ${columns} from ${sql.raw(table)} where company_id = ${companyId} and ${wanted}
    union all
    select ${columns} from (${selectEntries(changes)}) entry where ${wanted}
  )`
}
