// A report as CSV: its rows, and the total below them.

import {
  centsColumn,
  countColumn,
  dayColumn,
  type TableColumn,
  textColumn,
} from '../http/tables/columns.ts'
import { addDays } from './days.ts'
import type { Report, ReportKind, ReportRange, ReportRow } from './reports.ts'
import { reportTexts } from './texts.ts'

const { columns, names, total } = reportTexts

export function buildReportColumns(kind: ReportKind): TableColumn<ReportRow>[] {
  return [
    kind === 'day'
      ? dayColumn(columns.day, ({ key, label }) => key ?? label)
      : textColumn(columns[kind], ({ label }) => label),
    countColumn(columns.count, (row) => row.count),
    centsColumn(columns.gross, (row) => row.grossCents),
    centsColumn(columns.refunded, (row) => row.refundedCents),
    centsColumn(columns.afterRefunds, (row) => row.afterRefundsCents),
    centsColumn(columns.fee, (row) => row.feeCents),
    centsColumn(columns.net, (row) => row.netCents),
  ]
}

export async function* streamReportRows(report: Report): AsyncGenerator<ReportRow[]> {
  yield [...report.rows, { key: null, label: total, ...report.total }]
}

/** Returns `recebido-por-link-2026-11-01-a-2026-11-30`. */
export function buildReportFileName(
  kind: ReportKind,
  { from, to }: Pick<ReportRange, 'from' | 'to'>,
) {
  return `${names[kind]}-${from}-a-${addDays(to, -1)}`
}
