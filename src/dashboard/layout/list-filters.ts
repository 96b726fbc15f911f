// What a list is narrowed by: how many of its filters are in use, and the periods that people ask for most,
// as links that keep the other filters. Days are those of São Paulo.

import { addDays, toDay } from '../../reports/days.ts'
import { listTexts } from './texts.ts'

type DayFilter = { de: string; ate: string }

/** Which of a form's filters are in use. */
export function countFilters(form: Record<string, string>) {
  return Object.values(form).filter((value) => value !== '').length
}

/** @param getHref the same list, of these days instead of its own; null for any day */
export function buildDayPresets(
  current: DayFilter,
  now: Date,
  getHref: (days: { de: string; ate: string } | { de: null; ate: null }) => string,
) {
  return listPresetDays(now).map(({ text, ...days }) => {
    const isCurrent = isSamePeriod(days, current)
    return { text, isCurrent, href: getHref(isCurrent ? { de: null, ate: null } : days) }
  })
}

/** Whether one of the presets says it all. */
export function isPresetPeriod(current: DayFilter, now: Date) {
  return listPresetDays(now).some((days) => isSamePeriod(days, current))
}

function listPresetDays(now: Date): (DayFilter & { text: string })[] {
  const { presets } = listTexts
  const today = toDay(now)
  const yesterday = addDays(today, -1)
  const monthStart = toMonthStart(today)
  const lastMonthEnd = addDays(monthStart, -1)
  return [
    { text: presets.today, de: today, ate: today },
    { text: presets.yesterday, de: yesterday, ate: yesterday },
    { text: presets.week, de: addDays(today, -6), ate: today },
    { text: presets.month, de: monthStart, ate: today },
    { text: presets.lastMonth, de: toMonthStart(lastMonthEnd), ate: lastMonthEnd },
  ]
}

function toMonthStart(day: string) {
  return `${day.slice(0, 7)}-01`
}

function isSamePeriod(a: DayFilter, b: DayFilter) {
  return a.de === b.de && a.ate === b.ate
}
