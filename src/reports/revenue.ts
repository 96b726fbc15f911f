// A company's revenue, as sums of the book of money (movements/book.ts), each movement on its day. Money received above
// a sale is not revenue, since it is refunded.

import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'

/** Gross is what payers paid; refunded is the part returned by refunds or taken by disputes. */
export type Revenue = {
  count: number
  grossCents: number
  refundedCents: number
  afterRefundsCents: number
  /** The providers' fees. Null, like the net, when the fee of a payment is unknown. */
  feeCents: number | null
  netCents: number | null
  withoutFeeCount: number
}

export type RevenueDays = {
  companyId: string
  from: string
  /** The day after the last one. */
  to: string
  /** The counterpart of today, which is not over: this day counts only up to the present time of day. */
  cut?: { day: string; now: Date } | undefined
}

export const NO_REVENUE: Revenue = {
  count: 0,
  grossCents: 0,
  refundedCents: 0,
  afterRefundsCents: 0,
  feeCents: 0,
  netCents: 0,
  withoutFeeCount: 0,
}

export function isWithin({ from, to, cut }: Omit<RevenueDays, 'companyId'>): SQL {
  const days = sql`day >= ${from} and day < ${to}`
  if (!cut) return days
  return sql`${days} and (day < ${cut.day} or (day = ${cut.day} and ${isEarly(cut.now)}))`
}

/** Whether a movement's time of day is not later than that of `now`. */
export function isEarly(now: Date): SQL {
  const timeOf = (instant: SQL) => sql`(${instant} at time zone 'America/Sao_Paulo')::time`
  return sql`${timeOf(sql`moved_at`)} <= ${timeOf(sql`${now.toISOString()}::timestamptz`)}`
}

/**
 * Selects rows of a company's book, for REVENUE_COLUMNS. A sale is `unpriced` when its fee never became known.
 * @param condition on the columns of `movements`
 */
export function selectMovements(companyId: string, condition: SQL): SQL {
  return sql`(
    select moved.*, (moved.kind = 'sale' and moved.fee_cents is null and later.transaction_id is null) as unpriced
    from (select * from movements where company_id = ${companyId} and ${condition}) moved
    left join (
      select distinct transaction_id from movements where company_id = ${companyId} and kind = 'fee'
    ) later on moved.kind = 'sale' and moved.fee_cents is null and later.transaction_id = moved.transaction_id
  )`
}

/** The columns of a RevenueRow, as floats, which are exact up to 90 trillion reais. */
export const REVENUE_COLUMNS = sql`
  count(*) filter (where kind = 'sale')::float8 as count,
  coalesce(sum(cents) filter (where kind = 'sale'), 0)::float8 as "grossCents",
  coalesce(-sum(cents) filter (where kind in ('refund', 'dispute', 'dispute_won')), 0)::float8 as "refundedCents",
  coalesce(sum(fee_cents), 0)::float8 as "knownFeeCents",
  count(*) filter (where unpriced)::float8 as "withoutFeeCount"`

export type RevenueRow = Pick<
  Revenue,
  'count' | 'grossCents' | 'refundedCents' | 'withoutFeeCount'
> & { knownFeeCents: number }

/** Sums by `key`, an expression on the columns of `movements`; keys without movements are left out. */
export async function sumRevenueBy(db: Database, key: SQL, companyId: string, condition: SQL) {
  const { rows } = await db.execute<RevenueRow & { key: string }>(sql`
    select ${key}::text as key, ${REVENUE_COLUMNS}
    from ${selectMovements(companyId, condition)} movement group by 1`)
  return new Map(rows.map((row) => [row.key, toRevenue(row)]))
}

export async function sumRevenue(db: Database, companyId: string, condition: SQL) {
  const { rows } = await db.execute<RevenueRow>(
    sql`select ${REVENUE_COLUMNS} from ${selectMovements(companyId, condition)} movement`,
  )
  return toRevenue(requireFound(rows[0]))
}

export async function sumLinkRevenue(db: Database, companyId: string, linkId: string) {
  return sumRevenue(db, companyId, sql`payment_link_id = ${linkId}`)
}

export async function sumCustomerRevenue(db: Database, companyId: string, customerId: string) {
  const payments = sql`select id from transactions where customer_id = ${customerId}`
  return sumRevenue(db, companyId, sql`transaction_id in (${payments})`)
}

/** Sums the revenue of these links by id; links without movements are left out. */
export async function sumRevenueByLink(db: Database, companyId: string, linkIds: string[]) {
  if (linkIds.length === 0) return new Map()
  const isAsked = sql`payment_link_id = any(${sql.param(linkIds)}::uuid[])`
  return sumRevenueBy(db, sql`payment_link_id`, companyId, isAsked)
}

export function toRevenue(row: RevenueRow): Revenue {
  const { count, grossCents, refundedCents, withoutFeeCount } = row
  const afterRefundsCents = grossCents - refundedCents
  const feeCents = withoutFeeCount === 0 ? row.knownFeeCents : null
  const netCents = feeCents === null ? null : afterRefundsCents - feeCents
  return {
    count,
    grossCents,
    refundedCents,
    afterRefundsCents,
    feeCents,
    netCents,
    withoutFeeCount,
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

function addKnown(a: number | null, b: number | null) {
  return a === null || b === null ? null : a + b
}
