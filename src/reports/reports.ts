// What a company took in during some days of São Paulo, row by row: by month, method, tag or link.

import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { METHODS } from '../database/enums.ts'
import { formatMonth } from '../format.ts'
import { type FieldError, invalidFields } from '../http/errors.ts'
import { texts } from '../texts.ts'
import { addDays, daysBetween, isDay, startOf } from './days.ts'
import {
  add,
  asSum,
  NOTHING,
  type Period,
  SUMS,
  type Sum,
  type SumRow,
  stretchOf,
  sumIn,
  takings,
} from './revenue.ts'
import { reportTexts } from './texts.ts'

export const REPORTS = ['month', 'method', 'tag', 'link'] as const
export type ReportKind = (typeof REPORTS)[number]

export type ReportRow = Sum & {
  /** A month `2026-11`, a method, a tag or a link's id; null where a row stands for no one of them. */
  key: string | null
  label: string
}

export type Report = {
  rows: ReportRow[]
  /** Of the payments, not of the rows: one with two tags stands in two rows. */
  total: Sum
}

export type ReportRange = {
  testMode: boolean
  /** The first day, `2026-11-01`. */
  from: string
  /** The day after the last. */
  to: string
}

export const MAX_DAYS = 366
/** Tags or links that are listed one by one, those that brought most; the others are one row. */
const MAX_ROWS = 200

/** Throws 422 for days that are none, are the wrong way round or too many. */
export async function reportOf(
  db: Database,
  companyId: string,
  kind: ReportKind,
  range: ReportRange,
): Promise<Report> {
  const errors = rangeErrors(range)
  if (errors.length > 0) throw invalidFields(errors)
  const { testMode, from, to } = range
  const period = { companyId, testMode, from: startOf(from), to: startOf(to) }
  switch (kind) {
    case 'month':
      return summed(await byMonth(db, period, range))
    case 'method':
      return summed(await byMethod(db, period))
    case 'link':
      return summed(await byLink(db, period))
    case 'tag':
      return { rows: await byTag(db, period), total: await sumIn(db, takings(period)) }
  }
}

function summed(rows: ReportRow[]): Report {
  return { rows, total: rows.reduce<Sum>(add, NOTHING) }
}

/** What is wrong with the days that somebody chose. */
export function rangeErrors({ from, to }: Pick<ReportRange, 'from' | 'to'>): FieldError[] {
  const { day, order, tooLong } = reportTexts
  const wrong = Object.entries({ from, to }).filter(([, value]) => !isDay(value))
  if (wrong.length > 0) {
    return wrong.map(([field]) => ({ field, code: 'invalid_date', message: day }))
  }
  const days = daysBetween(from, to)
  if (days < 1) return [{ field: 'to', code: 'invalid_date', message: order }]
  if (days <= MAX_DAYS) return []
  return [{ field: 'to', code: 'too_big', message: tooLong(MAX_DAYS) }]
}

/** Every month that the days touch, also one in which nothing came in; the oldest first. */
async function byMonth(db: Database, period: Period, { from, to }: ReportRange) {
  const months = monthsOf(from, addDays(to, -1))
  const starts = months.map((month) => startOf(`${month}-01`))
  const found = await sumBy(db, stretchOf(starts), period)
  return months.map((key, i) => rowOf(key, formatMonth(starts[i]!), found.get(`${i + 1}`)))
}

async function byMethod(db: Database, period: Period) {
  const found = await sumBy(db, sql`method`, period)
  return METHODS.map((key) => rowOf(key, texts.methods[key], found.get(key)))
}

async function sumBy(db: Database, key: SQL, period: Period) {
  const { rows } = await db.execute<SumRow & { key: string }>(
    sql`select ${key}::text as key, ${SUMS} from ${takings(period)} taking group by 1`,
  )
  return new Map(rows.map((row) => [row.key, row]))
}

async function byLink(db: Database, period: Period) {
  const links = sql`select payment_link_id::text as key, ${SUMS} from ${takings(period)} taking group by 1`
  const rows = await db.execute<Ranked & { title: string | null }>(sql`
    select ranked.*, link.title from (${ranked(links)}) ranked
    left join payment_links link on link.id = ranked.key::uuid
    order by place`)
  return rows.rows.map((row) => rowOf(row.key, row.title ?? restOf(row), row))
}

/** A payment with several tags stands in the row of each; one without any in a row of its own. */
async function byTag(db: Database, period: Period) {
  const tags = sql`select tag as key, ${SUMS} from ${takings(period, sql`, tags`)} taking
    left join lateral unnest(tags) tag on true group by 1`
  const { rows } = await db.execute<Ranked>(sql`${ranked(tags)} order by place`)
  return rows.map((row) =>
    rowOf(row.key, row.key ?? (row.place > MAX_ROWS ? restOf(row) : reportTexts.noTag), row),
  )
}

type Ranked = SumRow & { key: string | null; place: number; merged: number }

/** What brought most first; all that comes after the last place is one row. */
function ranked(groups: SQL) {
  return sql`
    select case when place <= ${MAX_ROWS} then min(key) end as key, place, count(*)::int as merged,
      sum(count) as count, sum("grossCents") as "grossCents", sum("refundedCents") as "refundedCents"
    from (
      select grouped.*,
        least(row_number() over (order by "grossCents" desc, key), ${MAX_ROWS + 1})::int as place
      from (${groups}) grouped
    ) placed
    group by place`
}

function restOf({ merged }: Ranked) {
  return reportTexts.rest(merged)
}

function rowOf(key: string | null, label: string, sums: SumRow | undefined): ReportRow {
  return { key, label, ...(sums ? asSum(sums) : NOTHING) }
}

function monthsOf(first: string, last: string) {
  const months: string[] = []
  for (
    let day = `${first.slice(0, 7)}-01`;
    day <= last;
    day = `${addDays(day, 31).slice(0, 7)}-01`
  ) {
    months.push(day.slice(0, 7))
  }
  return months
}
