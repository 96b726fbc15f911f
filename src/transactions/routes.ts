import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { prefersCsv, sendCsv } from '../http/csv.ts'
import { notFound, Problem, refusals } from '../http/errors.ts'
import { PageQuery, page, pageOf } from '../http/pagination.ts'
import type { Routes } from '../http/zod.ts'
import { findPaymentLink } from '../payment-links/payment-link.ts'
import { texts } from '../texts.ts'
import { TRANSACTION_COLUMNS } from './csv.ts'
import { everyTransaction, findListed, type Listed, listTransactions } from './list.ts'
import { listRefunds } from './refunds/refund.ts'
import { Transaction, TransactionFilters, TransactionWithRefunds } from './schema.ts'
import { refundToWire, toWire } from './serialize.ts'
import { transactionTexts } from './texts.ts'

type Needs = { db: Database; checkoutUrl: string }

const tags = ['Transactions']
const config = { resource: 'transactions' } as const

const CSV_NAME = 'transacoes.csv'
const Query = PageQuery.extend(TransactionFilters.shape).strict()
/** Those that a transaction itself shows: `limit` and one, from the newest on. */
const SHOWN_REFUNDS = { limit: 99, cursor: PageQuery.parse({}).cursor }

const EXPORT = {
  summary: 'Download transactions as a table, newest first',
  description:
    'UTF-8 with a byte order mark, semicolons, decimal commas, the time of São Paulo: ' +
    'a double click opens it in Excel in Brazil.',
  operationId: 'exportTransactions',
  tags,
  querystring: TransactionFilters,
  response: {
    200: { description: 'A table', content: { 'text/csv': { schema: z.string() } } },
    422: Problem,
    ...refusals,
  },
}

export const transactionRoutes: Routes<Needs> = async (app, { db, checkoutUrl }) => {
  app.get(
    '/transactions',
    {
      config,
      schema: {
        summary: 'List transactions, newest first',
        description: 'With `Accept: text/csv`, all of them as one table instead of a page.',
        operationId: 'listTransactions',
        tags,
        querystring: Query,
        response: { 200: pageOf(Transaction), 422: Problem, ...refusals },
      },
    },
    async (request, reply) => {
      reply.header('vary', 'accept')
      if (prefersCsv(request)) return csvFor(reply, request.company.id, request.query)
      return pageFor(request.company.id, request.query)
    },
  )

  app.get('/transactions.csv', { config, schema: EXPORT }, async ({ company, query }, reply) =>
    csvFor(reply, company.id, query),
  )

  app.get(
    '/payment-links/:idOrSlug/transactions',
    {
      config,
      schema: {
        summary: 'List the transactions of a payment link, newest first',
        operationId: 'listPaymentLinkTransactions',
        tags,
        params: z.object({ idOrSlug: z.string() }),
        querystring: Query.omit({ paymentLinkId: true }),
        response: { 200: pageOf(Transaction), 404: Problem, 422: Problem, ...refusals },
      },
    },
    async (request) => {
      const link = await findPaymentLink(db, request.company.id, request.params.idOrSlug)
      if (!link) throw notFound(texts.linkNotFound)
      return pageFor(request.company.id, { ...request.query, paymentLinkId: link.id })
    },
  )

  app.get(
    '/transactions/:id',
    {
      config,
      schema: {
        summary: 'Retrieve a transaction with its refunds',
        operationId: 'getTransaction',
        tags,
        params: z.object({ id: z.string() }),
        response: { 200: TransactionWithRefunds, 404: Problem, ...refusals },
      },
    },
    async (request) => {
      const row = await findListed(db, request.company.id, request.params.id)
      if (!row) throw notFound(transactionTexts.notFound)
      const refunds = await listRefunds(db, row.id, SHOWN_REFUNDS)
      return { ...wireOf(row), refunds: refunds.map(refundToWire) }
    },
  )

  async function pageFor(companyId: string, query: z.output<typeof Query>) {
    const { rows, resumeBelow } = await listTransactions(db, companyId, query)
    const { data, ...rest } = page(rows, query.limit, resumeBelow)
    return { data: data.map(wireOf), ...rest }
  }

  function csvFor(reply: FastifyReply, companyId: string, query: TransactionFilters) {
    const rows = everyTransaction(db, companyId, query)
    return sendCsv(reply, TRANSACTION_COLUMNS, rows, CSV_NAME)
  }

  function wireOf(row: Listed) {
    return toWire(row, row.linkSlug, checkoutUrl)
  }
}
