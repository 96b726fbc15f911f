export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Turns Postgres's `2026-01-01 00:00:00.12+00` into the API's `2026-01-01T00:00:00.120Z`. */
export function normalizePostgresInstant(text: string) {
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  const millis = text.length === 22 ? '.000' : text.slice(19, -3).padEnd(4, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${millis}Z`
}

/** Returns the same day and time of the next year, in UTC; for 29 February, 1 March. */
export function addYear(date: Date) {
  const next = new Date(date)
  next.setUTCFullYear(next.getUTCFullYear() + 1)
  return next
}

/** Returns the instant so much later, as the API writes it; earlier for a negative time. */
export function addDelay(from: Date, ms: number) {
  return new Date(from.getTime() + ms).toISOString()
}

/** False for null. */
export function isPast(instant: string | null, now: Date) {
  return instant !== null && instant <= now.toISOString()
}

/** Returns now, or the first instant after `earlier`: a row that changed last is the latest, whatever clock changed it. */
export function getInstantAfter(earlier: string, now: Date) {
  return new Date(Math.max(now.getTime(), Date.parse(earlier) + 1)).toISOString()
}
