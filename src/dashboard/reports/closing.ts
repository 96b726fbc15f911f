// `/painel/relatorios/fechamento`: a month for the accountant: its sums, and its tables to take away.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toRecord } from '../../http/fields.ts'
import { loadClosing } from '../../reports/closing/closing.ts'
import {
  buildClosingColumns,
  buildClosingFileName,
  CLOSING_DAY_COLUMNS,
  listClosingCells,
} from '../../reports/closing/csv.ts'
import { streamClosingLines } from '../../reports/closing/lines.ts'
import { addMonths, getCurrentMonth, parseMonth } from '../../reports/closing/month.ts'
import { hasRight } from '../../users/roles.ts'
import { registerTable } from '../layout/exports.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { describeMonth, listMonthOptions, toClosingView } from './closing-view.ts'

const READ = requireRight('read')

export async function closingPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/relatorios/fechamento', READ, async (request, reply) => {
    const [month, current] = [readMonth(request), getCurrentMonth(needs.now())]
    const closing = await loadClosing(db, request.visitor.company.id, month)
    return show(request, reply, 'dashboard/reports/closing', {
      ...{ title: describeMonth(month), section: 'relatorios' },
      ...toClosingView(closing, current),
      months: listMonthOptions(month, current),
    })
  })

  registerTable(app, '/relatorios/fechamento/movimentos', needs, async (request) => {
    const { company, user } = request.visitor
    const month = readMonth(request)
    return {
      columns: buildClosingColumns(hasRight(user.role, 'fullDocuments')),
      rows: streamClosingLines(db, company.id, month),
      name: buildClosingFileName(month, 'movements'),
      subject: describeMonth(month),
      hasPayers: true,
    }
  })

  registerTable(app, '/relatorios/fechamento/dias', needs, async (request) => {
    const month = readMonth(request)
    const closing = await loadClosing(db, request.visitor.company.id, month)
    return {
      columns: CLOSING_DAY_COLUMNS,
      rows: toPages(listClosingCells(closing)),
      name: buildClosingFileName(month, 'days'),
      subject: describeMonth(month),
    }
  })

  /** The one that was asked for; else the last that is over. */
  function readMonth({ query }: FastifyRequest) {
    const { mes } = toRecord(query)
    const asked = parseMonth(typeof mes === 'string' ? mes : undefined)
    return asked ?? addMonths(getCurrentMonth(needs.now()), -1)
  }
}

async function* toPages<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}
