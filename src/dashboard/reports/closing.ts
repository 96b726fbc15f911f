// `/painel/relatorios/fechamento`: a month for the accountant: its sums, and tables to download.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../http/errors.ts'
import {
  addMonths,
  getCurrentMonth,
  loadClosing,
  streamClosingLines,
} from '../../reports/closing.ts'
import {
  buildClosingColumns,
  buildClosingFileName,
  CLOSING_DAY_COLUMNS,
  listClosingCells,
} from '../../reports/csv.ts'
import { hasRight } from '../../users/roles.ts'
import { registerTable } from '../layout/exports.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import {
  describeMonth,
  describeMonthError,
  listMonthOptions,
  toClosingView,
} from './closing-view.ts'

const READ = requireRight('read')

export async function closingPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/relatorios/fechamento', READ, async (request, reply) =>
    show(request, reply, 'dashboard/reports/closing', await loadClosingPage(needs, request)),
  )

  registerTable(app, '/relatorios/fechamento/movimentos', needs, async (request) => {
    const { company, user } = request.visitor
    const month = requireMonth(request)
    return {
      columns: buildClosingColumns(hasRight(user.role, 'fullDocuments')),
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
      rows: toPages(listClosingCells(closing)),
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
  const current = getCurrentMonth(now())
  const { month, error } = readMonth(request, current)
  const closing = await loadClosing(db, request.visitor.company.id, month)
  return {
    title: describeMonth(month),
    section: 'relatorios' as const,
    errors: error === null ? [] : [{ field: 'mes', message: error }],
    ...toClosingView(closing, current),
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

async function* toPages<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}
