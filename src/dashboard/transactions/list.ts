// `/painel/transacoes`: a company's payments, page by page, with filters from the address. Invalid filters are ignored;
// a search is an id, a reference, or words about the payer, the amount, the title and the day.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import type { Database } from '../../database/connect.ts'
import { PAID_STATUSES, PAYMENT_METHODS, TRANSACTION_STATUSES } from '../../database/enums.ts'
import { isUuid, MIN_UUID } from '../../database/id.ts'
import { InstantPageQuery, PageQuery, paginateRows } from '../../http/pagination.ts'
import { streamPages } from '../../lists/page.ts'
import { findPaymentLink } from '../../payment-links/payment-link.ts'
import { addDays, getDayStart } from '../../reports/days.ts'
import { texts } from '../../texts.ts'
import { buildTransactionColumns } from '../../transactions/csv.ts'
import {
  createPositionReader,
  getSortInstant,
  type TransactionListFilters,
} from '../../transactions/list/filters.ts'
import {
  listSortedTransactions,
  listTransactions,
  type TransactionListQuery,
} from '../../transactions/list/list.ts'
import { sumTransactions } from '../../transactions/list/totals.ts'
import { computeNet } from '../../transactions/payout.ts'
import { TransactionFilters } from '../../transactions/schema.ts'
import { searchPayment } from '../../transactions/search.ts'
import { transactionTexts } from '../../transactions/texts.ts'
import { getDocumentFormat } from '../../users/roles.ts'
import { listTableLinks, registerTable } from '../layout/exports.ts'
import {
  readTypedFields,
  registerPage,
  type SelectOption,
  type TypedFields,
} from '../layout/form.ts'
import {
  buildDayPresets,
  buildFilterOptions,
  buildPager,
  buildSortHeads,
  buildSorts,
  countFilters,
  findPresetDays,
  formatTotal,
  isPresetPeriod,
  readFilters,
  readFirstPageParams,
  readPageQuery,
  readSortName,
  SORT_OPTIONS,
} from '../layout/list.ts'
import { parseDay } from '../layout/local-time.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { buildNewPaymentsStart } from '../layout/new-payments.ts'
import { DISPUTES_PATH, PAYMENTS_PATH } from '../layout/paths.ts'
import { parseSearch, readSearchedText } from '../layout/search-words.ts'
import { sectionTitles } from '../layout/texts.ts'
import { transactionPageTexts } from './texts.ts'
import { loadUnmatched } from './unmatched.ts'
import { toCheckedPayment, toListedPayment } from './view.ts'

