// Formats instants as people in São Paulo say them.
import { formatDay, formatFullTime, formatTime } from '../../../format.ts'
import { addDays, toDay } from '../../../reports/days.ts'
import { timeTexts } from './texts.ts'

/** Builds the view model of `time`: in a list, with its `now`, `hoje 19:40`; otherwise the full date. */
export function toTimeView(iso: string, now?: Date) {
  return {
    iso,
    text: now ? formatDayTime(iso, now) : `${formatDay(iso)} ${formatTime(iso)}`,
    full: `${formatDay(iso)} ${formatFullTime(iso)} (Brasília)`,
  }
}

/** Does the same without the time of day. */
export function toDayView(iso: string, now: Date) {
  return { ...toTimeView(iso), text: formatNearDay(iso, toDay(now)) }
}

/** Formats today and yesterday with the time, earlier days with the day, and other years with the year. */
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
