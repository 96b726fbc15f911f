// When the payers of a link are reminded: every so many days, and on the day before the link expires; at most three
// times, by day in São Paulo.
import { DAY_MS } from '../../database/instant.ts'
import { formatTime } from '../../format.ts'

const MAX_REMINDERS = 3
const FIRST_TIME = '09:00'
const LAST_TIME = '18:00'

type Schedule = {
  remindEveryDays: number | null
  remindersSent: number
  expiresAt: string | null
}

/**
 * Returns when the next reminder is due, counted from `from`: when the link was created, sent, reminded of or given
 * another schedule. Null when there is none. The last reminder is kept for the day before the expiry.
 */
export function getReminderDueAt(link: Schedule, from: Date): string | null {
  const { remindEveryDays, remindersSent, expiresAt } = link
  if (remindEveryDays === null || remindersSent >= MAX_REMINDERS) return null
  const nextMs = from.getTime() + remindEveryDays * DAY_MS
  if (expiresAt === null) return new Date(nextMs).toISOString()
  const lastMs = Date.parse(expiresAt) - DAY_MS
  if (lastMs <= from.getTime()) return null
  // Two reminders are more than a day apart.
  const isLast = remindersSent === MAX_REMINDERS - 1 || nextMs > lastMs - DAY_MS
  return new Date(isLast ? lastMs : nextMs).toISOString()
}

/** Reminders are sent by day only. */
export function isReminderTime(now: Date) {
  const time = formatTime(now)
  return time >= FIRST_TIME && time < LAST_TIME
}
