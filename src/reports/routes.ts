import { serializeDocument } from '../format.ts'
import { paginateRows } from '../http/pagination.ts'
import type { Routes } from '../http/zod.ts'
import { serializeInstitution } from '../providers/received.ts'
import {
  type ClosingLine,
  type ClosingSums,
  getLinePosition,
  listClosingLines,
  loadClosing,
} from './closing.ts'
import { addDays } from './days.ts'
import { buildReport } from './reports.ts'
import type { Revenue } from './revenue.ts'
import { ClosingQuery, ClosingReport, RevenueQuery, RevenueReport } from './schema.ts'

const tags = ['Reports']
/** Reports are sums of transactions, so they need the same scope. */
const config = { resource: 'transactions' } as const

const REVENUE_SCHEMA = {
  summary: 'Somar o que entrou por dia, semana, mês, forma de pagamento, etiqueta ou link',
  description:
    'Os números do painel: cada pagamento no dia em São Paulo em que foi pago, e o que voltou dele no dia em que voltou.',
  operationId: 'getRevenueReport',
  tags,
  querystring: RevenueQuery,
  response: { 200: RevenueReport },
}

const CLOSING_SCHEMA = {
  summary: 'Ler o fechamento de um mês, movimento por movimento',
  description:
    'O mês da contabilidade: as somas e uma linha para cada vez que o dinheiro de um pagamento se moveu. ' +
    'Um mês fecha quando termina o primeiro dia do seguinte; o que se sabe depois conta no dia em que se sabe, ' +
    'e um mês fechado não muda mais. Os totais são iguais aos de `/reports/revenue`.',
  operationId: 'getClosing',
  tags,
  querystring: ClosingQuery,
  response: { 200: ClosingReport },
}

export const reportRoutes: Routes = async (app, { db }) => {
  app.get('/reports/revenue', { config, schema: REVENUE_SCHEMA }, async ({ company, query }) => {
    const { from, to, groupBy } = query
    const range = { from, to: addDays(to, 1) }
    const { rows, total } = await buildReport(db, company.id, groupBy, range)
    const data = rows.map(({ key, label, ...sums }) => ({ key, label, ...serializeSums(sums) }))
    return { from, to, groupBy, data, total: serializeSums(total), testMode: company.testMode }
  })

  app.get('/reports/closing', { config, schema: CLOSING_SCHEMA }, async ({ company, query }) => {
    const { month, limit } = query
    const [closing, rows] = await Promise.all([
      loadClosing(db, company.id, month),
      listClosingLines(db, company.id, month, query),
    ])
    const { data, ...page } = paginateRows(rows, limit, getLinePosition)
    const { pix, credit_card } = closing.byMethod
    return {
      month,
      total: serializeSums(closing.total),
      byMethod: { pix: serializeSums(pix), credit_card: serializeSums(credit_card) },
      data: data.map(serializeLine),
      ...page,
      testMode: company.testMode,
    }
  })
}

function serializeSums<Sums extends Revenue | ClosingSums>({ count, ...cents }: Sums) {
  return { paymentsCount: count, ...cents }
}

/** The schema of the answer drops the row's other fields. */
function serializeLine(line: ClosingLine) {
  const answers = line.customFields ?? []
  const { taxId, foreignDocument } = serializeDocument(line.payerTaxId)
  return {
    ...line,
    payerTaxId: taxId,
    payerForeignDocument: foreignDocument,
    customFields: answers.map(({ key, label, value }) => ({ key, label, value })),
    institution: line.pixInstitution && serializeInstitution(line.pixInstitution),
  }
}
