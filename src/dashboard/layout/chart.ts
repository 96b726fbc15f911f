// Numbers as bars: the view only loops over shapes. Bars are units of the picture's own viewBox, which is
// stretched to its place; the words stand around it, in letters of one size on any screen.
import { formatBrl } from '../../format.ts'

/** Columns over time, each with its amount; `label` is said of it, `short` stands below some. */
type ChartColumn = { cents: number; label: string; short: string }

export type ColumnChart = {
  width: number
  height: number
  bars: { x: number; y: number; width: number; height: number; title: string }[]
  /** Where the lines are, from the top down, and what they stand for. */
  lines: { y: number; text: string }[]
  /** One below each column. Where there is little room the minor ones are left out. */
  labels: { text: string; isMinor: boolean }[]
}

const WIDTH = 720
const HEIGHT = 200
const BAR_FILL = 0.72
const MAX_LABELS = 7
const STEPS = [1, 2, 2.5, 5, 10]
const LINES = 4

export function buildColumnChart(columns: ChartColumn[]): ColumnChart {
  const step = computeAxisStep(Math.max(1, ...columns.map(({ cents }) => cents)) / LINES)
  const top = step * LINES
  const slot = WIDTH / Math.max(1, columns.length)
  const every = Math.ceil(columns.length / MAX_LABELS)
  const yOf = (cents: number) => roundTwoDecimals(HEIGHT * (1 - Math.max(0, cents) / top))
  return {
    width: WIDTH,
    height: HEIGHT,
    bars: columns.map(({ cents, label }, i) => ({
      x: roundTwoDecimals(slot * (i + (1 - BAR_FILL) / 2)),
      y: yOf(cents),
      width: roundTwoDecimals(slot * BAR_FILL),
      height: roundTwoDecimals(HEIGHT - yOf(cents)),
      title: `${label}: ${formatBrl(cents)}`,
    })),
    lines: Array.from({ length: LINES + 1 }, (_, i) => ({
      y: roundTwoDecimals((HEIGHT / LINES) * i),
      text: formatAxisAmount(top - step * i),
    })),
    labels: columns.map(({ short }, i) => ({
      text: i % every === 0 ? short : '',
      isMinor: (i / every) % 2 === 1,
    })),
  }
}

/** The share of each row in the biggest, in percent: for bars that lie beside their names. */
export function computeShares(cents: number[]) {
  const most = Math.max(1, ...cents)
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
