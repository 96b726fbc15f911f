// A report as its page shows it: figures, a chart, and every row in a table, beside the previous period.
import { formatDay } from '../../format.ts'
import type { ComparedReport, ComparedRow } from '../../reports/comparison.ts'
import { getDayStart } from '../../reports/days.ts'
import type { ReportKind } from '../../reports/reports.ts'
import type { Revenue } from '../../reports/revenue.ts'
import { reportTexts } from '../../reports/texts.ts'
import { buildColumnChart, type ChartColumn, computeShares, formatShare } from '../layout/chart.ts'
import { LINKS_PATH, linkPagePath } from '../layout/paths.ts'
import { figureTexts } from '../layout/texts.ts'
import { buildChange } from '../layout/values.ts'

/** The number of bars that is easy to read; the table has all rows. */
const MAX_BARS = 10

/** A longer table is folded at first. */
const MAX_OPEN_ROWS = 62

/** `days`: both periods in words. */
export function toReportView(
  kind: ReportKind,
  { rows, total }: ComparedReport,
  days: { now: string; before: string },
) {
  const { titles, columns } = reportTexts
  return {
    title: titles[kind],
    heading: columns[kind],
    days,
    isEmpty: rows.every((row) => row.count === 0 && row.refundedCents === 0 && row.feeCents === 0),
    kind,
    isOpen: rows.length <= MAX_OPEN_ROWS,
    rows: rows.map((row) => ({
      ...row,
      href: getReportRowPath(kind, row),
      change: row.previous && buildChange(row.grossCents, row.previous.grossCents),
    })),
    /** A column that is zero in each row is left out. */
    has: {
      refunded: rows.some(({ refundedCents }) => refundedCents !== 0),
      fee: rows.some(({ feeCents }) => feeCents !== 0),
      previous: total.previous.grossCents > 0,
    },
    total: { ...total, change: buildChange(total.grossCents, total.previous.grossCents) },
    figures: buildReportFigures(total),
    columns: isByTime(kind) ? buildColumnChart(rows.map((row) => toReportColumn(kind, row))) : null,
    bars: buildReportBars(rows, total),
    isCut: rows.length > MAX_BARS,
  }
}

function isByTime(kind: ReportKind) {
  return kind === 'day' || kind === 'week' || kind === 'month'
}

/** Less refunds or fees are neither good nor bad on their own. */
function buildReportFigures({ previous, ...now }: ComparedReport['total']) {
  const { received, refunded, fee, net, refundedNote, feeNote, netNote } = reportTexts.figures
  const toFigure = (name: string, note: string, read: (revenue: Revenue) => number | null) => {
    const [cents, before] = [read(now), read(previous)]
    const change = cents === null || before === null ? null : buildChange(cents, before)
    return { name, note, cents, before, change }
  }
  const toCost = (...figure: Parameters<typeof toFigure>) => {
    const { change, ...cost } = toFigure(...figure)
    return { ...cost, change: change && { ...change, tone: 'same' as const } }
  }
  return [
    toFigure(received, figureTexts.payments(now.count), (sums) => sums.grossCents),
    toCost(refunded, refundedNote, (sums) => sums.refundedCents),
    toCost(fee, feeNote, (sums) => sums.feeCents),
    toFigure(net, netNote, (sums) => sums.netCents),
  ]
}

function buildReportBars(rows: ComparedRow[], total: ComparedReport['total']) {
  const shown = rows.slice(0, MAX_BARS)
  const widths = computeShares(shown.map(({ grossCents }) => grossCents))
  return shown.map(({ label, grossCents }, i) => ({
    ...{ label, cents: grossCents },
    share: formatShare(grossCents, total.grossCents),
    width: widths[i] ?? 0,
  }))
}

function getReportRowPath(kind: ReportKind, { key }: ComparedRow) {
  if (key === null) return null
  if (kind === 'link') return linkPagePath(key)
  return kind === 'tag' ? `${LINKS_PATH}?${new URLSearchParams({ tag: key })}` : null
}

function toReportColumn(
  kind: ReportKind,
  { key, label, grossCents, previous }: ComparedRow,
): ChartColumn {
  const short = formatShortLabel(kind, key ?? '', label)
  return { cents: grossCents, previousCents: previous?.grossCents ?? 0, label, short }
}

/** Formats `nov/26` or `21/11`, short enough for a column. */
function formatShortLabel(kind: ReportKind, key: string, label: string) {
  if (kind === 'month') return `${label.slice(0, 3)}/${key.slice(2, 4)}`
  return formatDay(getDayStart(key)).slice(0, 5)
}
