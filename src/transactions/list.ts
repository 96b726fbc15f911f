// A company's transactions: one, a page, or all of them in their order. The filter that leads has an index
// in that order (scan-window.ts), and what the others leave is looked for in a bounded scan of it: a page
// costs the same however many there are, though it may be short and still say where to go on.

import type { Database } from '../database/connect.ts'
import {
  and,
  desc,
  eq,
  gte,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  orm,
  sql,
} from '../database/drizzle.ts'
import { type ScannedPage, streamPages } from '../database/page-stream.ts'
import { incomingPayments, transactions } from '../database/tables.ts'
import { buildPlace } from '../http/pagination.ts'
import { getKeys } from '../record.ts'
import { HAS_SURPLUS_LEFT } from '../reports/surplus.ts'
import { selectMatchIds } from '../search/indexed.ts'
import { findMatches } from '../search/match.ts'
import { toMatchQuery } from './listing/found-ids.ts'
import { type ListedTransaction, readListedTransactions } from './listing/listed.ts'
import {
  buildEffectiveAt,
  buildScanOrder,
  buildScanWindow,
  findScanEnd,
  getLeadInstant,
  getLeadSearch,
  getLeadTag,
  LEAD_FILTERS,
  type TransactionListFilters,
  type TransactionListQuery,
  type TransactionScanWindow,
} from './scan-window.ts'

/** Transactions that are looked through for each one that is asked for. */
const SCAN_ROWS_PER_RESULT = 20
const TRANSACTION_BATCH_SIZE = 250

/**
 * From below `cursor`: the latest approved, or the latest changed, where those are what is asked for, and
 * else the newest first. `matched`: all that have the words, where they were looked for already.
 */
export async function listTransactions(
  db: Database,
  companyId: string,
  { limit, cursor: below, matched: known, ...filters }: TransactionListQuery,
): Promise<ScannedPage<ListedTransaction>> {
  const isExact = isLedAlone(filters)
  const count = isExact ? limit + 1 : limit * SCAN_ROWS_PER_RESULT
  const search = getLeadSearch(filters)
  const range = { ...filters, companyId, below }
  const matched = search && (known ?? (await findMatches(db, toMatchQuery(range, search, count))))
  const wanted = { ...range, matched }
  const scanned = buildScanWindow(db, wanted, count)
  const page = db
    .select({ id: scanned.id })
    .from(scanned)
    .where(and(...buildTransactionConditions(wanted, scanned)))
    .orderBy(...buildScanOrder(wanted, scanned))
    .limit(limit + 1)
  const rows = await readListedTransactions(db, page)
  if (isExact || rows.length > limit) return { rows, resumeBelow: null }

  const last = await findScanEnd(db, wanted, count)
  return { rows, resumeBelow: last ? createPlaceReader(filters)(last) : null }
}

type Placed = {
  id: string
  approvedAt: string | null
  updatedAt: string | null
  createdAt: string | null
}

/** Where in the list by these filters a transaction stands. */
export function createPlaceReader(filters: TransactionListFilters) {
  const instant = getLeadInstant(filters)
  return (row: Placed) => {
    const effectiveAt = row.approvedAt ?? row.createdAt
    return buildPlace(instant ? { ...row, effectiveAt }[instant] : null, row.id)
  }
}

/** All of them, in the order of their list. */
export function streamTransactions(
  db: Database,
  companyId: string,
  filters: TransactionListFilters,
): AsyncGenerator<ListedTransaction[]> {
  return streamPages(
    (place) => listTransactions(db, companyId, { ...filters, ...place }),
    TRANSACTION_BATCH_SIZE,
    createPlaceReader(filters),
  )
}

/** The last that were paid; attempts are not among them. */
export async function listLatestPayments(db: Database, companyId: string, limit: number) {
  const page = db
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), isNotNull(transactions.approvedAt)))
    .orderBy(desc(transactions.approvedAt), desc(transactions.id))
    .limit(limit)
  return readListedTransactions(db, page)
}

/** Whether what leads is all that is asked for: nothing is then left to be looked at row by row. */
function isLedAlone(filters: TransactionListFilters) {
  const given = getKeys(filters).filter((key) => filters[key] !== undefined)
  const leads: readonly string[] = [...LEAD_FILTERS, 'search', 'effectiveFrom']
  return given.length === 0 || (given.length === 1 && given.every((key) => leads.includes(key)))
}

const PERIOD_FILTERS = [
  ['from', 'createdAt', gte],
  ['to', 'createdAt', lte],
  ['createdFrom', 'createdAt', gte],
  ['createdTo', 'createdAt', lte],
  ['approvedFrom', 'approvedAt', gte],
  ['approvedTo', 'approvedAt', lte],
  ['updatedFrom', 'updatedAt', gte],
  ['updatedTo', 'updatedAt', lte],
] as const

/** What a transaction of a scan must still be. */
export function buildTransactionConditions(
  { companyId, ...filters }: TransactionListFilters & { companyId: string },
  scanned: TransactionScanWindow,
) {
  const { held, metadata, search, tag: tags = [] } = filters
  const tagsLeft = tags.filter((tag) => tag !== getLeadTag(filters))
  const equal = LEAD_FILTERS.filter((key) => filters[key] !== undefined)
  return [
    ...equal.map((key) => sql`${scanned[key]} = ${filters[key]}`),
    ...PERIOD_FILTERS.map(([key, column, compare]) => {
      const instant = filters[key]
      return instant === undefined ? undefined : compare(scanned[column], instant)
    }),
    filters.effectiveFrom ? gte(buildEffectiveAt(scanned), filters.effectiveFrom) : undefined,
    filters.effectiveTo ? lte(buildEffectiveAt(scanned), filters.effectiveTo) : undefined,
    metadata === undefined
      ? undefined
      : sql`${scanned.metadata} @> ${JSON.stringify(metadata)}::jsonb`,
    tagsLeft.length > 0 ? orm.arrayContains(scanned.tags, tagsLeft) : undefined,
    search && !getLeadSearch(filters)
      ? sql`${scanned.id} in (${selectMatchIds({ companyId, kind: 'payment', words: search })})`
      : undefined,
    held ? or(buildHeldCondition(scanned), buildOverpaidCondition(scanned)) : undefined,
  ]
}

function buildHeldCondition({ holdReason, approvedAt, status }: TransactionScanWindow) {
  return and(isNotNull(holdReason), isNull(approvedAt), ne(status, 'canceled'))
}

function buildOverpaidCondition({ id, approvedAt }: TransactionScanWindow) {
  return and(
    isNotNull(approvedAt),
    sql`exists (select from ${incomingPayments}
      where transaction_id = ${id} and ${HAS_SURPLUS_LEFT})`,
  )
}
