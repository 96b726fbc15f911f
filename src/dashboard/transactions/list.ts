// `/painel/transacoes`: a company's payments, page by page, with filters from the address.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { PAYMENT_METHODS, TRANSACTION_STATUSES } from '../../database/enums.ts'
import { InstantPageQuery, PageQuery, paginateRows } from '../../http/pagination.ts'
import { getKeys } from '../../record.ts'
import { texts } from '../../texts.ts'
import { TRANSACTION_COLUMNS } from '../../transactions/csv.ts'
import {
  createPlaceReader,
  getSortInstant,
  type TransactionListFilters,
} from '../../transactions/list/filters.ts'
import {
  listSortedTransactions,
  listTransactions,
  streamTransactions,
  type TransactionListQuery,
} from '../../transactions/list/list.ts'
import { sumTransactions } from '../../transactions/list/totals.ts'
import { transactionTexts } from '../../transactions/texts.ts'
import { registerTable } from '../layout/exports.ts'
import type { SelectOption } from '../layout/forms/views.ts'
import { buildPager, readPageQuery } from '../layout/lists/pager.ts'
import { buildSortHeads, readSortName } from '../layout/lists/sorting.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { buildNewsStart } from '../layout/news.ts'
import { createPageRenderer } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { includesFuturePayments, readTransactionFilter } from './filter.ts'
import { transactionPageTexts } from './texts.ts'
import { formatListedNet, toCheckedRow, toPaymentRow, toTotalsView } from './view.ts'

const READ = requireRight('read')

export async function transactionListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/transacoes', READ, async (request, reply) =>
    show(request, reply, 'dashboard/transactions/list', await loadTransactionList(needs, request)),
  )

  registerTable(app, '/transacoes', needs, async (request) => {
    const { wanted } = await readTransactionFilter(db, request, needs.now())
    return {
      columns: TRANSACTION_COLUMNS,
      rows: streamTransactions(db, request.visitor.company.id, wanted),
      name: transactionTexts.tableName,
      subject: sectionTitles.transacoes,
      hasPayers: true,
    }
  })
}

export async function loadTransactionList(needs: DashboardNeeds, request: FastifyRequest) {
  const { db } = needs
  const { company } = request.visitor
  const now = needs.now()
  const { wanted, ...filter } = await readTransactionFilter(db, request, now)
  const order = readSortName(request, TRANSACTION_SORTS)
  const { query, getPlace } = readSortedQuery(request, order, wanted)
  const [rows, totals] = await Promise.all([
    listPayments(db, company.id, query),
    sumTransactions(db, company.id, wanted),
  ])
  const { data, nextCursor } = paginateRows(rows, query.limit, getPlace)
  const pager = buildPager(request, nextCursor)
  const toRow = wanted.held ? toCheckedRow : toPaymentRow
  return {
    title: sectionTitles.transacoes,
    section: 'transacoes' as const,
    ...(includesFuturePayments(wanted, now) && { news: buildNewsStart(request, now) }),
    payments: data.map((row) => ({ ...toRow(row, now), net: formatListedNet(row) })),
    totals: data.length > 0 ? toTotalsView(totals) : null,
    heads: buildSortHeads(request, TRANSACTION_SORTS, order),
    order: order === 'padrao' ? '' : order,
    isNew: data.length === 0 && !filter.isFiltered && !pager.first && !pager.next,
    ...filter,
    ...TRANSACTION_FILTER_OPTIONS,
    pager,
  }
}

function listPayments(db: Database, companyId: string, { order, ...query }: SortedQuery) {
  if (order === 'padrao') return listTransactions(db, companyId, query)
  const { column: by, isDescending } = TRANSACTION_SORTS[order]
  return listSortedTransactions(db, companyId, query, { by, isDescending })
}

type SortName = keyof typeof TRANSACTION_SORTS
type SortedQuery = TransactionListQuery & { order: SortName }

/** All payments, by the day that people look for them on, which the list shows. */
const ALL_BY_DAY = { effectiveFrom: new Date(0).toISOString() }

/** The query of the page, and the function that returns a row's place in the list. */
function readSortedQuery(request: FastifyRequest, order: SortName, wanted: TransactionListFilters) {
  const filters = Object.keys(wanted).length > 0 ? wanted : ALL_BY_DAY
  const isByInstant = order === 'padrao' && getSortInstant(filters) !== undefined
  const place = readPageQuery(request, isByInstant ? InstantPageQuery : PageQuery)
  return {
    query: { ...place, ...filters, order },
    getPlace: createPlaceReader(isByInstant ? filters : {}),
  }
}

const TRANSACTION_SORTS = {
  padrao: { column: 'createdAt', isDescending: true },
  antigos: { column: 'createdAt', isDescending: false },
  'maior-valor': { column: 'totalCents', isDescending: true },
  'menor-valor': { column: 'totalCents', isDescending: false },
} as const

const { allStatuses, allMethods, orders } = transactionPageTexts
const TRANSACTION_FILTER_OPTIONS: Record<'statuses' | 'methods' | 'orders', SelectOption[]> = {
  statuses: [
    { value: '', text: allStatuses },
    ...TRANSACTION_STATUSES.map((value) => ({ value, text: transactionTexts.statuses[value] })),
  ],
  methods: [
    { value: '', text: allMethods },
    ...PAYMENT_METHODS.map((value) => ({ value, text: texts.methods[value] })),
  ],
  orders: getKeys(TRANSACTION_SORTS).map((name) => ({
    value: name === 'padrao' ? '' : name,
    text: orders[name],
  })),
}
