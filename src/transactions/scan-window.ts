// The next so many transactions of the filter that leads, from an index in the order of the list.

import type { Database } from '../database/connect.ts'
import {
  type AnyPgColumn,
  and,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  lte,
  sql,
} from '../database/drizzle.ts'
import { transactions } from '../database/tables.ts'
import { type PageQuery, parsePlace } from '../http/pagination.ts'
import { getKeys } from '../record.ts'
import type { SearchWords } from '../search/tsquery.ts'
import {
  buildIdRange,
  type FoundIds,
  selectIdsToCheck,
  selectMatchedIds,
  selectPairedIds,
  selectTaggedIds,
} from './listing/found-ids.ts'
import type { TransactionFilters } from './schema.ts'

/** What a transaction is judged, put in order and summed by. */
const SCANNED_COLUMNS = {
  id: transactions.id,
  externalReference: transactions.externalReference,
  customerId: transactions.customerId,
  paymentLinkId: transactions.paymentLinkId,
  status: transactions.status,
  method: transactions.method,
  createdAt: transactions.createdAt,
  approvedAt: transactions.approvedAt,
  updatedAt: transactions.updatedAt,
  metadata: transactions.metadata,
  tags: transactions.tags,
  holdReason: transactions.holdReason,
  totalCents: transactions.totalCents,
  refundedCents: transactions.refundedCents,
  chargedBackCents: transactions.chargedBackCents,
}

/** What the people of a company may ask for besides. */
export type TransactionListFilters = TransactionFilters & {
  id?: string | undefined
  /** By the day that people look for a payment on (buildEffectiveAt). */
  effectiveFrom?: string | undefined
  effectiveTo?: string | undefined
  /** Those that somebody has to look at: held (isAmountMismatch), or with a surplus to give back. */
  held?: true | undefined
  /** All of these words, of whoever paid and what for. */
  search?: SearchWords | undefined
}

type Matched = {
  /** Those that have the words, newest first, where they were looked for already. */
  matched?: string[] | undefined
}

export type TransactionListQuery = PageQuery & TransactionListFilters & Matched

type TransactionQuery = TransactionListFilters & Matched & { companyId: string; below: string }
export type TransactionScanWindow = ReturnType<typeof scanByFilter>

/** The filters of which one leads, the narrowest first. */
export const LEAD_FILTERS = [
  'id',
  'externalReference',
  'customerId',
  'paymentLinkId',
  'status',
  'method',
] as const

/**
 * The next so many transactions of the filter that leads. Not prepared: a plan that is made without
 * the values may sort all there are to answer twenty.
 */
export function buildScanWindow(
  db: Database,
  wanted: TransactionQuery,
  count: number,
): TransactionScanWindow {
  if (getLeadInstant(wanted)) return scanByInstant(db, wanted, count)
  const found = selectLeadIds(db, wanted, count)
  return found ? scanByIds(db, found) : scanByFilter(db, wanted, count)
}

/** All that a company has of a period, in no order. */
export function scanAll(db: Database, wanted: TransactionQuery): TransactionScanWindow {
  return db
    .select(SCANNED_COLUMNS)
    .from(transactions)
    .where(
      and(eq(transactions.companyId, wanted.companyId), ...buildIdRange(transactions.id, wanted)),
    )
    .as('scanned')
}

/** The last transaction looked at when the scan window was used up; undefined when it was not. */
export async function findScanEnd(db: Database, wanted: TransactionQuery, count: number) {
  const found = selectLeadIds(db, wanted, count)
  if (found) {
    const [last] = await db
      .select()
      .from(found)
      .orderBy(desc(found.id))
      .offset(count - 1)
    return last && { ...last, approvedAt: null, updatedAt: null, createdAt: null }
  }
  const scanned = buildScanWindow(db, wanted, count)
  const [last] = await db
    .select()
    .from(scanned)
    .orderBy(...buildScanOrder(wanted, scanned))
    .offset(count - 1)
  return last
}

/** Newest first by what the list is in the order of. */
export function buildScanOrder(filters: TransactionListFilters, scanned: TransactionScanWindow) {
  const instant = getLeadInstant(filters)
  return [...(instant ? [desc(buildInstant(scanned, instant))] : []), desc(scanned.id)]
}

type Instants = Record<'approvedAt' | 'createdAt' | 'updatedAt', AnyPgColumn>

function buildInstant(row: Instants, instant: keyof Instants | 'effectiveAt') {
  return instant === 'effectiveAt' ? buildEffectiveAt(row) : sql`${row[instant]}`
}

/** When it was paid; of what was never paid, when it was begun. */
export function buildEffectiveAt({
  approvedAt,
  createdAt,
}: Pick<Instants, 'approvedAt' | 'createdAt'>) {
  return sql`coalesce(${approvedAt}, ${createdAt})`
}

