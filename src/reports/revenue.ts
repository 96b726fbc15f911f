// What a company took in, as rows to be summed: each payment once, on the day or at the instant that it was
// approved, and what the payers' banks have taken back of it. Days are read from their sums (daily-sums.ts),
// a part of a day from the index `transactions_received`.

import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { type DailySums, LINK_DAYS, selectDays } from './daily-sums.ts'

/** Gross is what payers paid; refunded what went back, by refund or by their banks; net what is left. */
export type Revenue = { count: number; grossCents: number; refundedCents: number; netCents: number }

export type RevenueDays = {
  companyId: string
  /** The first day, `2026-11-01`. */
  from: string
  /** The day after the last. */
  to: string
}

export type RevenuePeriod = {
  companyId: string
  /** The first instant. */
  from: string
  /** The instant after the last. */
  to: string
}

export const NO_REVENUE: Revenue = { count: 0, grossCents: 0, refundedCents: 0, netCents: 0 }

/** Rows of `payments, gross, refunded`, of their day, and of what these sums are by. */
export function selectRevenue(sums: DailySums, { companyId, from, to }: RevenueDays): SQL {
  const days = selectDays(sums, companyId, sql`day >= ${from} and day < ${to}`)
  return sql`(select *, gross_cents as gross, refunded_cents as refunded from ${days} sums)`
}

/** Rows of `approved_at, method, payments, gross, refunded`, one or two of a payment. */
export function selectPayments({ companyId, from, to }: RevenuePeriod): SQL {
  return sql`(
    select approved_at, method, 1 as payments, total_cents as gross, refunded_cents as refunded
    from transactions
    where company_id = ${companyId} and approved_at >= ${from} and approved_at < ${to}
    union all
    select approved_at, method, 0, 0, ${LOST_CENTS} from transactions
    where company_id = ${companyId} and approved_at >= ${from} and approved_at < ${to}
      and charged_back_cents > 0
  )`
}

/** What was refunded and lost besides counts once: no more went than came. */
export const LOST_CENTS = sql`least(charged_back_cents, total_cents - refunded_cents)`

/** Columns that read as Revenue, less `netCents`; as floats, which are exact up to 90 trillion reais. */
export const REVENUE_COLUMNS = sql`
  coalesce(sum(payments::float8), 0) as count,
  coalesce(sum(gross::float8), 0) as "grossCents",
  coalesce(sum(refunded::float8), 0) as "refundedCents"`

/** The sum of such rows. */
export async function sumRevenue(db: Database, rows: SQL): Promise<Revenue> {
  const { rows: sums } = await db.execute<RevenueRow>(
    sql`select ${REVENUE_COLUMNS} from ${rows} revenue`,
  )
  return toRevenue(requireFound(sums[0]))
}

/** All that a link has brought so far. */
export async function sumLinkRevenue(
  db: Database,
  companyId: string,
  linkId: string,
): Promise<Revenue> {
  const days = selectDays(LINK_DAYS, companyId, sql`payment_link_id = ${linkId}`)
  return sumRevenue(
    db,
    sql`(select payments, gross_cents as gross, refunded_cents as refunded from ${days} sums)`,
  )
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
