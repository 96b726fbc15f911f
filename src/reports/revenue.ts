// What a company took in, as rows to be summed: each payment once at the instant it was approved, and
// what the payers' banks have taken back of it. Read from the index `transactions_received` alone, the
// few of which disputes took something aside.

import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'

/** Gross is what payers paid; refunded what went back, by refund or by their banks; net what is left. */
export type Revenue = { count: number; grossCents: number; refundedCents: number; netCents: number }

export type RevenuePeriod = {
  companyId: string
  /** The first instant. */
  from: string
  /** The instant after the last. */
  to: string
}

export const NO_REVENUE: Revenue = { count: 0, grossCents: 0, refundedCents: 0, netCents: 0 }

/** Rows of `approved_at, method, payment_link_id, payments, gross, refunded`, and of `more` columns. */
export function selectRevenue({ companyId, from, to }: RevenuePeriod, more: SQL = sql``): SQL {
  return sql`(
    select approved_at, method, payment_link_id, 1 as payments,
      total_cents as gross, refunded_cents as refunded${more}
    from transactions
    where company_id = ${companyId} and approved_at >= ${from} and approved_at < ${to}
    union all
    select approved_at, method, payment_link_id, 0, 0, lost${more}
    from (${selectChargebacks(companyId)}) charged_back
    where approved_at >= ${from} and approved_at < ${to}
  )`
}

/** What disputes took of a company's payments, all or a part of each. Kept apart, so that they are read as such. */
export function selectChargebacks(companyId: string): SQL {
  return sql`
    select approved_at, method, payment_link_id, tags, ${LOST_CENTS} as lost
    from transactions
    where company_id = ${companyId} and charged_back_cents > 0 and approved_at is not null
    offset 0`
}

/** What was refunded and lost besides counts once: no more went than came. */
export const LOST_CENTS = sql`least(charged_back_cents, total_cents - refunded_cents)`

/**
 * Which of these time buckets, each from one instant to the next, a row lies in: from 1, the last without
 * an end. It costs a tenth of what Postgres takes to name a row's day in São Paulo.
 */
export function buildTimeBucket(starts: string[]): SQL {
  return sql`width_bucket(approved_at, ${sql.param(starts)}::timestamptz[])`
}

/** Columns that read as Revenue, less `netCents`; as floats, which are exact up to 90 trillion reais. */
export const REVENUE_COLUMNS = sql`
  coalesce(sum(payments), 0)::float8 as count,
  coalesce(sum(gross), 0)::float8 as "grossCents",
  coalesce(sum(refunded), 0)::float8 as "refundedCents"`

/** The sum of such rows. */
export async function sumRevenue(db: Database, rows: SQL): Promise<Revenue> {
  const { rows: sums } = await db.execute<RevenueRow>(
    sql`select ${REVENUE_COLUMNS} from ${rows} revenue`,
  )
  return toRevenue(requireFound(sums[0]))
}

export type RevenueRow = Omit<Revenue, 'netCents'>

export function toRevenue({ count, grossCents, refundedCents }: RevenueRow): Revenue {
  return { count, grossCents, refundedCents, netCents: grossCents - refundedCents }
}

export function addRevenue(a: Revenue, b: Revenue): Revenue {
  return {
    count: a.count + b.count,
    grossCents: a.grossCents + b.grossCents,
    refundedCents: a.refundedCents + b.refundedCents,
    netCents: a.netCents + b.netCents,
  }
}
