// Numbers as bars: the view only loops over shapes. Each column is a picture of its own, as wide as there is
// room for it and never wider than its style says; the words stand around it, in letters of one size.
import { formatBrl } from '../../../format.ts'
import { buildChange } from './change.ts'
import { chartTexts } from './texts.ts'

/** Columns over time, each with its amount; `label` is said of it, `short` stands below some. */
export type ChartColumn = {
  cents: number
  /** Of its counterpart in the period before; absent where a chart compares nothing. */
  previousCents?: number
  label: string
  short: string
}

/** A unit of the picture's height and of its width, which is stretched to its place. */
type Bar = { x: number; y: number; width: number; height: number }

export type ColumnChart = {
  width: number
  height: number
  columns: {
    bar: Bar
    before: Bar | null
    /** The column's tooltip. */
    tip: { label: string; value: string; share: string | null; before: string | null }
    /** The side of the column with room for the tooltip. */
    side: 'start' | 'middle' | 'end'
    /** The label below the column. Minor labels are left out where there is little room. */
    short: string
    isMinor: boolean
  }[]
  /** The grid lines from the top down, with their labels. */
  lines: { y: number; text: string }[]
}

const WIDTH = 100
const HEIGHT = 200
const BAR_WIDTH = 72
const PAIR_WIDTH = 38
const PAIR_GAP = 2
const MAX_LABELS = 7
const STEPS = [1, 2, 2.5, 5, 10]
const LINES = 4

export function buildColumnChart(columns: ChartColumn[]): ColumnChart {
  const amounts = columns.flatMap(({ cents, previousCents = 0 }) => [cents, previousCents])
  const step = computeAxisStep(Math.max(1, ...amounts) / LINES)
  const top = step * LINES
  const total = columns.reduce((sum, { cents }) => sum + cents, 0)
  const every = Math.ceil(columns.length / MAX_LABELS)
  return {
    width: WIDTH,
    height: HEIGHT,
    columns: columns.map((column, i) => ({
      ...placeBars(column, top),
      tip: buildTip(column, total),
      side: findSide(i, columns.length),
      short: i % every === 0 ? column.short : '',
      isMinor: (i / every) % 2 === 1,
    })),
    lines: Array.from({ length: LINES + 1 }, (_, i) => ({
      y: roundTwoDecimals((HEIGHT / LINES) * i),
      text: formatAxisAmount(top - step * i),
    })),
  }
}

/** What was before stands on the left, as time goes. */
function placeBars({ cents, previousCents }: ChartColumn, top: number) {
  const place = (amount: number, x: number, width: number): Bar => {
    const y = roundTwoDecimals(HEIGHT * (1 - Math.max(0, amount) / top))
    return { x, y, width, height: roundTwoDecimals(HEIGHT - y) }
  }
  if (previousCents === undefined) {
    return { bar: place(cents, (WIDTH - BAR_WIDTH) / 2, BAR_WIDTH), before: null }
  }
  const start = (WIDTH - PAIR_GAP) / 2 - PAIR_WIDTH
  return {
    bar: place(cents, (WIDTH + PAIR_GAP) / 2, PAIR_WIDTH),
    before: place(previousCents, start, PAIR_WIDTH),
  }
}

function buildTip({ cents, previousCents, label }: ChartColumn, total: number) {
  const { share, before } = chartTexts
  const change = buildChange(cents, previousCents ?? 0)
  return {
    label,
    value: formatBrl(cents),
    share: total > 0 ? share(formatShare(cents, total)) : null,
    before:
      previousCents === undefined ? null : before(formatBrl(previousCents), change?.text ?? null),
  }
}

function findSide(i: number, count: number) {
  const place = (i + 0.5) / count
  if (place < 1 / 3) return 'start'
  return place > 2 / 3 ? 'end' : 'middle'
}

/** A part of a whole: `32%`. */
export function formatShare(part: number, whole: number) {
  const percent = whole > 0 ? (Math.max(0, part) / whole) * 100 : 0
  if (percent > 0 && percent < 1) return chartTexts.belowOne
  return `${Math.round(percent)}%`
}

/** The share of each row in the biggest, in percent: for bars that lie beside their names. */
export function computeShares(cents: number[], most = Math.max(1, ...cents)) {
  return cents.map((value) => roundTwoDecimals((Math.max(0, value) / most) * 100))
}

/** The next amount that reads well: 1, 2, 2.5 or 5 of a power of ten, a real at least. */
function computeAxisStep(cents: number) {
  const power = 10 ** Math.floor(Math.log10(cents))
  const size = STEPS.find((one) => one * power >= cents) ?? 10
  return Math.max(100, size * power)
}

/** `R$ 1,5 mil`: short, since it stands beside the picture. */
function formatAxisAmount(cents: number) {
  return `R$\u00a0${compactFormat.format(cents / 100)}`
}

const compactFormat = new Intl.NumberFormat('pt-BR', {
  notation: 'compact',
  maximumFractionDigits: 1,
})

function roundTwoDecimals(value: number) {
  return Math.round(value * 100) / 100
}
