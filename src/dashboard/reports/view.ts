// A report as its page shows it: figures, a chart, and every row in a table.

import { formatBrl } from '../../format.ts'
import type { Report, ReportKind, ReportRow } from '../../reports/reports.ts'
import type { Sum } from '../../reports/revenue.ts'
import { reportTexts } from '../../reports/texts.ts'
import { columnChart, sharesOf } from '../layout/chart.ts'
import { figureTexts } from '../layout/texts.ts'

/** As many as one takes in at a glance; all of them stand in the table. */
const BARS = 10

export function reportShape(kind: ReportKind, { rows, total }: Report) {
  const { titles, columns } = reportTexts
  const shares = sharesOf(rows.map(({ grossCents }) => grossCents))
  return {
    title: titles[kind],
    heading: columns[kind],
    isEmpty: total.count === 0,
    /** A payment may stand in more than one row. */
    overlaps: kind === 'tag',
    rows: rows.map((row) => ({ label: row.label, href: hrefOf(kind, row), ...cellsOf(row) })),
    total: cellsOf(total),
    payments: figureTexts.payments(total.count),
    columns: kind === 'month' ? columnChart(rows.map(columnOf)) : null,
    bars: rows.slice(0, BARS).map((row, i) => ({
      label: row.label,
      value: formatBrl(row.grossCents),
      share: shares[i],
    })),
    isCut: rows.length > BARS,
  }
}

function cellsOf({ count, grossCents, refundedCents, netCents }: Sum) {
  return {
    count: count.toLocaleString('pt-BR'),
    gross: formatBrl(grossCents),
    refunded: formatBrl(refundedCents),
    net: formatBrl(netCents),
  }
}

function hrefOf(kind: ReportKind, { key }: ReportRow) {
  if (key === null) return null
  if (kind === 'link') return `/painel/links/${key}`
  return kind === 'tag' ? `/painel/links?${new URLSearchParams({ tag: key })}` : null
}

/** Below a column `nov/26` is enough. */
function columnOf({ key, label, grossCents }: ReportRow) {
  return { cents: grossCents, label, short: `${label.slice(0, 3)}/${key!.slice(2, 4)}` }
}
