// A company's revenue between two days of São Paulo, in rows by time, method, tag or link. A payment counts on the day
// of payment, a refund on the day of the refund.

import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { PAYMENT_METHODS } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { formatDay, formatMonth } from '../format.ts'
import { type FieldError, invalidFieldsError } from '../http/errors.ts'
import { texts } from '../texts.ts'
import {
  addDays,
  addMonths,
  countDaysBetween,
  type DayShift,
  getDayStart,
  isDay,
  NO_SHIFT,
  shiftDayBack,
  toDay,
} from './days.ts'
import { type RankedGroups, rankGroups } from './groups.ts'
import {
  addRevenue,
  isWithin,
  NO_REVENUE,
  type Revenue,
  type RevenueDays,
  sumRevenue,
  sumRevenueBy,
  toRevenue,
} from './revenue.ts'
import { reportTexts } from './texts.ts'

export const REPORT_KINDS = ['day', 'week', 'month', 'method', 'tag', 'link'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]
type TimeKind = Extract<ReportKind, 'day' | 'week' | 'month'>

export type ReportRow = Revenue & {
  /**
   * A day, a week's Monday, a month `2026-11`, a method, a tag or a link's id; null for payments without one, and for
   * the row of all other groups.
   */
  key: string | null
  label: string
}

export type Report = {
  rows: ReportRow[]
  /** The total of payments, not of rows: a payment with two tags is in two rows. */
  total: Revenue
}

export type ReportRange = {
  from: string
  /** The day after the last one. */
  to: string
}

const MAX_REPORT_DAYS = 366
/** Tags or links with a row of their own (RankedGroups); the others share one row. */
const MAX_REPORT_GROUPS = 200

/** A comparison with earlier days. `now` limits it, since today is not over; null for no limit. */
export type Counterpart = { shift: DayShift; now: Date | null }

/**
 * Sums the days of the range, or with a shift the days that are so much earlier; by time, each of these is in the row
 * of its counterpart. Throws 422 for days that are invalid, in the wrong order or too many.
 */
export async function buildReport(
  db: Database,
  companyId: string,
  kind: ReportKind,
  range: ReportRange,
  { shift, now }: Counterpart = { shift: NO_SHIFT, now: null },
): Promise<Report> {
  const errors = findRangeErrors(range)
  if (errors.length > 0) throw invalidFieldsError(errors)
  const days = { companyId, ...getCounterpartDays(range, { shift, now }) }
  switch (kind) {
    case 'day':
    case 'week':
    case 'month':
      return sumReport(await reportByTime(db, days, listTimeRows(kind, range), shift))
    case 'method':
      return sumReport(await reportByMethod(db, days))
    case 'link':
      return sumReport(await reportByLink(db, days))
    case 'tag':
      return {
        rows: await reportByTag(db, days),
        total: await sumRevenue(db, companyId, isWithin(days)),
      }
  }
}

function sumReport(rows: ReportRow[]): Report {
  return { rows, total: rows.reduce<Revenue>(addRevenue, NO_REVENUE) }
}

export function shiftRangeBack({ from, to }: ReportRange, shift: DayShift): ReportRange {
  return { from: shiftDayBack(from, shift), to: shiftDayBack(to, shift) }
}

/** Returns the shifted range. The counterpart of today ends at the present time of day. */
export function getCounterpartDays(range: ReportRange, { shift, now }: Counterpart) {
  const today = now && toDay(now)
  const isOpen = today !== null && range.from <= today && today < range.to
  const cut = now && isOpen ? { day: shiftDayBack(today, shift), now } : undefined
  return { ...shiftRangeBack(range, shift), cut }
}

export function findRangeErrors({ from, to }: Pick<ReportRange, 'from' | 'to'>): FieldError[] {
  const { day, order, tooLong } = reportTexts
  const wrong = Object.entries({ from, to }).filter(([, value]) => !isDay(value))
  if (wrong.length > 0) {
    return wrong.map(([field]) => ({ field, code: 'invalid_date', message: day }))
  }
  const days = countDaysBetween(from, to)
  if (days < 1) return [{ field: 'to', code: 'invalid_date', message: order }]
  if (days <= MAX_REPORT_DAYS) return []
  return [{ field: 'to', code: 'too_big', message: tooLong(MAX_REPORT_DAYS) }]
}

