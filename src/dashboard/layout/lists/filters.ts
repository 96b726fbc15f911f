// The filters of a list: how many are in use, and common periods as links that keep the other filters. Days are those
// of São Paulo.

import { addDays, toDay } from '../../../reports/days.ts'
import { listTexts } from './texts.ts'

type DayFilter = { de: string; ate: string }
/** `periodo`: the name of the chosen days, since the same days may have two names (a month's first seven days). */
type NamedDays = DayFilter & { periodo: string | null }

/** Counts the filters that are in use. */
export function countFilters(form: Record<string, string>) {
  return Object.values(form).filter((value) => value !== '').length
}

/** @param getHref returns the address of the same list with these days; null means any day */
export function buildDayPresets(
  current: NamedDays,
  now: Date,
  getHref: (days: NamedDays | typeof ANY_DAY) => string,
) {
  const currentName = findDayPreset(current, now)
  return listPresetDays(now).map(({ name, text, ...days }) => {
    const isCurrent = name === currentName
    return { text, isCurrent, href: getHref(isCurrent ? ANY_DAY : nameDays(name, days, now)) }
  })
}

const ANY_DAY = { de: null, ate: null, periodo: null }

/** Returns the name of these days as of today; null without one. */
function findDayPreset({ periodo, ...days }: NamedDays, now: Date) {
  const names = listPresetDays(now).flatMap((preset) =>
    isSamePeriod(preset, days) ? preset.name : [],
  )
  return names.find((name) => name === periodo) ?? names[0] ?? null
}

function nameDays(name: string, days: DayFilter, now: Date): NamedDays {
  const isPlain = findDayPreset({ ...days, periodo: null }, now) === name
  return { ...days, periodo: isPlain ? null : name }
}

/** Whether a preset has exactly these days. */
export function isPresetPeriod(current: DayFilter, now: Date) {
  return listPresetDays(now).some((days) => isSamePeriod(days, current))
}

function listPresetDays(now: Date): (DayFilter & { name: string; text: string })[] {
  const { presets } = listTexts
  const today = toDay(now)
  const yesterday = addDays(today, -1)
  const monthStart = toMonthStart(today)
  const lastMonthEnd = addDays(monthStart, -1)
  return [
    { name: 'hoje', text: presets.today, de: today, ate: today },
    { name: 'ontem', text: presets.yesterday, de: yesterday, ate: yesterday },
    { name: '7-dias', text: presets.week, de: addDays(today, -6), ate: today },
    { name: 'mes', text: presets.month, de: monthStart, ate: today },
    {
      name: 'mes-passado',
      text: presets.lastMonth,
      de: toMonthStart(lastMonthEnd),
      ate: lastMonthEnd,
    },
  ]
}

function toMonthStart(day: string) {
  return `${day.slice(0, 7)}-01`
}

function isSamePeriod(a: DayFilter, b: DayFilter) {
  return a.de === b.de && a.ate === b.ate
}
