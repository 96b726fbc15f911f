import { z } from 'zod'
import { bodyRefusals, Problem, refusals } from '../../http/errors.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { requireListedTransaction } from '../list.ts'
import type { PayNeeds } from '../needs.ts'
import { executeRefund } from './execute.ts'
import { listRefunds } from './order.ts'
import { NewRefund, Refund } from './schema.ts'
import { serializeRefund } from './serialize.ts'

const tags = ['Transactions']
const params = z.object({ id: z.string() })

export const refundRoutes: Routes<PayNeeds> = async (app, needs) => {
  const { db } = needs

  app.post(
    '/transactions/:id/refunds',
    {
      config: { resource: 'transactions', needsIdempotencyKey: true },
      schema: {
        summary: 'Refund a transaction, wholly or in part',
        description:
          'A refund that the provider has not yet carried out is answered as `pending`; ' +
          'its amount is spoken for until it has succeeded or failed. A transaction that is held goes ' +
          'back whole, whatever came in; it is `canceled` then. What several Pix brought goes back in ' +
          'as many parts that are one refund here: `pending` while any part is, and with what went back ' +
          'in the end.',
        operationId: 'createRefund',
        tags,
        params,
        body: NewRefund,
        response: {
          201: Refund,
          404: Problem,
          409: Problem,
          ...bodyRefusals,
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { id: transactionId } = await requireListedTransaction(
        db,
        request.company.id,
        request.params.id,
      )
      const refund = await executeRefund(needs, {
        ...request.body,
        id: request.resourceId,
        companyId: request.company.id,
        transactionId,
      })
      reply.code(201)
      return serializeRefund(refund, request.company.testMode)
    },
  )

  app.get(
    '/transactions/:id/refunds',
    {
      config: { resource: 'transactions' },
      schema: {
        summary: 'List the refunds of a transaction, newest first',
        operationId: 'listRefunds',
        tags,
        params,
        querystring: PageQuery.strict(),
        response: { 200: buildPageSchema(Refund), 404: Problem, 422: Problem, ...refusals },
      },
    },
    async (request) => {
      const { id: transactionId } = await requireListedTransaction(
        db,
        request.company.id,
        request.params.id,
      )
      const rows = await listRefunds(db, transactionId, request.query)
      const { data, ...rest } = paginateRows(rows, request.query.limit)
      return { data: data.map((row) => serializeRefund(row, request.company.testMode)), ...rest }
    },
  )
}
