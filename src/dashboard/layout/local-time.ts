// Parses days and times of São Paulo: as form fields send them, `2026-12-31` and `2026-12-31T23:59`, and as people type
// them, `31/12/2026`, `31-12-2026` and `31.12.26`.
import { formatDay, formatTime } from '../../format.ts'
import { isDay } from '../../reports/days.ts'

const TYPED_DAY = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/
const CENTURY = /^20/
const DAY_AND_TIME = /^(\S+?)(?:T|,? (?:às )?)(\d{1,2}:\d\d)(?::\d\d(?:\.\d{1,3})?)?$/
/** The last year with four digits. */
const MAX_YEAR = 9999

/** Times for a day that begins or ends something. */
export const DAY_START = '00:00'
export const DAY_END = '23:59'

export function formatLocalInput(instant: string | Date) {
  const [day, month, year] = formatDay(instant).split('/')
  return `${year}-${month}-${day}T${formatTime(instant)}`
}

/** Returns `31/12/2026`, `1/5/26` or `2026-12-31` as `2026-12-31`; undefined for a day that does not exist. */
export function parseDay(typed: string): string | undefined {
  const day = normalizeDay(typed.trim())
  return CENTURY.test(day) && isDay(day) ? day : undefined
}

/**
 * Returns the instant; undefined for a time that does not exist, or that is before 1970 or (in UTC) after 9999.
 * @param dayTime the time for a day without one; when absent, such a day is invalid
 */
export function parseLocalTime(typed: string, dayTime?: string): string | undefined {
  const [, day = typed.trim(), time = dayTime] = typed.trim().match(DAY_AND_TIME) ?? []
  if (time === undefined) return undefined
  const local = `${normalizeDay(day)}T${time.padStart(5, '0')}`
  const wanted = Date.parse(`${local}Z`)
  if (!(wanted > 0) || new Date(wanted).toISOString().slice(0, 16) !== local) return undefined
  // The time that clocks in São Paulo show at that instant gives their offset from UTC.
  const shown = Date.parse(`${formatLocalInput(new Date(wanted))}Z`)
  const instant = new Date(2 * wanted - shown)
  return instant.getUTCFullYear() <= MAX_YEAR ? instant.toISOString() : undefined
}

function normalizeDay(typed: string) {
  const [, day, , month, year] = typed.match(TYPED_DAY) ?? []
  if (!day || !month || !year) return typed
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
