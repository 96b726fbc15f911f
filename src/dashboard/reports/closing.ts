// `/painel/relatorios/fechamento`: a month for the accountant: its sums, its tables to take away, and who is sent
// them on the first of the next.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendCsv } from '../../http/csv.ts'
import { toRecord } from '../../http/fields.ts'
import { loadClosing } from '../../reports/closing/closing.ts'
import {
  buildClosingColumns,
  buildClosingFileName,
  CLOSING_DAY_COLUMNS,
  listClosingCells,
} from '../../reports/closing/csv.ts'
import { addMonths, getCurrentMonth, parseMonth } from '../../reports/closing/month.ts'
import { streamClosingPayments } from '../../reports/closing/payments.ts'
import { type ClosingReader, listPossibleReaders } from '../../reports/closing/readers.ts'
import { hasRight } from '../../users/roles.ts'
import { recordExport, recordPayerExport } from '../layout/exports.ts'
import { buildFormVersion } from '../layout/forms/versioned.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict } from '../layout/page.ts'
import { CLOSING_PATH, describeMonth, listMonthOptions, toClosingView } from './closing-view.ts'
import { readChosenReaders, saveChosenReaders, toReaderValues } from './readers.ts'
import { closingPageTexts } from './texts.ts'

const READ = requireRight('read')
const SETTINGS = requireRight('settings')

export async function closingPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/relatorios/fechamento', READ, (request, reply) => showClosing(request, reply))

  app.post('/relatorios/fechamento', SETTINGS, async (request, reply) => {
    if (request.isKept) return showClosing(request, reply, readChosenReaders(request.body))
    const saved = await saveChosenReaders(needs, request)
    if (saved.kind === 'conflict') {
      return showClosing(request, reply, readChosenReaders(request.body), saved.conflicts)
    }
    return reply.redirect(`${CLOSING_PATH}?mes=${readMonth(request)}&feito=fechamento-salvo`, 303)
  })

  app.get('/relatorios/fechamento/pagamentos.csv', READ, async (request, reply) => {
    const { company, user } = request.visitor
    const month = readMonth(request)
    const columns = buildClosingColumns(hasRight(user.role, 'fullDocuments'))
    return sendCsv(reply, columns, streamClosingPayments(db, company.id, month), {
      ...{ companyId: company.id, name: buildClosingFileName(month, 'payments') },
      recordTaking: () => recordPayerExport(needs, request, describeMonth(month)),
    })
  })

  app.get('/relatorios/fechamento/dias.csv', READ, async (request, reply) => {
    const month = readMonth(request)
    const companyId = request.visitor.company.id
    const closing = await loadClosing(db, companyId, month)
    return sendCsv(reply, CLOSING_DAY_COLUMNS, toPages(listClosingCells(closing)), {
      ...{ companyId, name: buildClosingFileName(month, 'days') },
      recordTaking: () => recordExport(needs, request, describeMonth(month)),
    })
  })

  async function showClosing(
    request: FastifyRequest,
    reply: FastifyReply,
    typed: Record<string, boolean> = {},
    conflicts: FieldConflict[] = [],
  ) {
    const { company, user } = request.visitor
    const [month, current] = [readMonth(request), getCurrentMonth(needs.now())]
    const [closing, people] = await Promise.all([
      loadClosing(db, company.id, month),
      listPossibleReaders(db, user.companyId),
    ])
    return show(request, reply, 'dashboard/reports/closing', {
      ...{ title: describeMonth(month), section: 'relatorios' },
      ...toClosingView(closing, current),
      months: listMonthOptions(month, current),
      readers: people.map(({ id, email, isChosen }) => ({
        ...{ id, email, isChosen: typed[id] ?? isChosen },
      })),
      sentTo: countChosen(people),
      isMailConfigured: needs.mail !== null,
      version: buildFormVersion(request, toReaderValues(people), conflicts),
    })
  }

  /** The one that was asked for; else the last that is over. */
  function readMonth({ query }: FastifyRequest) {
    const { mes } = toRecord(query)
    const asked = parseMonth(typeof mes === 'string' ? mes : undefined)
    return asked ?? addMonths(getCurrentMonth(needs.now()), -1)
  }
}

/** Who is of the team is for owners to see. */
function countChosen(people: ClosingReader[]) {
  const { length } = people.filter(({ isChosen }) => isChosen)
  return length > 0 ? closingPageTexts.readers.count(length) : null
}

async function* toPages<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}
