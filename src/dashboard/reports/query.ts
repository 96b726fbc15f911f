// What the address says of the report that is wanted: by what, and for which days. A period that has a
// name moves with the calendar; two dates stay.

import type { FastifyRequest } from 'fastify'
import { addDays } from '../../reports/days.ts'
import { type ReportKind, rangeErrors } from '../../reports/reports.ts'
import { reportTexts } from '../../reports/texts.ts'
import { typedOf } from '../layout/form.ts'
import { parseDay } from '../layout/local-time.ts'
import type { Problem } from '../layout/page.ts'

type Period = keyof typeof reportTexts.periods
/** `to` is the day after the last. */
type Days = { from: string; to: string }

const PATH = '/painel/relatorios'
const KINDS: Record<string, ReportKind> = {
  mes: 'month',
  meio: 'method',
  link: 'link',
  etiqueta: 'tag',
}
const USUAL: Period = '12-meses'

/** @param today the day it is, `2026-11-21` */
export function askedFor(request: FastifyRequest, today: string) {
  const typed = typedOf(request.query)
  const by = typed.por !== undefined && Object.hasOwn(KINDS, typed.por) ? typed.por : 'mes'
  const period = periodOf(typed)
  const days = period ? daysOf(period, today) : typedDays(typed)
  return {
    kind: KINDS[by]!,
    by,
    days,
    errors: rangeErrors(days).map(problemOf),
    /** As they stand in their fields. */
    fields: period
      ? { de: days.from, ate: addDays(days.to, -1) }
      : { de: fieldOf(typed.de), ate: fieldOf(typed.ate) },
    tabs: Object.entries(KINDS).map(([name, kind]) => ({
      text: reportTexts.tabs[kind],
      href: addressOf(typed, { por: name }),
      isCurrent: name === by,
    })),
    periods: Object.entries(reportTexts.periods).map(([name, text]) => ({
      text,
      href: addressOf(typed, { periodo: name, de: null, ate: null }),
      isCurrent: name === period,
    })),
  }
}

/** Null where dates were typed. */
function periodOf({ de, ate, periodo }: Record<string, string>): Period | null {
  if (de || ate) return null
  const { periods } = reportTexts
  return periodo && Object.hasOwn(periods, periodo) ? (periodo as Period) : USUAL
}

function daysOf(period: Period, today: string): Days {
  const month = firstOfMonth(today)
  const to = addDays(today, 1)
  switch (period) {
    case 'este-mes':
      return { from: month, to }
    case 'mes-passado':
      return { from: firstOfMonth(addDays(month, -1)), to: month }
    case '30-dias':
      return { from: addDays(to, -30), to }
    case '12-meses':
      return { from: elevenMonthsBefore(month), to }
  }
}

function firstOfMonth(day: string) {
  return `${day.slice(0, 7)}-01`
}

/** The month after this one, a year ago. */
function elevenMonthsBefore(month: string) {
  const [year, nth] = firstOfMonth(addDays(month, 31)).split('-')
  return `${Number(year) - 1}-${nth}-01`
}

function typedDays({ de = '', ate = '' }: Record<string, string>): Days {
  const last = parseDay(ate)
  return { from: parseDay(de) ?? '', to: last ? addDays(last, 1) : '' }
}

function fieldOf(typed = '') {
  return parseDay(typed) ?? typed
}

function problemOf({ field, message }: { field: string; message: string }): Problem {
  return { field: field === 'from' ? 'de' : 'ate', message }
}

const KEPT = ['por', 'periodo', 'de', 'ate', 'modo']

function addressOf(typed: Record<string, string>, changes: Record<string, string | null>) {
  const asked = { ...typed, ...changes }
  const kept = KEPT.flatMap((name) => (asked[name] ? [[name, asked[name]]] : []))
  return `${PATH}?${new URLSearchParams(kept)}`
}
