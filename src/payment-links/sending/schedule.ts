// When the payers of a link are reminded: every so many days, and on the day before the link expires; at most three
// times, by day in São Paulo.
import { DAY_MS } from '../../database/instant.ts'
import { formatTime } from '../../format.ts'

export const MAX_REMINDERS = 3
const FIRST_TIME = '09:00'
const LAST_TIME = '18:00'

type Schedule = {
  remindEveryDays: number | null
  remindersSent: number
  expiresAt: string | null
}

/**
 * When the next reminder is due, counted from when the link was made, sent, reminded of or given another schedule. Null
 * when none is to come. The last one is kept for the day before the expiry.
 */
export function getReminderDueAt(link: Schedule, from: Date): string | null {
  const { remindEveryDays, remindersSent, expiresAt } = link
  if (remindEveryDays === null || remindersSent >= MAX_REMINDERS) return null
  const nextMs = from.getTime() + remindEveryDays * DAY_MS
  if (expiresAt === null) return new Date(nextMs).toISOString()
  const lastMs = Date.parse(expiresAt) - DAY_MS
  if (lastMs <= from.getTime()) return null
  // Two within a day would be one too many.
  const isLast = remindersSent === MAX_REMINDERS - 1 || nextMs > lastMs - DAY_MS
  return new Date(isLast ? lastMs : nextMs).toISOString()
}

/** Nobody is reminded of a payment at night. */
export function isReminderTime(now: Date) {
  const time = formatTime(now)
  return time >= FIRST_TIME && time < LAST_TIME
}
