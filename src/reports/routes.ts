import type { Database } from '../database/connect.ts'
import type { Routes } from '../http/zod.ts'
import { addDays } from './days.ts'
import { buildReport } from './reports.ts'
import type { Revenue } from './revenue.ts'
import { RevenueQuery, RevenueReport } from './schema.ts'

const REVENUE_SCHEMA = {
  summary: 'Somar o que entrou por dia, semana, mês, forma de pagamento, etiqueta ou link',
  description:
    'Os números do painel: cada pagamento uma vez, no dia em São Paulo em que foi aprovado, o que quer que tenha sido dele depois.',
  operationId: 'getRevenueReport',
  tags: ['Reports'],
  querystring: RevenueQuery,
  response: { 200: RevenueReport },
}

export const reportRoutes: Routes<{ db: Database }> = async (app, { db }) => {
  app.get(
    '/reports/revenue',
    // They are sums of transactions, and whoever may read these may add them up.
    { config: { resource: 'transactions' }, schema: REVENUE_SCHEMA },
    async ({ company, query: { from, to, groupBy } }) => {
      const range = { from, to: addDays(to, 1) }
      const { rows, total } = await buildReport(db, company.id, groupBy, range)
      const data = rows.map(({ key, label, ...sums }) => ({ key, label, ...serializeSums(sums) }))
      return { from, to, groupBy, data, total: serializeSums(total), testMode: company.testMode }
    },
  )
}

function serializeSums({ count, ...cents }: Revenue) {
  return { paymentsCount: count, ...cents }
}
