// `/painel/relatorios`: the revenue of some days, by day, week, month, method, link or tag, beside the previous period;
// and the same as a table. A named period moves with the calendar; two dates stay.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatDay } from '../../format.ts'
import { streamRows } from '../../lists/page.ts'
import { getKeys } from '../../record.ts'
import { buildComparedReport } from '../../reports/comparison.ts'
import { buildReportColumns, buildReportFileName, listReportRows } from '../../reports/csv.ts'
import {
  addDays,
  addMonths,
  countDaysBetween,
  type DayShift,
  getDayStart,
  toDay,
} from '../../reports/days.ts'
import {
  buildReport,
  findRangeErrors,
  type ReportKind,
  type ReportRange,
  shiftRangeBack,
} from '../../reports/reports.ts'
import { reportTexts } from '../../reports/texts.ts'
import { listTableLinks, registerTable } from '../layout/exports.ts'
import { readTypedFields, registerPage } from '../layout/form.ts'
import { parseDay } from '../layout/local-time.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { toReportView } from './view.ts'

export async function reportPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs

  registerPage(app, needs, '/relatorios', ['read', 'dashboard/reports/reports'], loadReports)

  registerTable(app, '/relatorios', needs, async (request) => {
    const { kind, days } = readReportQuery(request, toDay(needs.now()))
    const report = await buildReport(db, request.visitor.company.id, kind, days)
    return {
      columns: buildReportColumns(kind),
      rows: streamRows(listReportRows(report)),
      name: buildReportFileName(kind, days),
      subject: sectionTitles.relatorios,
    }
  })
}

export async function loadReports(needs: DashboardNeeds, request: FastifyRequest) {
  const asked = readReportQuery(request, toDay(needs.now()))
  const { by, errors, fields, tabs, periods } = asked
  return {
    title: sectionTitles.relatorios,
    section: 'relatorios' as const,
    errors,
    by,
    fields,
    tabs,
    periods,
    /** Null when the requested days are invalid. */
    report: errors.length > 0 ? null : await loadReport(needs, request, asked),
  }
}

async function loadReport(
  { db, now }: DashboardNeeds,
  { visitor: { company } }: FastifyRequest,
  { kind, by, days, shift, fields }: ReturnType<typeof readReportQuery>,
) {
  const report = await buildComparedReport(db, company.id, kind, days, { shift, now: now() })
  return {
    ...toReportView(kind, report, {
      now: formatReportDays(days),
      before: formatReportDays(shiftRangeBack(days, shift)),
    }),
    /** The last day is not over. */
    isUnfinished: days.to > toDay(now()),
    // The exact days that are shown, since the file may be downloaded on another day.
    tables: listTableLinks('/painel/relatorios', new URLSearchParams({ por: by, ...fields })),
  }
}

function formatReportDays({ from, to }: ReportRange) {
  const [first, last] = [from, addDays(to, -1)].map((day) => formatDay(getDayStart(day)))
  return reportTexts.days(first ?? '', last ?? '')
}

type NamedPeriod = keyof typeof reportTexts.periods
/** `to` is the day after the last one; `shift` leads to the period that is compared. */
type AskedDays = { from: string; to: string; shift: DayShift }

const REPORTS_PATH = '/painel/relatorios'
const KINDS_BY_PARAMETER: Record<string, ReportKind> = {
  dia: 'day',
  semana: 'week',
  mes: 'month',
  meio: 'method',
  link: 'link',
  etiqueta: 'tag',
}
const DEFAULT_PERIOD: NamedPeriod = '12-meses'
/** By default, more days than these are summed by month. */
const MAX_SINGLE_DAYS = 62

/** @param today the present day, `2026-11-21` */
function readReportQuery(request: FastifyRequest, today: string) {
  const typed = readTypedFields(request.query)
  const period = readPeriod(typed)
  const { shift, ...days } = period ? toAskedDays(period, today) : readAskedDays(typed, today)
  const by = readGrouping(typed, days)
  return {
    kind: KINDS_BY_PARAMETER[by] ?? 'month',
    by,
    days,
    shift,
    errors: findRangeErrors(days).map(toRangeError),
    /** As the fields of the form show them. */
    fields: period
      ? { de: days.from, ate: addDays(days.to, -1) }
      : { de: normalizeDayField(typed.de), ate: normalizeDayField(typed.ate || today) },
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

/** Returns the parameter's name; by default one by time that suits the days. */
function readGrouping({ por }: Record<string, string>, { from, to }: ReportRange) {
  if (por !== undefined && Object.hasOwn(KINDS_BY_PARAMETER, por)) return por
  return countDaysBetween(from, to) <= MAX_SINGLE_DAYS ? 'dia' : 'mes'
}

/** Null when dates were typed. */
function readPeriod({ de, ate, periodo }: Record<string, string>): NamedPeriod | null {
  if (de || ate) return null
  const { periods } = reportTexts
  return getKeys(periods).find((name) => name === periodo) ?? DEFAULT_PERIOD
}

/** A month is compared with the month before, a year with the year before, days with as many days. */
function toAskedDays(period: NamedPeriod, today: string): AskedDays {
  const month = today.slice(0, 7)
  const monthStart = getMonthStart(month)
  const to = addDays(today, 1)
  switch (period) {
    case 'hoje':
      return getLastDays(to, 1)
    case '7-dias':
      return getLastDays(to, 7)
    case '30-dias':
      return getLastDays(to, 30)
    case 'este-mes':
      return { from: monthStart, to, shift: { months: 1, days: 0 } }
    case 'mes-passado':
      return {
        from: getMonthStart(addMonths(month, -1)),
        to: monthStart,
        shift: { months: 1, days: 0 },
      }
    case 'este-ano':
      return { from: `${today.slice(0, 4)}-01-01`, to, shift: { months: 12, days: 0 } }
    case '12-meses':
      return { from: getMonthStart(addMonths(month, -11)), to, shift: { months: 12, days: 0 } }
  }
}

function getLastDays(to: string, days: number): AskedDays {
  return { from: addDays(to, -days), to, shift: { months: 0, days } }
}

function getMonthStart(month: string) {
  return `${month}-01`
}

/** Without a last day it is today. */
function readAskedDays({ de = '', ate = '' }: Record<string, string>, today: string): AskedDays {
  const last = ate === '' ? today : parseDay(ate)
  const range = { from: parseDay(de) ?? '', to: last ? addDays(last, 1) : '' }
  return { ...range, shift: { months: 0, days: countDaysBetween(range.from, range.to) } }
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
