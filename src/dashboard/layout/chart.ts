// Numbers as bars: the view only loops over shapes. Bars are units of the picture's own viewBox, which is
// stretched to its place; the words stand around it, in letters of one size on any screen.
import { formatBrl } from '../../format.ts'

/** Columns over time, each with its amount; `label` is said of it, `short` stands below some. */
export type Column = { cents: number; label: string; short: string }

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
const FILLED = 0.72
const MAX_LABELS = 7
const STEPS = [1, 2, 2.5, 5, 10]
const LINES = 4

export function columnChart(columns: Column[]): ColumnChart {
  const step = niceStep(Math.max(1, ...columns.map(({ cents }) => cents)) / LINES)
  const top = step * LINES
  const slot = WIDTH / Math.max(1, columns.length)
  const every = Math.ceil(columns.length / MAX_LABELS)
  const yOf = (cents: number) => round(HEIGHT * (1 - Math.max(0, cents) / top))
  return {
    width: WIDTH,
    height: HEIGHT,
    bars: columns.map(({ cents, label }, i) => ({
      x: round(slot * (i + (1 - FILLED) / 2)),
      y: yOf(cents),
      width: round(slot * FILLED),
      height: round(HEIGHT - yOf(cents)),
      title: `${label}: ${formatBrl(cents)}`,
    })),
    lines: Array.from({ length: LINES + 1 }, (_, i) => ({
      y: round((HEIGHT / LINES) * i),
      text: axisText(top - step * i),
    })),
    labels: columns.map(({ short }, i) => ({
      text: i % every === 0 ? short : '',
      isMinor: (i / every) % 2 === 1,
    })),
  }
}

/** The share of each row in the biggest, in percent: for bars that lie beside their names. */
export function sharesOf(cents: number[]) {
  const most = Math.max(1, ...cents)
  return cents.map((value) => round((Math.max(0, value) / most) * 100))
}

/** The next amount that reads well: 1, 2, 2.5 or 5 of a power of ten, a real at least. */
function niceStep(cents: number) {
  const power = 10 ** Math.floor(Math.log10(cents))
  const step = power * STEPS.find((size) => size * power >= cents)!
  return Math.max(100, step)
}

/** `R$ 1,5 mil`: short, since it stands beside the picture. */
function axisText(cents: number) {
  return `R$\u00a0${compact.format(cents / 100)}`
}

const compact = new Intl.NumberFormat('pt-BR', { notation: 'compact', maximumFractionDigits: 1 })

function round(value: number) {
  return Math.round(value * 100) / 100
}
