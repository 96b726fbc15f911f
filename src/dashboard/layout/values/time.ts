// Formats instants as people in São Paulo say them.
import { formatDay, formatFullTime, formatTime } from '../../../format.ts'
import { addDays, toDay } from '../../../reports/days.ts'
import { timeTexts } from './texts.ts'

/** An instant as the part `time` shows it: in a list `hoje 19:40`, by its `now`; else the whole date. */
export function toTimeView(iso: string, now?: Date) {
  return {
    iso,
    text: now ? formatDayTime(iso, now) : `${formatDay(iso)} ${formatTime(iso)}`,
    full: `${formatDay(iso)} ${formatFullTime(iso)} (Brasília)`,
  }
}

/** The same without its hour, where that says nothing. */
export function toDayView(iso: string, now: Date) {
  return { ...toTimeView(iso), text: formatNearDay(iso, toDay(now)) }
}

/** The time alone of today and yesterday, the day besides of what was earlier, the year of another year. */
export function formatDayTime(iso: string, now: Date) {
  return `${formatNearDay(iso, toDay(now))} ${formatTime(iso)}`
}

function formatNearDay(iso: string, today: string) {
  const day = toDay(iso)
  if (day === today) return timeTexts.today
  if (day === addDays(today, -1)) return timeTexts.yesterday
  const [dayOfMonth, month, year] = formatDay(iso).split('/')
  return today.startsWith(`${year}-`) ? `${dayOfMonth}/${month}` : `${dayOfMonth}/${month}/${year}`
}
