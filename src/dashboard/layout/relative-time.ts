// How long ago something was, as people say it.

import { momentOf } from './page.ts'
import { timeTexts } from './texts.ts'

const relative = new Intl.RelativeTimeFormat('pt-BR')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** After this the date says more. */
const LONG_MS = 30 * DAY_MS

/** For the part `time`: `há 5 minutos`, the instant itself in its title. */
export function agoOf(iso: string, now: Date) {
  const moment = momentOf(iso)
  return { ...moment, text: textOf(now.getTime() - Date.parse(iso)) ?? moment.text }
}

function textOf(ms: number) {
  if (ms < MINUTE_MS) return timeTexts.justNow
  if (ms < HOUR_MS) return relative.format(-Math.floor(ms / MINUTE_MS), 'minute')
  if (ms < DAY_MS) return relative.format(-Math.floor(ms / HOUR_MS), 'hour')
  return ms < LONG_MS ? relative.format(-Math.floor(ms / DAY_MS), 'day') : undefined
}
