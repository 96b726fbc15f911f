// The change of revenue from the previous period.
import { figureTexts } from './texts.ts'

type Change = {
  /** `▲ 12%` */
  text: string
  percent: number
  tone: 'up' | 'down' | 'same'
}

/** Null when the previous period had no revenue to compare with. */
export function buildChange(cents: number, previousCents: number): Change | null {
  if (previousCents <= 0) return null
  const percent = Math.round((cents / previousCents - 1) * 100)
  return { text: figureTexts.change(percent), percent, tone: getChangeTone(percent) }
}

function getChangeTone(percent: number): Change['tone'] {
  if (percent === 0) return 'same'
  return percent > 0 ? 'up' : 'down'
}
