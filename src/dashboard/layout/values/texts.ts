// Texts of sums, shares and days.
import { countOf, formatCount } from '../../../format.ts'

export const timeTexts = {
  today: 'hoje',
  yesterday: 'ontem',
} as const

/** Larger changes are shown as a multiple, since such percentages are hard to read. */
export const MANIFOLD_PERCENT = 900

export const figureTexts = {
  payments: (n: number) => countOf(n, 'pagamento'),
  change: (percent: number) => {
    if (percent === 0) return 'igual'
    if (percent >= MANIFOLD_PERCENT) return '▲ mais de 10 vezes'
    return `${percent > 0 ? '▲' : '▼'} ${formatCount(Math.abs(percent))}%`
  },
} as const

export const chartTexts = {
  share: (share: string) => `${share} do total`,
  belowOne: 'menos de 1%',
  before: (value: string, change: string | null) =>
    `Período anterior: ${value}${change === null ? '' : ` · ${change}`}`,
} as const
