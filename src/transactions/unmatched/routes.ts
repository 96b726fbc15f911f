import { IdParams } from '../../http/fields.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { requireListedTransaction } from '../list/listed.ts'
import type { PayNeeds } from '../needs.ts'
import { TransactionResource } from '../schema.ts'
import { serializeTransaction } from '../serialize.ts'
import { matchPayment, refundUnmatched } from './end.ts'
import { MatchBody, serializeUnmatched, UnmatchedPayment, UnmatchedQuery } from './schema.ts'
import { listUnmatched, requireUnmatched } from './unmatched-payment.ts'

const tags = ['Transactions']
const config = { resource: 'transactions' } as const

export const unmatchedRoutes: Routes<PayNeeds> = async (app, { db }) => {
  app.get(
    '/incoming-payments',
    {
      config,
      schema: {
        summary: 'Listar os Pix que entraram sem cobrança, dos mais novos aos mais antigos',
        description:
          'O banco do pagador perdeu o txid, ou alguém pagou a chave à mão. Cada um espera até ser casado com um ' +
          'pagamento ou devolvido; não conta em nenhum total antes disso.',
        operationId: 'listUnmatchedPayments',
        tags,
        querystring: PageQuery.extend(UnmatchedQuery.shape).strict(),
        response: { 200: buildPageSchema(UnmatchedPayment) },
      },
    },
    async ({ company, query }) => {
      const rows = await listUnmatched(db, company.id, query)
      const { data, ...rest } = paginateRows(rows, query.limit)
      return { data: data.map((row) => serializeUnmatched(row, company.testMode)), ...rest }
    },
  )

  app.get(
    '/incoming-payments/:id',
    {
      config,
      schema: {
        summary: 'Consultar um Pix que entrou sem cobrança',
        description: 'Como está agora, também depois de casado ou devolvido.',
        operationId: 'getUnmatchedPayment',
        tags,
        params: IdParams,
        response: { 200: UnmatchedPayment },
      },
    },
    async ({ company, params }) =>
      serializeUnmatched(await requireUnmatched(db, company.id, params.id), company.testMode),
  )
}

/** The actions that end one. */
export const unmatchedActionRoutes: Routes<PayNeeds> = async (app, needs) => {
  const { db, checkoutUrl } = needs

  app.post(
    '/incoming-payments/:id/match',
    {
      config,
      schema: {
        summary: 'Casar um Pix sem cobrança com um pagamento',
        description:
          'Conta então como se tivesse entrado por ele: a transação é aprovada, ou retida quando o valor é outro. 409 ' +
          '`invalid_transition` quando o Pix já teve um fim ou o pagamento não está em aberto, expirado nem cancelado.',
        operationId: 'matchIncomingPayment',
        tags,
        params: IdParams,
        body: MatchBody,
        response: { 200: TransactionResource },
      },
    },
    async ({ company, params, body }) => {
      const unmatched = await requireUnmatched(db, company.id, params.id)
      const payment = await requireListedTransaction(db, company.id, body.transactionId)
      await matchPayment(needs, unmatched, payment)
      const row = await requireListedTransaction(db, company.id, payment.id)
      return serializeTransaction(row, row.linkSlug, checkoutUrl)
    },
  )

  app.post(
    '/incoming-payments/:id/refund',
    {
      config,
      schema: {
        summary: 'Devolver um Pix sem cobrança',
        description:
          'Volta o que ainda não voltou. `returning` enquanto o banco não o confirma; pedir de novo não devolve duas vezes. 409 ' +
          '`invalid_transition` quando já teve um fim ou o banco recusa.',
        operationId: 'refundIncomingPayment',
        tags,
        params: IdParams,
        response: { 200: UnmatchedPayment },
      },
    },
    async ({ company, params }) => {
      const unmatched = await requireUnmatched(db, company.id, params.id)
      return serializeUnmatched(await refundUnmatched(needs, unmatched), company.testMode)
    },
  )
}
