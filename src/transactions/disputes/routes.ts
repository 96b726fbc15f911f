import { z } from 'zod'
import type { Database } from '../../database/connect.ts'
import { Problem, refusals } from '../../http/errors.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { listDisputes, requireDispute } from './list.ts'
import { Dispute, DisputeFilters } from './schema.ts'
import { serializeDispute } from './serialize.ts'

const tags = ['Transactions']
const config = { resource: 'transactions' } as const

export const disputeRoutes: Routes<{ db: Database }> = async (app, { db }) => {
  app.get(
    '/disputes',
    {
      config,
      schema: {
        summary: 'List disputes, newest first',
        description:
          'Payments that their payer contests with a bank: a Pix (MED) or a card. While one is open its ' +
          'amount cannot be refunded; evidence is sent at the provider.',
        operationId: 'listDisputes',
        tags,
        querystring: PageQuery.extend(DisputeFilters.shape).strict(),
        response: { 200: buildPageSchema(Dispute), 422: Problem, ...refusals },
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
        summary: 'Retrieve a dispute',
        operationId: 'getDispute',
        tags,
        params: z.object({ id: z.string() }),
        response: { 200: Dispute, 404: Problem, ...refusals },
      },
    },
    async ({ company, params }) =>
      serializeDispute(await requireDispute(db, company.id, params.id), company.testMode),
  )
}
