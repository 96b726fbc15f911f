// Days and times of São Paulo as the fields for them hold them, `2026-12-31` and `2026-12-31T23:59`, or
// as people type them where the browser has no such field.
import { formatDay, formatTime } from '../../../format.ts'
import { isDay } from '../../../reports/days.ts'

const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d{1,3})?)?$/
const TYPED_DAY = /^(\d\d)\/(\d\d)\/(\d{4})$/
const CENTURY = /^20/
const TYPED_TIME = /^(\d\d)\/(\d\d)\/(\d{4}),? (?:às )?(\d\d:\d\d)$/
/** The last that is written with four digits. */
const MAX_YEAR = 9999

export function formatLocalInput(instant: string | Date) {
  const [day, month, year] = formatDay(instant).split('/')
  return `${year}-${month}-${day}T${formatTime(instant)}`
}

/** `2026-12-31`, or undefined for what no calendar has, or lies in another century. */
export function parseDay(typed: string): string | undefined {
  const day = typed.trim().replace(TYPED_DAY, '$3-$2-$1')
  return CENTURY.test(day) && isDay(day) ? day : undefined
}

/** The instant, or undefined for what no calendar has, or lies before 1970 or, in UTC, after 9999. */
export function parseLocalTime(typed: string): string | undefined {
  const local = normalizeLocalTime(typed.trim())
  const wanted = Date.parse(`${local}Z`)
  if (!(wanted > 0) || new Date(wanted).toISOString().slice(0, 16) !== local) return undefined
  // What clocks in São Paulo show then says how far they are from UTC.
  const shown = Date.parse(`${formatLocalInput(new Date(wanted))}Z`)
  const instant = new Date(2 * wanted - shown)
  return instant.getUTCFullYear() <= MAX_YEAR ? instant.toISOString() : undefined
}

function normalizeLocalTime(typed: string) {
  const [, year, month, day, time] = typed.match(LOCAL_TIME) ?? []
  if (year) return `${year}-${month}-${day}T${time}`
  return typed.replace(TYPED_TIME, '$3-$2-$1T$4')
}
