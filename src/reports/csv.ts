// A report as a bookkeeper's spreadsheet takes it: its rows, and the total below them.

import { type CsvColumn, formatKnownMoneyCell, formatMoneyCell } from '../http/csv.ts'
import { addDays } from './days.ts'
import type { Report, ReportKind, ReportRange, ReportRow } from './reports.ts'
import { reportTexts } from './texts.ts'

const { columns, names, total } = reportTexts

export function buildReportColumns(kind: ReportKind): CsvColumn<ReportRow>[] {
  return [
    { heading: columns[kind], value: (row) => row.label },
    { heading: columns.count, value: (row) => row.count },
    { heading: columns.gross, value: (row) => formatMoneyCell(row.grossCents) },
    { heading: columns.refunded, value: (row) => formatMoneyCell(row.refundedCents) },
    { heading: columns.afterRefunds, value: (row) => formatMoneyCell(row.afterRefundsCents) },
    { heading: columns.fee, value: (row) => formatKnownMoneyCell(row.feeCents) },
    { heading: columns.net, value: (row) => formatKnownMoneyCell(row.netCents) },
  ]
}

/** For `sendCsv`. */
export async function* streamReportRows(report: Report): AsyncGenerator<ReportRow[]> {
  yield [...report.rows, { key: null, label: total, ...report.total }]
}

/** `recebido-por-link-2026-11-01-a-2026-11-30.csv` */
export function buildReportFileName(
  kind: ReportKind,
  { from, to }: Pick<ReportRange, 'from' | 'to'>,
) {
  return `${names[kind]}-${from}-a-${addDays(to, -1)}.csv`
}
