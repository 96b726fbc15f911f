import { IdParams } from '../../http/fields.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { requireListedTransaction } from '../list/listed.ts'
import type { PayNeeds } from '../needs.ts'
import { executeRefund } from './execute.ts'
import { listRefunds } from './request.ts'
import { NewRefund, Refund, serializeRefund } from './schema.ts'

const tags = ['Transactions']
const params = IdParams

export const refundRoutes: Routes<PayNeeds> = async (app, needs) => {
  const { db } = needs

  app.post(
    '/transactions/:id/refunds',
    {
      config: { resource: 'transactions', needsIdempotencyKey: true },
      schema: {
        summary: 'Devolver uma transação',
        description:
          'Uma devolução que o provedor ainda não fez vem como `pending`; o valor fica reservado até que ' +
          'dê certo ou falhe. Uma transação retida volta por inteiro, tenha entrado quanto for; fica ' +
          'então `canceled`. O que vários Pix trouxeram volta em outras tantas partes, que aqui são uma ' +
          'só devolução: `pending` enquanto alguma parte estiver, e no fim com o que voltou. 409 ' +
          '`invalid_transition` quando não há o que devolver; `refund_window_closed` depois de 90 dias de ' +
          'um Pix, ou 180 de um cartão de teste.',
        operationId: 'createRefund',
        tags,
        params,
        body: NewRefund.nullish(),
        response: {
          201: Refund,
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
        summary: 'Listar as devoluções de uma transação',
        description: 'Também as que falharam.',
        operationId: 'listRefunds',
        tags,
        params,
        querystring: PageQuery.strict(),
        response: { 200: buildPageSchema(Refund) },
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
