import type { Database } from '../database/connect.ts'
import { maskTaxId } from '../format.ts'
import { IdParams } from '../http/fields.ts'
import { buildPageSchema, InstantPageQuery, PageQuery, paginateRows } from '../http/pagination.ts'
import { CSV_DESCRIPTION, CsvFile, sendTable } from '../http/tables/send.ts'
import type { Routes } from '../http/zod.ts'
import { resolveLinkId } from '../payment-links/payment-link.ts'
import { acceptPayment } from './accept.ts'
import { buildTransactionColumns } from './csv.ts'
import { listPaymentDisputes } from './disputes/list.ts'
import { serializeDispute } from './disputes/schema.ts'
import { listIncomingPayments } from './incoming/incoming-payment.ts'
import { serializeIncomingPayment } from './incoming/schema.ts'
import { createPositionReader } from './list/filters.ts'
import { listTransactions, streamTransactions } from './list/list.ts'
import { type ListedTransaction, requireListedTransaction } from './list/listed.ts'
import type { PayNeeds } from './needs.ts'
import { listRefunds } from './refunds/request.ts'
import { serializeRefund, TransactionWithRefunds } from './refunds/schema.ts'
import { NewAcceptance, TransactionFilters, TransactionResource } from './schema.ts'
import { serializeTransaction } from './serialize.ts'
import { transactionTexts } from './texts.ts'

const tags = ['Transactions']
const config = { resource: 'transactions' } as const

const TransactionListQuery = InstantPageQuery.extend(TransactionFilters.shape).strict()
/** The refunds in the answer of a transaction: the newest 100. */
const EMBEDDED_REFUNDS_QUERY = { limit: 99, cursor: PageQuery.parse({}).cursor }

const EXPORT_TRANSACTIONS_SCHEMA = {
  summary: 'Baixar transações em CSV',
  description: CSV_DESCRIPTION,
  operationId: 'exportTransactions',
  tags,
  querystring: TransactionFilters,
  response: { 200: CsvFile },
}

export const transactionRoutes: Routes<PayNeeds> = async (app, needs) => {
  const { db, checkoutUrl } = needs

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
        response: { 200: buildPageSchema(TransactionResource) },
      },
    },
    async (request) => {
      const { id } = request.company
      const query = await resolveLink(db, id, request.query)
      const rows = await listTransactions(db, id, query)
      const { data, ...rest } = paginateRows(rows, query.limit, createPositionReader(query))
      return { data: data.map(serializeListed), ...rest }
    },
  )

  app.get(
    '/transactions.csv',
    { config, schema: EXPORT_TRANSACTIONS_SCHEMA },
    async ({ company, query }, reply) => {
      const filters = await resolveLink(db, company.id, query)
      const rows = streamTransactions(db, company.id, filters)
      return sendTable(reply, buildTransactionColumns(maskTaxId), rows, {
        companyId: company.id,
        name: transactionTexts.tableName,
        format: 'csv',
      })
    },
  )

  app.get(
    '/transactions/:id',
    {
      config,
      schema: {
        summary:
          'Consultar uma transação, com as devoluções, as contestações e cada Pix que entrou',
        description: 'Como está agora, com o que foi devolvido.',
        operationId: 'getTransaction',
        tags,
        params: IdParams,
        response: { 200: TransactionWithRefunds },
      },
    },
    async (request) => {
      const row = await requireListedTransaction(db, request.company.id, request.params.id)
      return { ...serializeListed(row), ...(await loadTransactionParts(db, row)) }
    },
  )

  app.post(
    '/transactions/:id/accept',
    {
      config,
      schema: {
        summary: 'Aceitar o que entrou de uma transação retida',
        description:
          'A transação retida é aprovada com o que entrou: `amountCents` e `totalCents` passam a ser esse valor, e ' +
          '`transaction.approved` o diz. O que ainda entrar pelo mesmo código é um valor a mais. Onde não se leu quanto ' +
          'entrou (`unreadable`), `amountCents` o diz, e 0 encerra a transação. 409 ' +
          '`invalid_transition` quando não há o que aceitar, também enquanto parte disso volta ou é contestada.',
        operationId: 'acceptTransaction',
        tags,
        params: IdParams,
        body: NewAcceptance.nullish(),
        response: { 200: TransactionResource },
      },
    },
    async (request) => {
      const row = await requireListedTransaction(db, request.company.id, request.params.id)
      await acceptPayment(needs, row, request.body ?? {})
      return serializeListed(await requireListedTransaction(db, request.company.id, row.id))
    },
  )

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

/** Loads the other parts of a transaction's answer: received Pix, refunds and disputes. */
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
