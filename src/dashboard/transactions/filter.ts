// Reads the filters of the list of payments from its address. Invalid filters are ignored; a search is an id, a
// reference, or words about the payer, the amount, the title and the day.

import type { FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import type { Database } from '../../database/connect.ts'
import { PAID_STATUSES } from '../../database/enums.ts'
import { isUuid, MIN_UUID } from '../../database/id.ts'
import { findPaymentLink } from '../../payment-links/payment-link.ts'
import { addDays, getDayStart } from '../../reports/days.ts'
import type { TransactionListFilters } from '../../transactions/list/filters.ts'
import { TransactionFilters } from '../../transactions/schema.ts'
import { searchPayment } from '../../transactions/search.ts'
import { listTableLinks } from '../layout/exports.ts'
import { readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { parseDay } from '../layout/forms/local-time.ts'
import { buildDayPresets, countFilters, isPresetPeriod } from '../layout/lists/filters.ts'
import { readFirstPageParams } from '../layout/lists/pager.ts'
import { parseSearch, readSearchedText } from '../layout/lists/search-words.ts'
import { DISPUTES_PATH, PAYMENTS_PATH, UNMATCHED_PATH } from '../layout/paths.ts'

/** Returns the filter, and how the page shows it. */
export async function readTransactionFilter(db: Database, request: FastifyRequest, now: Date) {
  const { company } = request.visitor
  const q = readSearchedText(request.query)
  const typed: TypedFields = { ...readTypedFields(request.query), q }
  const [link, customer, search] = await Promise.all([
    typed.link ? findPaymentLink(db, company.id, typed.link) : undefined,
    typed.cliente ? findCustomer(db, company.id, typed.cliente) : undefined,
    resolveSearch(db, company.id, { text: q, now }),
  ])
  const plain = readPlainFilters(typed)
  const wanted: TransactionListFilters = {
    ...plain,
    // For a removed link nothing is listed, since an ignored filter would list all payments.
    ...readId('paymentLinkId', link?.id ?? typed.link),
    ...readId('customerId', typed.cliente),
    ...search,
    ...buildDayFilters(readDayFilters(typed), {
      ...{ status: plain.status, isOfCreation: typed.dia === CREATION },
    }),
  }
  const form = toFilterForm(typed, wanted)
  const periodo = typed.periodo ?? null
  return {
    wanted,
    held: plain.held === true,
    isFiltered: Object.keys(wanted).length > 0,
    typed: form,
    filterCount: countFilterForm(form, now),
    periodo,
    presets: buildDayPresets({ ...form, periodo }, now, (days) =>
      buildTransactionsUrl(request, days),
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
      unmatched: UNMATCHED_PATH,
      disputes: DISPUTES_PATH,
    },
    tables: listTableLinks(PAYMENTS_PATH, readFirstPageParams(request.url)),
  }
}

/**
 * Whether the list includes payments approved from now on. Pages only learn that a payment came in, so a list of one
 * link, for example, does not know whether the payment belongs to it.
 */
export function includesFuturePayments(wanted: TransactionListFilters, now: Date) {
  const at = now.toISOString()
  const { effectiveFrom, effectiveTo, status = 'approved', search, ...others } = wanted
  const isPlain = status === 'approved' && Object.keys(others).length === 0
  const isInPeriod = ({ from = at, to = at }: Period) => from <= at && at <= to
  const isSearched = !search || (search.words.length === 0 && isInPeriod(search.day ?? {}))
  return isPlain && isSearched && isInPeriod({ from: effectiveFrom, to: effectiveTo })
}

const PLAIN_FILTER_NAMES = ['status', 'method', 'tag'] as const

function readPlainFilters(typed: TypedFields): TransactionListFilters {
  const read = PLAIN_FILTER_NAMES.flatMap((name) => {
    const { data } = TransactionFilters.shape[name].safeParse(typed[name] || undefined)
    return data === undefined ? [] : [[name, data]]
  })
  const held = typed.verificar === 'sim' ? { held: true as const } : {}
  return { ...Object.fromEntries(read), ...held }
}

function readId(name: 'paymentLinkId' | 'customerId', id: string | undefined) {
  return id !== undefined && isUuid(id) ? { [name]: id } : {}
}

/** Whole days of São Paulo. */
function readDayFilters({ de = '', ate = '' }: TypedFields) {
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
function buildTransactionsUrl({ url }: FastifyRequest, changes: Record<string, string | null>) {
  const params = readFirstPageParams(url)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name)
    else params.set(name, value)
  }
  return params.size > 0 ? `${PAYMENTS_PATH}?${params}` : PAYMENTS_PATH
}

function getDayEnd(day: string) {
  return new Date(Date.parse(getDayStart(addDays(day, 1))) - 1).toISOString()
}
