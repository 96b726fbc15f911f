// `/painel/relatorios/fechamento`: a month for the accountant: its sums, and tables to download.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatMonth } from '../../format.ts'
import { AppError } from '../../http/errors.ts'
import { streamRows } from '../../lists/page.ts'
import {
  type Closing,
  getCurrentMonth,
  getMonthDays,
  isEmptyClosing,
  loadClosing,
  parseMonth,
  streamClosingLines,
  sumClosing,
} from '../../reports/closing.ts'
import {
  buildClosingColumns,
  buildClosingFileName,
  CLOSING_DAY_COLUMNS,
  listClosingCells,
} from '../../reports/csv.ts'
import { addMonths, toDay } from '../../reports/days.ts'
import { closingTexts } from '../../reports/texts.ts'
import { texts } from '../../texts.ts'
import { getDocumentFormat } from '../../users/roles.ts'
import { listTableLinks, registerTable } from '../layout/exports.ts'
import { readTypedFields, registerPage } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'

export async function closingPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs

  registerPage(
    app,
    needs,
    '/relatorios/fechamento',
    ['read', 'dashboard/reports/closing'],
    loadClosingPage,
  )

  registerTable(app, '/relatorios/fechamento/movimentos', needs, async (request) => {
    const { company, user } = request.visitor
    const month = requireMonth(request)
    return {
      columns: buildClosingColumns(getDocumentFormat(user.role)),
      rows: streamClosingLines(db, company.id, month),
      name: buildClosingFileName(month, 'movements'),
      subject: describeMonth(month),
      hasPayers: true,
    }
  })

  registerTable(app, '/relatorios/fechamento/dias', needs, async (request) => {
    const month = requireMonth(request)
    const closing = await loadClosing(db, request.visitor.company.id, month)
    return {
      columns: CLOSING_DAY_COLUMNS,
      rows: streamRows(listClosingCells(closing)),
      name: buildClosingFileName(month, 'days'),
      subject: describeMonth(month),
    }
  })

  /** A table of another month than the requested one would be mistaken for it. */
  function requireMonth(request: FastifyRequest) {
    const { month, error } = readMonth(request, getCurrentMonth(needs.now()))
    if (error !== null) throw new AppError(422, 'invalid_date', error)
    return month
  }
}

export async function loadClosingPage({ db, now }: DashboardNeeds, request: FastifyRequest) {
  const today = toDay(now())
  const current = getCurrentMonth(now())
  const { month, error } = readMonth(request, current)
  const closing = await loadClosing(db, request.visitor.company.id, month)
  const { to: closesOn } = getMonthDays(month)
  return {
    title: describeMonth(month),
    section: 'relatorios' as const,
    errors: error === null ? [] : [{ field: 'mes', message: error }],
    ...toClosingView(closing, current),
    /** A month closes when the first day of the next one is over (movements/book.ts); null once it has. */
    closesOn: today <= closesOn ? closesOn : null,
    months: listMonthOptions(month, current),
  }
}

/** Reads the requested month; for an invalid one returns the last month that is over, with the error. */
function readMonth({ query }: FastifyRequest, current: string) {
  const { mes: typed } = readTypedFields(query)
  const error = typed ? describeMonthError(typed, current) : null
  const month = typed && error === null ? typed : addMonths(current, -1)
  return { month, error }
}

const CLOSING_PATH = '/painel/relatorios/fechamento'
/** The number of months to choose from; older ones are reached by their address. */
const LISTED_MONTHS = 36

function toClosingView(closing: Closing, current: string) {
  const { month, days, byMethod, total } = closing
  const byDay = [...Map.groupBy(days, ({ day }) => day)]
  return {
    month,
    heading: describeMonth(month),
    isEmpty: isEmptyClosing(closing),
    previous: `${CLOSING_PATH}?mes=${addMonths(month, -1)}`,
    next: month < current ? `${CLOSING_PATH}?mes=${addMonths(month, 1)}` : null,
    tables: {
      movements: listTableLinks(`${CLOSING_PATH}/movimentos`, new URLSearchParams({ mes: month })),
      days: listTableLinks(`${CLOSING_PATH}/dias`, new URLSearchParams({ mes: month })),
    },
    /** A column that is zero on each day is left out. */
    has: {
      refunded: days.some(({ refundedCents, lostCents }) => refundedCents !== lostCents),
      lost: days.some(({ lostCents }) => lostCents !== 0),
    },
    methods: [
      { label: texts.methods.pix, ...byMethod.pix },
      { label: texts.methods.credit_card, ...byMethod.credit_card },
    ],
    byMethod,
    days: byDay.map(([day, rows]) => ({
      ...sumClosing(rows),
      day,
      pixCents: sumGross(rows, 'pix'),
      cardCents: sumGross(rows, 'credit_card'),
    })),
    total,
  }
}

/** Formats `Fechamento de outubro de 2026`. */
function describeMonth(month: string) {
  return closingTexts.title(nameMonth(month))
}

function listMonthOptions(month: string, current: string) {
  const listed = Array.from({ length: LISTED_MONTHS }, (_, i) => addMonths(current, -i))
  const all = listed.includes(month) ? listed : [...listed, month]
  return all.map((value) => ({ value, text: nameMonth(value), isChosen: value === month }))
}

function sumGross(rows: Closing['days'], wanted: Closing['days'][number]['method']) {
  return rows.find(({ method }) => method === wanted)?.grossCents ?? 0
}

/** Returns the error of a requested month; null for a valid one. */
function describeMonthError(typed: string, current: string) {
  const month = parseMonth(typed)
  if (month === undefined) return closingTexts.month
  return month > current ? closingTexts.future(nameMonth(month)) : null
}

/** Any hour of the second day is in the same month in São Paulo. */
function nameMonth(month: string) {
  return formatMonth(`${month}-02T12:00:00Z`)
}
