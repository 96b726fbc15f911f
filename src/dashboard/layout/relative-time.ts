// How long ago something was, as people say it.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import { toTimeView } from './page.ts'
import { timeTexts } from './texts.ts'

const relativeFormat = new Intl.RelativeTimeFormat('pt-BR')
/** After this the date says more. */
const MAX_RELATIVE_MS = 30 * DAY_MS

/** For the part `time`: `há 5 minutos`, the instant itself in its title. */
export function toRelativeTimeView(iso: string, now: Date) {
  const moment = toTimeView(iso)
  return { ...moment, text: formatElapsed(now.getTime() - Date.parse(iso)) ?? moment.text }
}

function formatElapsed(ms: number) {
  if (ms < MINUTE_MS) return timeTexts.justNow
  if (ms < HOUR_MS) return relativeFormat.format(-Math.floor(ms / MINUTE_MS), 'minute')
  if (ms < DAY_MS) return relativeFormat.format(-Math.floor(ms / HOUR_MS), 'hour')
  return ms < MAX_RELATIVE_MS ? relativeFormat.format(-Math.floor(ms / DAY_MS), 'day') : undefined
}