export async function transactionListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs

  registerPage(
    app,
    needs,
    '/transacoes',
    ['read', 'dashboard/transactions/list'],
    loadTransactionList,
  )

  registerTable(app, '/transacoes', needs, async (request) => {
    const { wanted } = await readTransactionFilter(db, request, needs.now())
    const { query, getPosition } = readSortedQuery(request, readSortName(request), wanted)
    const readRows = (page: PageQuery) =>
      listPayments(db, request.visitor.company.id, { ...query, ...page })
    return {
      columns: buildTransactionColumns(getDocumentFormat(request.visitor.user.role)),
      rows: streamPages(readRows, getPosition),
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
  const order = readSortName(request)
  const { query, getPosition } = readSortedQuery(request, order, wanted)
  const [rows, totals] = await Promise.all([
    listPayments(db, company.id, query),
    sumTransactions(db, company.id, wanted),
  ])
  const { data, nextCursor } = paginateRows(rows, query.limit, getPosition)
  const pager = buildPager(request, nextCursor)
  const toRow = wanted.held ? toCheckedPayment : toListedPayment
  const isToCheck = wanted.held && Object.keys(wanted).length === 1 && !pager.first
  return {
    title: sectionTitles.transacoes,
    ...(includesFuturePayments(wanted, now) && {
      newPayments: buildNewPaymentsStart(request, now),
    }),
    payments: data.map((row) => ({ ...toRow(row), netCents: computeNet(row) })),
    /** Pix without a charge, with the payments to check. */
    unmatched: isToCheck ? await loadUnmatched(needs, company.id) : null,
    total: formatTotal(totals, transactionPageTexts.noun),
    sums: totals.sums,
    heads: buildSortHeads(request, order),
    order: order === 'padrao' ? '' : order,
    isNew: data.length === 0 && !filter.isFiltered && !pager.first && !pager.next,
    ...filter,
    ...TRANSACTION_FILTER_OPTIONS,
    pager,
  }
}

function listPayments(db: Database, companyId: string, { order, ...query }: SortedQuery) {
  if (order === 'padrao') return listTransactions(db, companyId, query)
  return listSortedTransactions(db, companyId, query, TRANSACTION_SORTS[order])
}

type SortName = keyof typeof TRANSACTION_SORTS
type SortedQuery = TransactionListQuery & { order: SortName }

/** All payments, by the day that people look for them on, which the list shows. */
const ALL_BY_DAY = { effectiveFrom: new Date(0).toISOString() }

/** The query of the page, and the function that returns a row's position in the list. */
function readSortedQuery(request: FastifyRequest, order: SortName, wanted: TransactionListFilters) {
  const filters = Object.keys(wanted).length > 0 ? wanted : ALL_BY_DAY
  const isByInstant = order === 'padrao' && getSortInstant(filters) !== undefined
  const page = readPageQuery(request, isByInstant ? InstantPageQuery : PageQuery)
  return {
    query: { ...page, ...filters, order },
    getPosition: createPositionReader(isByInstant ? filters : {}),
  }
}

const TRANSACTION_SORTS = buildSorts('totalCents')

const { allStatuses, allMethods } = transactionPageTexts
const TRANSACTION_FILTER_OPTIONS: Record<'statuses' | 'methods' | 'orders', SelectOption[]> = {
  statuses: buildFilterOptions(
    allStatuses,
    TRANSACTION_STATUSES.map((value) => ({ value, text: transactionTexts.statuses[value] })),
  ),
  methods: buildFilterOptions(
    allMethods,
    PAYMENT_METHODS.map((value) => ({ value, text: texts.methods[value] })),
  ),
  orders: SORT_OPTIONS,
}

/** Returns the filter, and how the page shows it. */
async function readTransactionFilter(db: Database, request: FastifyRequest, now: Date) {
  const { company } = request.visitor
  const q = readSearchedText(request.query)
  const typed: TypedFields = { ...readTypedFields(request.query), q }
  const [link, customer, search] = await Promise.all([
    typed.link ? findPaymentLink(db, company.id, typed.link) : undefined,
    typed.cliente ? findCustomer(db, company.id, typed.cliente) : undefined,
    resolveSearch(db, company.id, { text: q, now }),
  ])
  const { de, ate } = typed.de || typed.ate ? typed : findPresetDays(typed.periodo, now)
  const days = { ...(de && { de }), ...(ate && { ate }) }
  const plain = readPlainFilters(typed)
  const wanted: TransactionListFilters = {
    ...plain,
    // For a removed link nothing is listed, since an ignored filter would list all payments.
    ...readId('paymentLinkId', link?.id ?? typed.link),
    ...readId('customerId', typed.cliente),
    ...search,
    ...buildDayFilters(readDayFilters(days), {
      ...{ status: plain.status, isOfCreation: typed.dia === CREATION },
    }),
  }
  const form = toFilterForm({ ...typed, ...days }, wanted)
  return {
    wanted,
    held: plain.held === true,
    isFiltered: Object.keys(wanted).length > 0,
    typed: form,
    filterCount: countFilterForm(form, now),
    presets: buildDayPresets(form, now, (periodo) =>
      buildTransactionsUrl(request, { periodo, de: null, ate: null }),
    ),
    link: link && {
      id: link.id,
      name: link.title,
      without: buildTransactionsUrl(request, { link: null }),
    },
    customer: customer && {
      ...{ id: customer.id, name: customer.name },
      without: buildTransactionsUrl(request, { cliente: null }),
    },
    current: plain.held === true ? ('held' as const) : ('all' as const),
    tabs: {
      all: buildTransactionsUrl(request, { verificar: null }),
      held: buildTransactionsUrl(request, { verificar: 'sim' }),
      disputes: DISPUTES_PATH,
    },
    // The exact days, since the file may be downloaded on another day.
    tables: listTableLinks(PAYMENTS_PATH, changeParams(request, { periodo: null, ...days })),
  }
}

/**
 * Whether the list includes payments approved from now on. Pages only learn that a payment came in, so a list of one
 * link, for example, does not know whether the payment belongs to it.
 */
function includesFuturePayments(wanted: TransactionListFilters, now: Date) {
  const at = now.toISOString()
  const { effectiveFrom, effectiveTo, status = 'approved', search, ...others } = wanted
  const isPlain = status === 'approved' && Object.keys(others).length === 0
  const isInPeriod = ({ from = at, to = at }: Period) => from <= at && at <= to
  const isSearched = !search || (search.words.length === 0 && isInPeriod(search.day ?? {}))
  return isPlain && isSearched && isInPeriod({ from: effectiveFrom, to: effectiveTo })
}

const PlainFilters = TransactionFilters.pick({ status: true, method: true, tag: true })

function readPlainFilters(typed: TypedFields): TransactionListFilters {
  const held = typed.verificar === 'sim' ? { held: true as const } : {}
  return { ...readFilters(PlainFilters, typed), ...held }
}

function readId(name: 'paymentLinkId' | 'customerId', id: string | undefined) {
  return id !== undefined && isUuid(id) ? { [name]: id } : {}
}

/** Whole days of São Paulo. */
function readDayFilters({ de = '', ate = '' }: { de?: string; ate?: string }) {
  const [from, to] = [parseDay(de), parseDay(ate)]
  return { ...(from && { from: getDayStart(from) }), ...(to && { to: getDayEnd(to) }) }
}

/** `?dia=criacao`: the days are those of creation, not of payment. */
const CREATION = 'criacao'

type Period = { from?: string | undefined; to?: string | undefined }
type DayKind = { status: TransactionListFilters['status']; isOfCreation: boolean }

/** Filters by the day of payment or, for unpaid payments, of creation. */
function buildDayFilters(
  { from, to }: Period,
  { status = 'approved', isOfCreation }: DayKind,
): TransactionListFilters {
  const isPaid = PAID_STATUSES.includes(status) || status === 'charged_back'
  return isOfCreation || !isPaid
    ? { ...(from && { createdFrom: from }), ...(to && { createdTo: to }) }
    : { ...(from && { effectiveFrom: from }), ...(to && { effectiveTo: to }) }
}

/** The values of the form: only filters of the list. */
function toFilterForm(
  { q = '', de = '', ate = '', dia = '' }: TypedFields,
  { status, method, tag }: TransactionListFilters,
) {
  const days = { de: parseDay(de) ?? '', ate: parseDay(ate) ?? '' }
  return {
    q,
    status: status ?? '',
    method: method ?? '',
    tag: tag?.[0] ?? '',
    ...days,
    dia: dia === CREATION && (days.de || days.ate) ? CREATION : '',
  }
}

/** The days count as one filter, and not at all as a preset; the search is visible anyway. */
function countFilterForm({ q: _, de, ate, ...others }: ReturnType<typeof toFilterForm>, now: Date) {
  const period = isPresetPeriod({ de, ate }, now) ? '' : de + ate
  return countFilters({ ...others, period })
}

/** A payment found by its id or reference comes before all found by words. */
async function resolveSearch(
  db: Database,
  companyId: string,
  { text, now }: { text: string; now: Date },
): Promise<TransactionListFilters> {
  if (text === '') return {}
  const search = parseSearch(text, now)
  const named = await searchPayment(db, companyId, search?.word ?? text)
  if (named) return named
  // No payment has it.
  return search ? { search } : { id: MIN_UUID }
}

/** The same list with other parameters, from its first page; null removes a parameter. */
function buildTransactionsUrl(request: FastifyRequest, changes: Record<string, string | null>) {
  const params = changeParams(request, changes)
  return params.size > 0 ? `${PAYMENTS_PATH}?${params}` : PAYMENTS_PATH
}

function changeParams({ url }: FastifyRequest, changes: Record<string, string | null | undefined>) {
  const params = readFirstPageParams(url)
  for (const [name, value] of Object.entries(changes)) {
    if (value == null) params.delete(name)
    else params.set(name, value)
  }
  return params
}

function getDayEnd(day: string) {
  return new Date(Date.parse(getDayStart(addDays(day, 1))) - 1).toISOString()
}
