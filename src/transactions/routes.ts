import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { CSV_DESCRIPTION, prefersCsv, sendCsv } from '../http/csv.ts'
import { Problem, refusals } from '../http/errors.ts'
import { IdParams } from '../http/fields.ts'
import { buildPageSchema, InstantPageQuery, PageQuery, paginateRows } from '../http/pagination.ts'
import type { Routes } from '../http/zod.ts'
import { LinkParams } from '../payment-links/field-notes.ts'
import { requirePaymentLink, resolveLinkId } from '../payment-links/payment-link.ts'
import { TRANSACTION_COLUMNS } from './csv.ts'
import { listPaymentDisputes } from './disputes/list.ts'
import { serializeDispute } from './disputes/serialize.ts'
import { listIncomingPayments } from './incoming/incoming-payment.ts'
import { serializeIncomingPayment } from './incoming/serialize.ts'
import { createPlaceReader, listTransactions, streamTransactions } from './list.ts'
import { type ListedTransaction, requireListedTransaction } from './listing/listed.ts'
import { listRefunds } from './refunds/order.ts'
import { TransactionWithRefunds } from './refunds/schema.ts'
import { serializeRefund } from './refunds/serialize.ts'
import { TransactionFilters, TransactionResource } from './schema.ts'
import { serializeTransaction } from './serialize.ts'

type TransactionRouteNeeds = { db: Database; checkoutUrl: string }

const tags = ['Transactions']
const config = { resource: 'transactions' } as const

const CSV_FILE_NAME = 'transacoes.csv'
const TransactionListQuery = InstantPageQuery.extend(TransactionFilters.shape).strict()
/** Those that a transaction itself shows: `limit` and one, from the newest on. */
const EMBEDDED_REFUNDS_QUERY = { limit: 99, cursor: PageQuery.parse({}).cursor }

const EXPORT_TRANSACTIONS_SCHEMA = {
  summary: 'Baixar transações em CSV',
  description: CSV_DESCRIPTION,
  operationId: 'exportTransactions',
  tags,
  querystring: TransactionFilters,
  response: {
    200: { description: 'Uma planilha', content: { 'text/csv': { schema: z.string() } } },
    422: Problem,
    ...refusals,
  },
}

export const transactionRoutes: Routes<TransactionRouteNeeds> = async (
  app,
  { db, checkoutUrl },
) => {
  app.get(
    '/transactions',
    {
      config,
      schema: {
        summary: 'Listar transações',
        description: 'Todas numa planilha: `/api/transactions.csv`.',
        operationId: 'listTransactions',
        tags,
        querystring: TransactionListQuery,
        response: { 200: buildPageSchema(TransactionResource), 422: Problem, ...refusals },
      },
    },
    async (request, reply) => {
      reply.header('vary', 'accept')
      const { id } = request.company
      const query = await resolveLink(db, id, request.query)
      return prefersCsv(request) ? sendTransactionsCsv(reply, id, query) : loadPage(id, query)
    },
  )

  app.get(
    '/transactions.csv',
    { config, schema: EXPORT_TRANSACTIONS_SCHEMA },
    async ({ company, query }, reply) =>
      sendTransactionsCsv(reply, company.id, await resolveLink(db, company.id, query)),
  )

  app.get(
    '/payment-links/:idOrSlug/transactions',
    {
      config,
      schema: {
        summary: 'Listar as transações de um link',
        operationId: 'listPaymentLinkTransactions',
        tags,
        params: LinkParams,
        querystring: TransactionListQuery.omit({ paymentLinkId: true }),
        response: {
          200: buildPageSchema(TransactionResource),
          404: Problem,
          422: Problem,
          ...refusals,
        },
      },
    },
    async (request) => {
      const link = await requirePaymentLink(db, request.company.id, request.params.idOrSlug)
      return loadPage(request.company.id, { ...request.query, paymentLinkId: link.id })
    },
  )

  app.get(
    '/transactions/:id',
    {
      config,
      schema: {
        summary:
          'Consultar uma transação, com as devoluções, as contestações e cada Pix que entrou',
        operationId: 'getTransaction',
        tags,
        params: IdParams,
        response: { 200: TransactionWithRefunds, 404: Problem, ...refusals },
      },
    },
    async (request) => {
      const row = await requireListedTransaction(db, request.company.id, request.params.id)
      return { ...serializeListed(row), ...(await loadTransactionParts(db, row)) }
    },
  )

  async function loadPage(companyId: string, query: z.output<typeof TransactionListQuery>) {
    const { rows, resumeBelow } = await listTransactions(db, companyId, query)
    const getPlace = createPlaceReader(query)
    const { data, ...rest } = paginateRows(rows, query.limit, resumeBelow, getPlace)
    return { data: data.map(serializeListed), ...rest }
  }

  function sendTransactionsCsv(reply: FastifyReply, companyId: string, query: TransactionFilters) {
    const rows = streamTransactions(db, companyId, query)
    return sendCsv(reply, TRANSACTION_COLUMNS, rows, { companyId, name: CSV_FILE_NAME })
  }

  function serializeListed(row: ListedTransaction) {
    return serializeTransaction(row, row.linkSlug, checkoutUrl)
  }
}

/** A link may be named by its slug. */
async function resolveLink<Query extends TransactionFilters>(
  db: Database,
  companyId: string,
  query: Query,
) {
  const { paymentLinkId: name } = query
  if (name === undefined) return query
  return { ...query, paymentLinkId: await resolveLinkId(db, companyId, name) }
}

/** What the answer of one transaction holds besides: what came in, and what went back. */
async function loadTransactionParts(db: Database, { id, testMode }: ListedTransaction) {
  const [incoming, refunds, disputes] = await Promise.all([
    listIncomingPayments(db, id),
    listRefunds(db, id, EMBEDDED_REFUNDS_QUERY),
    listPaymentDisputes(db, id),
  ])
  return {
    incomingPayments: incoming.map(serializeIncomingPayment),
    refunds: refunds.map((row) => serializeRefund(row, testMode)),
    disputes: disputes.map((row) => serializeDispute(row, testMode)),
  }
}
