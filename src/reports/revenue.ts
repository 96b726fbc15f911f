// What a company took in, as rows to be summed: each payment once, on the day or at the instant that it was
// approved, and what the payers' banks have taken back of it. Days are read from their sums (daily-sums.ts),
// a part of a day from the index `transactions_received`.

import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { type DailySums, LINK_DAYS, selectDays } from './daily-sums.ts'

/** Gross is what payers paid; refunded what went back, by refund or by their banks. */
export type Revenue = {
  count: number
  grossCents: number
  refundedCents: number
  afterRefundsCents: number
  /** What providers keep. Null, like the net, where the fee of any of the payments is not known. */
  feeCents: number | null
  /** After refunds and fees. */
  netCents: number | null
  /** Payments whose fee is not known. */
  withoutFeeCount: number
}

export type RevenueDays = {
  companyId: string
  /** The first day, `2026-11-01`. */
  from: string
  /** The day after the last. */
  to: string
}

type RevenuePeriod = {
  companyId: string
  /** The first instant. */
  from: string
  /** The instant after the last. */
  to: string
}

export const NO_REVENUE: Revenue = {
  ...{ count: 0, grossCents: 0, refundedCents: 0, afterRefundsCents: 0 },
  ...{ feeCents: 0, netCents: 0, withoutFeeCount: 0 },
}

/** Rows of `payments, gross, refunded, priced, fee`, of their day, and of what these sums are by. */
export function selectRevenue(sums: DailySums, days: RevenueDays): SQL {
  return sql`(select *, ${REVENUE_SUMS_AS} from ${selectDays(sums, days.companyId, isWithin(days))} sums)`
}

/** For `selectDays`. */
export function isWithin({ from, to }: Pick<RevenueDays, 'from' | 'to'>): SQL {
  return sql`day >= ${from} and day < ${to}`
}

/** As REVENUE_COLUMNS reads them. */
export const REVENUE_SUMS_AS = sql`gross_cents as gross, refunded_cents as refunded, fee_cents as fee`

/** Rows of `approved_at, method, payments, gross, refunded`, one or two of a payment; fees are in no index. */
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

/** Columns that read as a RevenueRow; as floats, which are exact up to 90 trillion reais. */
export const REVENUE_COLUMNS = sql`
  coalesce(sum(payments::float8), 0) as count,
  coalesce(sum(gross::float8), 0) as "grossCents",
  coalesce(sum(refunded::float8), 0) as "refundedCents",
  coalesce(sum(priced::float8), 0) as "pricedCount",
  coalesce(sum(fee::float8), 0) as "knownFeeCents"`

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
  return sumRevenue(db, sql`(select payments, priced, ${REVENUE_SUMS_AS} from ${days} sums)`)
}

export type RevenueRow = Pick<Revenue, 'count' | 'grossCents' | 'refundedCents'> & {
  pricedCount: number
  knownFeeCents: number
}

export function toRevenue({ pricedCount, knownFeeCents, ...sums }: RevenueRow): Revenue {
  const afterRefundsCents = sums.grossCents - sums.refundedCents
  const withoutFeeCount = sums.count - pricedCount
  const feeCents = withoutFeeCount === 0 ? knownFeeCents : null
  const netCents = feeCents === null ? null : afterRefundsCents - feeCents
  const { count, grossCents, refundedCents } = sums
  return {
    ...{ count, grossCents, refundedCents, afterRefundsCents },
    ...{ feeCents, netCents, withoutFeeCount },
  }
}

export function addRevenue(a: Revenue, b: Revenue): Revenue {
  return {
    count: a.count + b.count,
    grossCents: a.grossCents + b.grossCents,
    refundedCents: a.refundedCents + b.refundedCents,
    afterRefundsCents: a.afterRefundsCents + b.afterRefundsCents,
    feeCents: addKnown(a.feeCents, b.feeCents),
    netCents: addKnown(a.netCents, b.netCents),
    withoutFeeCount: a.withoutFeeCount + b.withoutFeeCount,
  }
}

/** What two amounts come to, where both are known. */
export function addKnown(a: number | null, b: number | null) {
  return a === null || b === null ? null : a + b
}
