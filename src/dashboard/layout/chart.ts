// Numbers as bars: the view only loops over shapes. Each column is a picture of its own, as wide as there is room, up
// to the width of its style; the labels are text beside it, in one size.
import { formatBrl } from '../../format.ts'
import { chartTexts } from './texts.ts'

/** A column of a chart over time with its amount; `label` is its full name, `short` the text below it. */
export type ChartColumn = {
  cents: number
  /** The amount of the previous period; absent in a chart without a comparison. */
  previousCents?: number
  label: string
  short: string
}

/** In units of the picture's height and width, which are stretched to the available room. */
type Bar = { x: number; y: number; width: number; height: number }

export type ColumnChart = {
  width: number
  height: number
  columns: {
    bar: Bar
    before: Bar | null
    /** The column's tooltip. */
    tip: ReturnType<typeof buildTip>
    /** The side of the column with room for the tooltip. */
    side: 'start' | 'middle' | 'end'
    /** The label below the column. Minor labels are left out when there is little room. */
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
  const every = Math.ceil(columns.length / MAX_LABELS)
  return {
    width: WIDTH,
    height: HEIGHT,
    columns: columns.map((column, i) => ({
      ...placeBars(column, top),
      tip: buildTip(column),
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

/** The previous period is on the left. */
function placeBars({ cents, previousCents }: ChartColumn, top: number) {
  const draw = (amount: number, x: number, width: number): Bar => {
    const y = roundTwoDecimals(HEIGHT * (1 - Math.max(0, amount) / top))
    return { x, y, width, height: roundTwoDecimals(HEIGHT - y) }
  }
  if (previousCents === undefined) {
    return { bar: draw(cents, (WIDTH - BAR_WIDTH) / 2, BAR_WIDTH), before: null }
  }
  const start = (WIDTH - PAIR_GAP) / 2 - PAIR_WIDTH
  return {
    bar: draw(cents, (WIDTH + PAIR_GAP) / 2, PAIR_WIDTH),
    before: draw(previousCents, start, PAIR_WIDTH),
  }
}

function buildTip({ cents, previousCents, label }: ChartColumn) {
  const before = previousCents === undefined ? null : chartTexts.before(formatBrl(previousCents))
  return { label, value: formatBrl(cents), before }
}

function findSide(i: number, count: number) {
  const position = (i + 0.5) / count
  if (position < 1 / 3) return 'start'
  return position > 2 / 3 ? 'end' : 'middle'
}

/** Formats a part of a whole as `32%`. */
export function formatShare(part: number, whole: number) {
  const percent = whole > 0 ? (Math.max(0, part) / whole) * 100 : 0
  if (percent > 0 && percent < 1) return chartTexts.belowOne
  return `${Math.round(percent)}%`
}

/** Returns the share of each row in the largest, in percent, for horizontal bars. */
export function computeShares(cents: number[]) {
  const most = Math.max(1, ...cents)
  return cents.map((value) => roundTwoDecimals((Math.max(0, value) / most) * 100))
}

/** Returns the next readable amount: 1, 2, 2.5 or 5 times a power of ten, at least one real. */
function computeAxisStep(cents: number) {
  const power = 10 ** Math.floor(Math.log10(cents))
  const size = STEPS.find((one) => one * power >= cents) ?? 10
  return Math.max(100, size * power)
}

/** Formats `R$ 1,5 mil`, which is short enough for the axis. */
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
