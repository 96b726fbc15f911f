// How values are shown: states as a word and a colour, instants as people in São Paulo say them, the change of revenue,
// a command for a terminal.

import { PAYMENT_METHODS, type PaymentMethod } from '../../database/enums.ts'
import { curlTexts, figureTexts } from './texts.ts'

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

/** Builds a command that creates a link when pasted into a terminal; without a key it has a placeholder. */
export function buildCreateLinkCurl(
  baseUrl: string,
  key: string | null,
  methods: readonly PaymentMethod[] = PAYMENT_METHODS,
) {
  const link = { title: curlTexts.title, amountCents: 1990, methods }
  return [
    `curl ${baseUrl}/api/payment-links \\`,
    `  -H 'Authorization: Bearer ${key ?? curlTexts.keyGoesHere}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(link)}'`,
  ].join('\n')
}
