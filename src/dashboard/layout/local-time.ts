// Parses days and times of São Paulo: as form fields send them, `2026-12-31` and `2026-12-31T23:59`, and as people and
// spreadsheets write them: `31/12/2026`, `31-12-2026`, `31.12.26`, `31/dez/2026`, `quinta-feira, 31 de dezembro de 2026`,
// with `18:00`, `18h` or `às 18h30` behind.
import { formatDay, formatTime } from '../../format.ts'
import { isDay } from '../../reports/days.ts'

const TYPED_DAY = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/
const YEAR_FIRST = /^(\d{4})\/(\d\d)\/(\d\d)$/
/** The name of a month, whole or cut, with or without the day of the week before it. */
const NAMED_MONTH =
  /^(?:[a-zç]+(?:-feira)?, )?(\d{1,2})º?(?: de |[ /.-])([a-zç]{3,9})\.?(?: de |[ /.-])(\d{4}|\d{2})$/i
const MONTHS = [
  ...['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho', 'julho', 'agosto', 'setembro'],
  ...['outubro', 'novembro', 'dezembro'],
]
const CENTURY = /^20/
const DAY_AND_TIME = /^(.+?)(?:T|(?:,| -)? (?:[àa]s )?)(\d{1,2}:\d\d)(?::\d\d(?:\.\d{1,3})?)?$/
/** `18h`, `18 h`, `18h30`, `18h30min`, `18 horas` at the end. */
const HOURS = /(\d) ?h(?:s|rs?|oras?)? ?(?:(\d\d)(?: ?min)?)?$/i
/** `18:30h`. */
const UNIT = /(:\d\d) ?h(?:s|rs|oras)?$/i
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
  const day = normalizeDay(typed.trim().replace(/\s+/g, ' '))
  return CENTURY.test(day) && isDay(day) ? day : undefined
}

/**
 * Returns the instant; undefined for a time that does not exist, or that is before 1970 or (in UTC) after 9999.
 * @param dayTime the time for a day without one; when absent, such a day is invalid
 */
export function parseLocalTime(typed: string, dayTime?: string): string | undefined {
  const text = typed.trim().replace(/\s+/g, ' ').replace(UNIT, '$1').replace(HOURS, formatHours)
  const [, day = text, time = dayTime] = text.match(DAY_AND_TIME) ?? []
  if (time === undefined) return undefined
  const local = `${normalizeDay(day)}T${time === '24:00' ? DAY_END : time.padStart(5, '0')}`
  const wanted = Date.parse(`${local}Z`)
  if (!(wanted > 0) || new Date(wanted).toISOString().slice(0, 16) !== local) return undefined
  // The time that clocks in São Paulo show at that instant gives their offset from UTC.
  const shown = Date.parse(`${formatLocalInput(new Date(wanted))}Z`)
  const instant = new Date(2 * wanted - shown)
  return instant.getUTCFullYear() <= MAX_YEAR ? instant.toISOString() : undefined
}

function formatHours(_: string, hour: string, minute = '00') {
  return `${hour}:${minute}`
}

function normalizeDay(typed: string) {
  const [, day, , month, year] = typed.match(TYPED_DAY) ?? []
  if (day && month && year) return joinDay(year, month, day)
  const [, dayOfMonth, name, ofYear] = typed.match(NAMED_MONTH) ?? []
  if (dayOfMonth && name && ofYear) return joinDay(ofYear, findMonth(name), dayOfMonth)
  return typed.replace(YEAR_FIRST, '$1-$2-$3')
}

function joinDay(year: string, month: string, day: string) {
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** `0`, which is no month, for an unknown name. */
function findMonth(name: string) {
  const plain = name.toLowerCase().replace('marco', 'março')
  return String(MONTHS.findIndex((month) => month.startsWith(plain)) + 1)
}
