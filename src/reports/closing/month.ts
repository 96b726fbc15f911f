// Months in São Paulo, written `2026-10`.
import { addDays, getDayStart, toDay } from '../days.ts'

const MONTH_PATTERN = /^20\d\d-(?:0[1-9]|1[0-2])$/

/** Undefined for texts other than a month of this century. */
export function parseMonth(text: string | undefined) {
  return text !== undefined && MONTH_PATTERN.test(text) ? text : undefined
}

export function getCurrentMonth(now: Date) {
  return toDay(now).slice(0, 7)
}

export function addMonths(month: string, count: number) {
  const [year, nth] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, (nth ?? 1) - 1 + count)).toISOString().slice(0, 7)
}

/** The first day of the month, and of the next one. */
export function getMonthDays(month: string) {
  return { from: `${month}-01`, to: `${addMonths(month, 1)}-01` }
}

/** The first instant of the month, and of the next one. */
export function getMonthInstants(month: string) {
  const { from, to } = getMonthDays(month)
  return { from: getDayStart(from), to: getDayStart(to) }
}

export function getLastDay(month: string) {
  return addDays(getMonthDays(month).to, -1)
}
