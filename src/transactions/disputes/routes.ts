import { IdParams } from '../../http/fields.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { listDisputes, requireDispute } from './list.ts'
import { Dispute, DisputeFilters, serializeDispute } from './schema.ts'

const tags = ['Transactions']
const config = { resource: 'transactions' } as const

export const disputeRoutes: Routes = async (app, { db }) => {
  app.get(
    '/disputes',
    {
      config,
      schema: {
        summary: 'Listar contestações, das mais novas às mais antigas',
        description:
          'Pagamentos que o pagador contesta com um banco: um Pix (MED) ou um cartão. Enquanto uma está ' +
          'aberta, o valor dela não pode ser devolvido; as provas se mandam no provedor.',
        operationId: 'listDisputes',
        tags,
        querystring: PageQuery.extend(DisputeFilters.shape).strict(),
        response: { 200: buildPageSchema(Dispute) },
      },
    },
    async ({ company, query }) => {
      const rows = await listDisputes(db, company.id, query)
      const { data, ...rest } = paginateRows(rows, query.limit)
      return { data: data.map((row) => serializeDispute(row, company.testMode)), ...rest }
    },
  )

  app.get(
    '/disputes/:id',
    {
      config,
      schema: {
        summary: 'Consultar uma contestação',
        description: 'Como o provedor a conta até agora.',
        operationId: 'getDispute',
        tags,
        params: IdParams,
        response: { 200: Dispute },
      },
    },
    async ({ company, params }) =>
      serializeDispute(await requireDispute(db, company.id, params.id), company.testMode),
  )
}
