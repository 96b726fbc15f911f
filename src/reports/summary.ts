// The figures of a company's start page, of a link and of a customer. Days are those of São Paulo.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { PAYMENT_METHODS, type PaymentMethod } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { buildMinUuid } from '../database/id.ts'
import { DAY_MS } from '../database/instant.ts'
import { disputes, incomingPayments, transactions } from '../database/tables.ts'
import { buildRecord } from '../record.ts'
import { countFailingDeliveries } from '../webhooks/endpoints/health.ts'
import { addDays, getDayStart, toDay } from './days.ts'
import {
  addRevenue,
  isEarly,
  NO_REVENUE,
  REVENUE_COLUMNS,
  type Revenue,
  type RevenueRow,
  selectMovements,
  toRevenue,
} from './revenue.ts'

/** Revenue without fees. */
type GrossRevenue = Omit<Revenue, 'feeCents' | 'netCents' | 'withoutFeeCount'>

/** `previous` is the period before, up to the same time of day, so that both are equally long. */
export type ComparedRevenue = GrossRevenue & { previous: GrossRevenue }

/** `rate` is approved / decided, from 0 to 1; null when no attempt was decided. */
type ApprovalRate = { approved: number; decided: number; rate: number | null }

export type Summary = Awaited<ReturnType<typeof loadSummary>>

/** A day's movements by one method; `early` are those up to the present time of day. */
type DayRow = RevenueRow & { day: string; method: PaymentMethod; early: boolean }

const SUMMARY_DAYS = 30
/** The lengths of the periods that are compared with the ones before. */
const COMPARED_DAYS = [1, 7, SUMMARY_DAYS] as const

export async function loadSummary(db: Database, companyId: string, now: Date) {
  const today = toDay(now)
  const since = new Date(now.getTime() - DAY_MS)
  const first = addDays(today, 1 - SUMMARY_DAYS)
  const [rows, attempts, heldCount, overpaidCount, duplicateCount, failedDeliveries] =
    await Promise.all([
      readDailyRevenue(db, companyId, now),
      countAttempts(db, companyId, first),
      countPayments(db, companyId, IS_HELD),
      countOverpaid(db, companyId),
      countPayments(db, companyId, IS_OPEN_DUPLICATE),
      countFailingDeliveries(db, companyId, since),
    ])
  const recent = selectDays(rows, first, today)
  const before = selectPeriod(rows, addDays(first, -SUMMARY_DAYS), addDays(first, -1))
  const compareLastDays = (days: (typeof COMPARED_DAYS)[number]) =>
    comparePeriods(rows, today, days)
  return {
    today: compareLastDays(1),
    last7: compareLastDays(7),
    last30: compareLastDays(SUMMARY_DAYS),
    /**
     * The approval rate of attempts that began in these 30 days and have ended: approved (even if refunded later),
     * declined, or expired unpaid. Attempts in progress, held or canceled do not count.
     */
    approval: {
      ...computeApprovalRate(attempts),
      byMethod: groupByMethod(attempts, computeApprovalRate),
    },
    byMethod: groupByMethod(recent, sumRevenueRows),
    /** Each of the 30 days, oldest first, with that of the 30 days before. */
    days: Array.from({ length: SUMMARY_DAYS }, (_, i) => {
      const day = addDays(first, i)
      const previous = sumDay(before, addDays(day, -SUMMARY_DAYS))
      return { day, ...sumDay(recent, day), previous }
    }),
    /** Payments that need a decision: another amount came in, or more than the sale. */
    heldCount,
    overpaidCount,
    /** Possible duplicates without a refund. */
    duplicateCount,
    /** Deliveries with a last attempt that failed in the last 24 hours. */
    failedDeliveries,
  }
}

const MAX_RECENT_ATTEMPTS = 1_000
/** The attempt ended in a way that shows whether payers can pay; held attempts have not ended. */
const IS_DECIDED = sql`approved_at is not null
  or (status in ('declined', 'expired') and hold_reason is null)`

export async function loadLinkApprovalRate(db: Database, companyId: string, linkId: string) {
  const { rows } = await db.execute<AttemptTotals>(sql`
    select method, count(approved_at)::float8 as approved, count(*)::float8 as decided
    from (
      select method, status, approved_at, hold_reason from transactions
      where payment_link_id = ${linkId} and company_id = ${companyId}
      order by payment_link_id desc, id desc limit ${MAX_RECENT_ATTEMPTS}
    ) recent
    where ${IS_DECIDED}
    group by method`)
  return computeApprovalRate(rows)
}

/**
 * Reads twice the shown days, for the comparison. Movements up to the present time of day are `early`: only these count
 * on the last day of an earlier period.
 */
async function readDailyRevenue(db: Database, companyId: string, now: Date) {
  const today = toDay(now)
  const from = addDays(today, 1 - 2 * SUMMARY_DAYS)
  const days = sql`day >= ${from} and day <= ${today} and moved_at <= ${now.toISOString()}`
  const { rows } = await db.execute<DayRow>(sql`
    select day::text, ${isEarly(now)} as early, method, ${REVENUE_COLUMNS}
    from ${selectMovements(companyId, days)} movement group by 1, 2, 3`)
  return rows
}

