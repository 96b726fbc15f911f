// What the address says of the report that is wanted: by what, and for which days. A period that has a
// name moves with the calendar; two dates stay.

import type { FastifyRequest } from 'fastify'
import { getKeys } from '../../record.ts'
import { addDays } from '../../reports/days.ts'
import { findRangeErrors, type ReportKind } from '../../reports/reports.ts'
import { reportTexts } from '../../reports/texts.ts'
import { readTypedFields } from '../layout/form.ts'
import { parseDay } from '../layout/local-time.ts'
import type { FormError } from '../layout/page.ts'

type NamedPeriod = keyof typeof reportTexts.periods
/** `to` is the day after the last. */
type DayRange = { from: string; to: string }

const REPORTS_PATH = '/painel/relatorios'
const KINDS_BY_PARAMETER: Record<string, ReportKind> = {
  mes: 'month',
  meio: 'method',
  link: 'link',
  etiqueta: 'tag',
}
const DEFAULT_PERIOD: NamedPeriod = '12-meses'

/** @param today the day it is, `2026-11-21` */
export function readReportQuery(request: FastifyRequest, today: string) {
  const typed = readTypedFields(request.query)
  const by =
    typed.por !== undefined && Object.hasOwn(KINDS_BY_PARAMETER, typed.por) ? typed.por : 'mes'
  const period = readPeriod(typed)
  const days = period ? toDayRange(period, today) : readDayRange(typed)
  return {
    kind: KINDS_BY_PARAMETER[by] ?? 'month',
    by,
    days,
    errors: findRangeErrors(days).map(toRangeError),
    /** As they stand in their fields. */
    fields: period
      ? { de: days.from, ate: addDays(days.to, -1) }
      : { de: normalizeDayField(typed.de), ate: normalizeDayField(typed.ate) },
    tabs: Object.entries(KINDS_BY_PARAMETER).map(([name, kind]) => ({
      text: reportTexts.tabs[kind],
      href: buildReportUrl(typed, { por: name }),
      isCurrent: name === by,
    })),
    periods: Object.entries(reportTexts.periods).map(([name, text]) => ({
      text,
      href: buildReportUrl(typed, { periodo: name, de: null, ate: null }),
      isCurrent: name === period,
    })),
  }
}

/** Null where dates were typed. */
function readPeriod({ de, ate, periodo }: Record<string, string>): NamedPeriod | null {
  if (de || ate) return null
  const { periods } = reportTexts
  return getKeys(periods).find((name) => name === periodo) ?? DEFAULT_PERIOD
}

function toDayRange(period: NamedPeriod, today: string): DayRange {
  const month = getMonthStart(today)
  const to = addDays(today, 1)
  switch (period) {
    case 'este-mes':
      return { from: month, to }
    case 'mes-passado':
      return { from: getMonthStart(addDays(month, -1)), to: month }
    case '30-dias':
      return { from: addDays(to, -30), to }
    case '12-meses':
      return { from: subtractElevenMonths(month), to }
  }
}

function getMonthStart(day: string) {
  return `${day.slice(0, 7)}-01`
}

/** The month after this one, a year ago. */
function subtractElevenMonths(month: string) {
  const [year, nth] = getMonthStart(addDays(month, 31)).split('-')
  return `${Number(year) - 1}-${nth}-01`
}

function readDayRange({ de = '', ate = '' }: Record<string, string>): DayRange {
  const last = parseDay(ate)
  return { from: parseDay(de) ?? '', to: last ? addDays(last, 1) : '' }
}

function normalizeDayField(typed = '') {
  return parseDay(typed) ?? typed
}

function toRangeError({ field, message }: { field: string; message: string }): FormError {
  return { field: field === 'from' ? 'de' : 'ate', message }
}

const KEPT_PARAMETERS = ['por', 'periodo', 'de', 'ate']

function buildReportUrl(typed: Record<string, string>, changes: Record<string, string | null>) {
  const asked = { ...typed, ...changes }
  const kept = KEPT_PARAMETERS.flatMap((name): [string, string][] =>
    asked[name] ? [[name, asked[name]]] : [],
  )
  return `${REPORTS_PATH}?${new URLSearchParams(kept)}`
}
