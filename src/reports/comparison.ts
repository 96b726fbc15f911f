// Compares a report with the previous period; today is compared up to the same time of day.
import type { Database } from '../database/connect.ts'
import { sumGroups } from './groups.ts'
import {
  buildReport,
  type Counterpart,
  getCounterpartDays,
  type ReportKind,
  type ReportRange,
  type ReportRow,
} from './reports.ts'
import { isWithin, NO_REVENUE, type Revenue, sumRevenue, toRevenue } from './revenue.ts'
import { reportTexts } from './texts.ts'

/** `previous` is null in the row of all other groups, since these were different groups then. */
export type ComparedRow = ReportRow & { previous: Revenue | null }

export type ComparedReport = { rows: ComparedRow[]; total: Revenue & { previous: Revenue } }

export async function buildComparedReport(
  db: Database,
  companyId: string,
  kind: ReportKind,
  range: ReportRange,
  counterpart: Counterpart,
): Promise<ComparedReport> {
  const days = { companyId, ...getCounterpartDays(range, counterpart) }
  const [{ rows, total }, previous] = await Promise.all([
    buildReport(db, companyId, kind, range),
    sumRevenue(db, companyId, isWithin(days)),
  ])
  const keys = rows.filter(isOne).map(getKey)
  const before =
    kind === 'tag' || kind === 'link'
      ? await findGroups(sumGroups(db, kind, days, keys))
      : await findRows(buildReport(db, companyId, kind, range, counterpart))
  const findPrevious = (row: ReportRow) => before.get(getKey(row)) ?? NO_REVENUE
  return {
    rows: rows.map((row) => ({ ...row, previous: isOne(row) ? findPrevious(row) : null })),
    total: { ...total, previous },
  }
}

async function findGroups(sums: ReturnType<typeof sumGroups>): Promise<Map<string, Revenue>> {
  return new Map([...(await sums)].map(([key, row]) => [key, toRevenue(row)]))
}

async function findRows(report: ReturnType<typeof buildReport>): Promise<Map<string, Revenue>> {
  return new Map((await report).rows.map((row) => [getKey(row), row]))
}

/** Payments without a tag have a null key too, but are a group. */
function isOne({ key, label }: ReportRow) {
  return key !== null || label === reportTexts.noTag
}

function getKey({ key }: ReportRow) {
  return key ?? ''
}
