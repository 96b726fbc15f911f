// The closing of a company's month for its accountant, from the book of money. Each movement belongs to its day, so a
// month that is over no longer changes.

import type { Database } from '../database/connect.ts'
import { and, eq, getTableColumns, sql } from '../database/drizzle.ts'
import { PAYMENT_METHODS, type PaymentMethod } from '../database/enums.ts'
import { movements, paymentLinks, transactions } from '../database/tables.ts'
import { buildPosition, type PageQuery } from '../http/pagination.ts'
import { buildOrderBy, isAfter, streamPages } from '../lists/page.ts'
import { buildRecord } from '../record.ts'
import { addMonths, toDay } from './days.ts'
import {
  addRevenue,
  isWithin,
  NO_REVENUE,
  REVENUE_COLUMNS,
  type Revenue,
  type RevenueRow,
  selectMovements,
  toRevenue,
} from './revenue.ts'

export type ClosingSums = Revenue & {
  /** The part of `refundedCents` lost in disputes; negative when more was won back. */
  lostCents: number
  /** Money received above sales, minus its refunds; not included in any other sum. */
  surplusCents: number
}

export type Closing = Awaited<ReturnType<typeof loadClosing>>

type DayRow = RevenueRow &
  Pick<ClosingSums, 'lostCents' | 'surplusCents'> & { day: string; method: PaymentMethod }

/** `days`: the days with movements, each method separately. */
export async function loadClosing(db: Database, companyId: string, month: string) {
  const { rows } = await db.execute<DayRow>(sql`
    select day::text, method, ${REVENUE_COLUMNS},
      coalesce(-sum(cents) filter (where kind in ('dispute', 'dispute_won')), 0)::float8 as "lostCents",
      coalesce(sum(cents) filter (where kind in ('surplus', 'surplus_refund')), 0)::float8 as "surplusCents"
    from ${selectMovements(companyId, isWithin(getMonthDays(month)))} movement
    group by day, method order by day, method desc`)
  const days = rows.map(({ day, method, lostCents, surplusCents, ...row }) => {
    return { ...toRevenue(row), day, method, lostCents, surplusCents }
  })
  return {
    month,
    days,
    byMethod: buildRecord(PAYMENT_METHODS, (method) =>
      sumClosing(days.filter((row) => row.method === method)),
    ),
    total: sumClosing(days),
  }
}

export function isEmptyClosing({ days }: Closing) {
  return days.length === 0
}

export function sumClosing(rows: readonly ClosingSums[]): ClosingSums {
  return rows.reduce<ClosingSums>(
    (a, b) => ({
      ...addRevenue(a, b),
      lostCents: a.lostCents + b.lostCents,
      surplusCents: a.surplusCents + b.surplusCents,
    }),
    { ...NO_REVENUE, lostCents: 0, surplusCents: 0 },
  )
}

export type ClosingLine = Awaited<ReturnType<typeof listClosingLines>>[number]

const ORDER = { id: movements.id, key: movements.movedAt, isDescending: false }

/** Lists up to `limit + 1` lines, oldest first. */
export async function listClosingLines(
  db: Database,
  companyId: string,
  month: string,
  { limit, cursor }: PageQuery,
) {
  const rows = await db
    .select({
      ...getTableColumns(movements),
      slug: paymentLinks.slug,
      linkTitle: sql<string>`coalesce(${transactions.linkTitle}, ${paymentLinks.title})`,
      payerName: transactions.payerName,
      payerTaxId: transactions.payerTaxId,
      payerEmail: transactions.payerEmail,
      externalReference: transactions.externalReference,
      installments: transactions.installments,
      discountCents: sql<number>`case ${movements.kind} when 'sale' then ${transactions.discountCents} else 0 end`,
      customFields: transactions.customFields,
      expectedOn: sql<
        string | null
      >`case when ${transactions.payoutParts} = 1 and ${movements.kind} = 'sale' then ${transactions.expectedOn}::text end`,
      pixTxid: transactions.pixTxid,
      endToEndId: transactions.pixEndToEndId,
      pixInstitution: transactions.pixInstitution,
      providerReference: transactions.providerReference,
      hasFee: sql<boolean>`${transactions.feeCents} is not null`,
    })
    .from(movements)
    .innerJoin(transactions, eq(transactions.id, movements.transactionId))
    .innerJoin(paymentLinks, eq(paymentLinks.id, movements.paymentLinkId))
    .where(
      and(
        eq(movements.companyId, companyId),
        isWithin(getMonthDays(month)),
        isAfter(cursor, ORDER),
      ),
    )
    .orderBy(...buildOrderBy(ORDER))
    .limit(limit + 1)
  return rows.map((row) => ({ ...row, ...splitAmounts(row) }))
}

export function streamClosingLines(db: Database, companyId: string, month: string) {
  return streamPages((page) => listClosingLines(db, companyId, month, page), getLinePosition)
}

export function getLinePosition({ movedAt, id }: Pick<ClosingLine, 'movedAt' | 'id'>) {
  return buildPosition(movedAt, id)
}

type Amounts = Pick<
  typeof movements.$inferSelect,
  'kind' | 'cents' | 'interestCents' | 'feeCents'
> & { discountCents: number; hasFee: boolean }

/**
 * Splits the amounts of a line into the columns of the month's sums. Money above a sale has a column of its own. The
 * fee of a sale is null when unknown; a fee that became known later is a line of its own.
 */
function splitAmounts({ kind, cents, interestCents, discountCents, feeCents, hasFee }: Amounts) {
  const isSurplus = kind === 'surplus' || kind === 'surplus_refund'
  const totalCents = isSurplus ? 0 : cents
  const knownFeeCents = feeCents ?? (hasFee ? 0 : null)
  return {
    priceCents: kind === 'sale' ? cents - interestCents + discountCents : 0,
    interestCents,
    totalCents,
    surplusCents: isSurplus ? cents : 0,
    feeCents: knownFeeCents,
    netCents: knownFeeCents === null ? null : totalCents - knownFeeCents,
  }
}

const MONTH_PATTERN = /^20\d\d-(?:0[1-9]|1[0-2])$/

/** Undefined for texts other than a month of this century. */
export function parseMonth(text: string | undefined) {
  return text !== undefined && MONTH_PATTERN.test(text) ? text : undefined
}

export function getCurrentMonth(now: Date) {
  return toDay(now).slice(0, 7)
}

/** The first day of the month, and of the next one. */
export function getMonthDays(month: string) {
  return { from: `${month}-01`, to: `${addMonths(month, 1)}-01` }
}