type TimeRow = { key: string; start: string; label: string }

/** Returns a row for each of these periods, oldest first, also for those without payments. */
async function reportByTime(
  db: Database,
  days: RevenueDays,
  times: TimeRow[],
  { months, days: back }: DayShift,
) {
  const starts = sql.param(times.map(({ start }) => start))
  // The 31st becomes the last day of a shorter month.
  const shifted = sql`(day + make_interval(months => ${months}, days => ${back}))::date`
  const bucket = sql`width_bucket(${shifted}, ${starts}::date[])`
  const found = await sumRevenueBy(db, bucket, days.companyId, isWithin(days))
  return times.map(({ key, label }, i) => toReportRow(key, label, found.get(`${i + 1}`)))
}

function listTimeRows(kind: TimeKind, { from, to }: ReportRange): TimeRow[] {
  const last = addDays(to, -1)
  switch (kind) {
    case 'day':
      return listDays(from, last, 1).map((key) => toTimeRow(key, formatDay))
    case 'week':
      return listDays(getMonday(from), last, 7).map((key) =>
        toTimeRow(key, (start) => reportTexts.week(formatDay(start))),
      )
    case 'month':
      return listMonths(from, last).map((key) => ({
        ...toTimeRow(`${key}-01`, formatMonth),
        key,
      }))
  }
}

function toTimeRow(day: string, formatLabel: (start: string) => string): TimeRow {
  return { key: day, start: day, label: formatLabel(getDayStart(day)) }
}

function listDays(first: string, last: string, step: number) {
  const count = Math.floor(countDaysBetween(first, last) / step) + 1
  return Array.from({ length: count }, (_, i) => addDays(first, i * step))
}

function getMonday(day: string) {
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return addDays(day, -sinceMonday)
}

async function reportByMethod(db: Database, days: RevenueDays) {
  const found = await sumRevenueBy(db, sql`method`, days.companyId, isWithin(days))
  return PAYMENT_METHODS.map((key) => toReportRow(key, texts.methods[key], found.get(key)))
}

async function reportByTag(db: Database, days: RevenueDays) {
  const ranked = await rankGroups(db, 'tag', days, MAX_REPORT_GROUPS)
  return toGroupRows(ranked, (key) => ({ key: key || null, label: key || reportTexts.noTag }))
}

async function reportByLink(db: Database, days: RevenueDays) {
  const ranked = await rankGroups(db, 'link', days, MAX_REPORT_GROUPS)
  const titles = await findLinkTitles(db, [...ranked.first.keys()])
  return toGroupRows(ranked, (key) => ({ key, label: requireFound(titles.get(key)) }))
}

async function findLinkTitles(db: Database, ids: string[]) {
  const { rows } = await db.execute<{ id: string; title: string }>(
    sql`select id, title from payment_links where id = any(${sql.param(ids)}::uuid[])`,
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** A payment with several tags is in the row of each; payments without tags have a row of their own. */
function toGroupRows(
  { first, rest }: RankedGroups,
  describe: (key: string) => Pick<ReportRow, 'key' | 'label'>,
): ReportRow[] {
  const rows = [...first].map(([key, sums]) => ({ ...describe(key), ...toRevenue(sums) }))
  if (!rest) return rows
  return [...rows, toReportRow(null, reportTexts.rest(rest.groups), toRevenue(rest.sums))]
}

function toReportRow(key: string | null, label: string, sums: Revenue = NO_REVENUE): ReportRow {
  return { key, label, ...sums }
}

function listMonths(first: string, last: string) {
  const months: string[] = []
  for (let month = first.slice(0, 7); month <= last; month = addMonths(month, 1)) months.push(month)
  return months
}
