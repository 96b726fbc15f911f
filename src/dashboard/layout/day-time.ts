// An instant as people in São Paulo say it to each other: the time alone of today and yesterday, the day
// besides of what was earlier, and the year of another year.

import { formatDay, formatTime } from '../../format.ts'
import { addDays, toDay } from '../../reports/days.ts'
import { timeTexts } from './texts.ts'

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
