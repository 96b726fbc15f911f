// A report as its page shows it: figures, a chart, and every row in a table.

import { formatBrl } from '../../format.ts'
import type { Report, ReportKind, ReportRow } from '../../reports/reports.ts'
import type { Revenue } from '../../reports/revenue.ts'
import { reportTexts } from '../../reports/texts.ts'
import { buildColumnChart, computeShares } from '../layout/chart.ts'
import { LINKS_PATH, linkPagePath } from '../layout/paths.ts'
import { figureTexts } from '../layout/texts.ts'

/** As many as one takes in at a glance; all of them stand in the table. */
const MAX_BARS = 10

export function toReportView(kind: ReportKind, { rows, total }: Report) {
  const { titles, columns } = reportTexts
  const shares = computeShares(rows.map(({ grossCents }) => grossCents))
  return {
    title: titles[kind],
    heading: columns[kind],
    isEmpty: total.count === 0,
    /** A payment may stand in more than one row. */
    overlaps: kind === 'tag',
    rows: rows.map((row) => ({
      label: row.label,
      href: getReportRowPath(kind, row),
      ...formatReportCells(row),
    })),
    total: formatReportCells(total),
    payments: figureTexts.payments(total.count),
    columns: kind === 'month' ? buildColumnChart(rows.map(toReportColumn)) : null,
    bars: rows.slice(0, MAX_BARS).map((row, i) => ({
      label: row.label,
      value: formatBrl(row.grossCents),
      share: shares[i] ?? 0,
    })),
    isCut: rows.length > MAX_BARS,
  }
}

function formatReportCells({ count, grossCents, refundedCents, netCents }: Revenue) {
  return {
    count: count.toLocaleString('pt-BR'),
    gross: formatBrl(grossCents),
    refunded: formatBrl(refundedCents),
    net: formatBrl(netCents),
  }
}

function getReportRowPath(kind: ReportKind, { key }: ReportRow) {
  if (key === null) return null
  if (kind === 'link') return linkPagePath(key)
  return kind === 'tag' ? `${LINKS_PATH}?${new URLSearchParams({ tag: key })}` : null
}

/** Below a column `nov/26` is enough. */
function toReportColumn({ key, label, grossCents }: ReportRow) {
  return { cents: grossCents, label, short: `${label.slice(0, 3)}/${(key ?? '').slice(2, 4)}` }
}