type AttemptTotals = { method: PaymentMethod; approved: number; decided: number }

async function countAttempts(db: Database, companyId: string, from: string) {
  const { rows } = await db.execute<AttemptTotals>(sql`
    select method, count(approved_at)::float8 as approved, count(*)::float8 as decided
    from transactions
    where company_id = ${companyId} and id >= ${buildMinUuid(Date.parse(getDayStart(from)))} and (${IS_DECIDED})
    group by method`)
  return rows
}

/** `surplus_cents > 0` is implied, but lets Postgres estimate that few rows match. */
async function countOverpaid(db: Database, companyId: string) {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(distinct paid.id)::int as count
    from ${incomingPayments} join transactions paid on paid.id = transaction_id
    where ${incomingPayments.companyId} = ${companyId} and ${HAS_SURPLUS_LEFT}
      and paid.approved_at is not null`)
  return requireFound(rows[0]).count
}

function countPayments(db: Database, companyId: string, condition: SQL) {
  return db.$count(transactions, sql`company_id = ${companyId} and ${condition}`)
}

function comparePeriods(rows: DayRow[], today: string, days: number): ComparedRevenue {
  const first = addDays(today, 1 - days)
  const before = addDays(first, -days)
  return {
    ...sumRevenueRows(selectDays(rows, first, today)),
    previous: sumRevenueRows(selectPeriod(rows, before, addDays(first, -1))),
  }
}

function selectDays(rows: DayRow[], first: string, last: string) {
  return rows.filter(({ day }) => day >= first && day <= last)
}

/** Of an earlier period, the last day counts up to the present time of day. */
function selectPeriod(rows: DayRow[], first: string, last: string) {
  return selectDays(rows, first, last).filter(({ day, early }) => early || day < last)
}

function sumRevenueRows(rows: RevenueRow[]): GrossRevenue {
  const { count, grossCents, refundedCents, afterRefundsCents } = rows
    .map(toRevenue)
    .reduce(addRevenue, NO_REVENUE)
  return { count, grossCents, refundedCents, afterRefundsCents }
}

function sumDay(rows: DayRow[], wanted: string) {
  return sumRevenueRows(rows.filter(({ day }) => day === wanted))
}

function computeApprovalRate(rows: AttemptTotals[]): ApprovalRate {
  const approved = rows.reduce((sum, row) => sum + row.approved, 0)
  const decided = rows.reduce((sum, row) => sum + row.decided, 0)
  return { approved, decided, rate: decided === 0 ? null : approved / decided }
}

function groupByMethod<Row extends { method: PaymentMethod }, Out>(
  rows: Row[],
  make: (rows: Row[]) => Out,
) {
  return buildRecord(PAYMENT_METHODS, (one) => make(rows.filter(({ method }) => method === one)))
}

// Conditions for money that a person of the company must check: held, received above a sale and not refunded yet, or
// possibly paid twice.

/** The same as isAmountMismatch of transactions/transaction.ts. */
export const IS_HELD = sql`(
  ${transactions.holdReason} is not null and ${transactions.approvedAt} is null and ${transactions.status} <> 'canceled'
)`

const { id, transactionId, surplusCents, refundedCents } = incomingPayments

// The comparison with zero is implied, but lets Postgres estimate that few rows match; the one of two columns is the
// condition of their index.
export const HAS_SURPLUS_LEFT = sql`(
  ${surplusCents} > 0 and ${surplusCents} > ${refundedCents} and ${surplusCents} > ${refundedCents} + (
    select coalesce(sum(lost.amount_cents), 0) from ${disputes} lost
    where lost.transaction_id = ${transactionId} and lost.incoming_payment_id = ${id}
      and lost.status = 'lost'
  )
)`

/** The payment that another one may repeat, or an earlier repetition of it, whichever still has its money. */
const KEPT_TWIN = sql`(
  select twin.id from transactions twin
  where twin.company_id = ${transactions.companyId} and twin.status in ('approved', 'partially_refunded')
    and (twin.id = ${transactions.possibleDuplicateOf}
      or (twin.possible_duplicate_of = ${transactions.possibleDuplicateOf} and twin.id < ${transactions.id}))
  order by twin.id limit 1
)`

/** Once one of two is refunded, the other repeats nothing. */
export const IS_OPEN_DUPLICATE = sql`(
  ${transactions.possibleDuplicateOf} is not null and ${transactions.status} = 'approved' and ${KEPT_TWIN} is not null
)`

/** Finds the payment that this one may repeat; null when it repeats none, or not any more. */
export async function findKeptTwin(
  db: Database,
  { id, possibleDuplicateOf }: Pick<typeof transactions.$inferSelect, 'id' | 'possibleDuplicateOf'>,
): Promise<string | null> {
  if (possibleDuplicateOf === null) return null
  const { rows } = await db.execute<{ twinId: string }>(
    sql`select ${KEPT_TWIN} as "twinId" from ${transactions} where ${transactions.id} = ${id} and ${IS_OPEN_DUPLICATE}`,
  )
  return rows[0]?.twinId ?? null
}
