// Days in São Paulo, written `2026-11-21`.
import { DAY_MS, HOUR_MS } from '../database/instant.ts'
import { memoizeValue } from '../record.ts'

const TIME_ZONE = 'America/Sao_Paulo'
const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/

const getCalendar = memoizeValue(
  () => new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE, dateStyle: 'short' }),
)

export function toDay(instant: Date | string) {
  return getCalendar().format(new Date(instant))
}

/** Returns the first instant of a day. Days on which summer time began start at one o'clock. */
export function getDayStart(day: string) {
  let start = Date.parse(`${day}T00:00:00Z`)
  while (toDay(new Date(start)) < day) start += HOUR_MS
  return new Date(start).toISOString()
}

export function addDays(day: string, count: number) {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** @param month `2026-11` */
export function addMonths(month: string, count: number) {
  const [year = 0, nth = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, nth - 1 + count)).toISOString().slice(0, 7)
}

/** How far a day is moved back: by calendar months, or by days. */
export type DayShift = { months: number; days: number }

export const NO_SHIFT: DayShift = { months: 0, days: 0 }

/** Moves a day back; a day that the earlier month does not have becomes the first of the next month. */
export function shiftDayBack(day: string, { months, days }: DayShift) {
  const start = addDays(day, -days)
  const month = addMonths(start.slice(0, 7), -months)
  const shifted = addDays(`${month}-01`, Number(start.slice(8)) - 1)
  const next = `${addMonths(month, 1)}-01`
  return shifted < next ? shifted : next
}

export function countDaysBetween(from: string, to: string) {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

export function isDay(text: string) {
  return DAY_PATTERN.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
}