/** The instant that the list is in the order of, where it is not that of the ids. */
export function getLeadInstant(filters: TransactionListFilters) {
  const { approvedFrom, approvedTo, updatedFrom, updatedTo, effectiveFrom, effectiveTo } = filters
  if ((approvedFrom ?? approvedTo) !== undefined) return 'approvedAt'
  if ((updatedFrom ?? updatedTo) !== undefined) return 'updatedAt'
  if ((effectiveFrom ?? effectiveTo) === undefined) return undefined
  // What few payments have is looked through instead: it leaves fewer than a period.
  return NARROW_FILTERS.some((key) => filters[key] !== undefined) ? undefined : 'effectiveAt'
}

const NARROW_FILTERS = [...LEAD_FILTERS.slice(0, 4), 'search', 'held'] as const

/** Words lead before all but an instant, whose list has another order. */
export function getLeadSearch(filters: TransactionListFilters) {
  return getLeadInstant(filters) ? undefined : filters.search
}

/** Words, else a pair of metadata, which few have, else a tag: each has an index of its own. */
function selectLeadIds(db: Database, wanted: TransactionQuery, count: number) {
  if (getLeadInstant(wanted)) return undefined
  const { id, held, search, matched, metadata = {} } = wanted
  if (search) return selectMatchedIds(db, wanted, { words: search, matched, count })
  const [pair] = id === undefined && held === undefined ? Object.entries(metadata) : []
  if (pair) return selectPairedIds(db, wanted, { pair, count })
  const tag = getLeadTag(wanted)
  return tag === undefined ? undefined : selectTaggedIds(db, wanted, { tag, count })
}

/** A tag goes before all but what there are few of. */
export function getLeadTag(filters: TransactionListFilters) {
  const { id, held, search, metadata = {}, tag: tags = [] } = filters
  const isFirst = id === undefined && held === undefined && search === undefined
  const isLeft = isFirst && Object.keys(metadata).length === 0
  return isLeft && !getLeadInstant(filters) ? tags[0] : undefined
}

function scanByInstant(db: Database, wanted: TransactionQuery, count: number) {
  const instant = getLeadInstant(wanted) ?? 'updatedAt'
  const column = buildInstant(transactions, instant)
  const [from, to] = {
    approvedAt: [wanted.approvedFrom, wanted.approvedTo],
    updatedAt: [wanted.updatedFrom, wanted.updatedTo],
    effectiveAt: [wanted.effectiveFrom, wanted.effectiveTo],
  }[instant]
  const { at, id } = parsePlace(wanted.below)
  return db
    .select(SCANNED_COLUMNS)
    .from(transactions)
    .where(
      and(
        eq(transactions.companyId, wanted.companyId),
        instant === 'approvedAt' ? isNotNull(column) : undefined,
        from === undefined ? undefined : gte(column, from),
        to === undefined ? undefined : lte(column, to),
        at === null ? undefined : sql`(${column}, ${transactions.id}) < (${at}, ${id})`,
      ),
    )
    .orderBy(desc(column), desc(transactions.id))
    .limit(count)
    .as('scanned')
}

function scanByFilter(db: Database, wanted: TransactionQuery, count: number) {
  const { id, held } = wanted
  const lead = LEAD_FILTERS.find((key) => wanted[key] !== undefined)
  const byHold = id === undefined && held
  return db
    .select(SCANNED_COLUMNS)
    .from(transactions)
    .where(
      and(
        eq(transactions.companyId, wanted.companyId),
        byHold ? inArray(transactions.id, selectIdsToCheck(wanted, count)) : undefined,
        lead && !byHold ? sql`${transactions[lead]} = ${wanted[lead]}` : undefined,
        ...buildIdRange(transactions.id, wanted),
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(count)
    .as('scanned')
}

/** Those of ids that another index has found, in its order. */
function scanByIds(db: Database, found: FoundIds) {
  // Each by itself (the limit sees to it): joined, a tenth of them would seem worth reading all for.
  const one = db
    .select(SCANNED_COLUMNS)
    .from(transactions)
    .where(eq(transactions.id, found.id))
    .limit(1)
    .as('one')
  const fields = Object.fromEntries(getKeys(SCANNED_COLUMNS).map((key) => [key, one[key]]))
  return (
    db
      .select({ ...fields, id: found.id })
      .from(found)
      .crossJoinLateral(one)
      .orderBy(desc(found.id))
      // Drizzle types a field by what it is selected from: here `one` and `found`, there the tables.
      .as('scanned') as unknown as TransactionScanWindow
  )
}
