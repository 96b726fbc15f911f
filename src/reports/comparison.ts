// A report beside the same of the period before it.
import type { Database } from '../database/connect.ts'
import type { DayShift } from './days.ts'
import {
  buildReport,
  type Report,
  type ReportKind,
  type ReportRange,
  type ReportRow,
} from './reports.ts'
import { NO_REVENUE, type Revenue } from './revenue.ts'
import { reportTexts } from './texts.ts'

/** `previous` is null where nobody can say: then too only those that brought most had rows of their own. */
export type ComparedRow = ReportRow & { previous: Revenue | null }

export type ComparedReport = { rows: ComparedRow[]; total: Revenue & { previous: Revenue } }

export async function buildComparedReport(
  db: Database,
  companyId: string,
  kind: ReportKind,
  range: ReportRange,
  shift: DayShift,
): Promise<ComparedReport> {
  const [report, before] = await Promise.all([
    buildReport(db, companyId, kind, range),
    buildReport(db, companyId, kind, range, shift),
  ])
  return {
    rows: report.rows.map((row) => ({ ...row, previous: findPrevious(row, before) })),
    total: { ...report.total, previous: before.total },
  }
}

function findPrevious(row: ReportRow, { rows }: Report): Revenue | null {
  if (isRest(row)) return null
  const same = rows.find((one) => one.key === row.key && !isRest(one))
  if (same) return same
  return rows.some(isRest) ? null : NO_REVENUE
}

/** Of many links or tags, those that have no row of their own. */
function isRest({ key, label }: ReportRow) {
  return key === null && label !== reportTexts.noTag
}
