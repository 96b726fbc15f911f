// The next so many transactions of the filter that leads, from an index in the order of the list.

import type { Database } from '../database/connect.ts'
import { and, desc, eq, gte, inArray, lte, orm, type SQL, sql } from '../database/drizzle.ts'
import { buildMaxUuid, buildMinUuid } from '../database/id.ts'
import {
  incomingPayments,
  transactionPairs,
  transactions,
  transactionTags,
} from '../database/tables.ts'
import { parsePlace } from '../http/pagination.ts'
import { getKeys } from '../record.ts'
import { HAS_SURPLUS_LEFT } from '../reports/surplus.ts'
import { type SearchWords, selectMatchIds } from '../search/match.ts'
import type { TransactionFilters } from './schema.ts'

/** An id is of the instant that its row says, give or take this. */
const TRANSACTION_ID_SKEW_MS = 1_000

const SCANNED_COLUMNS = orm.getTableColumns(transactions)

/** What the people of a company may ask for besides. */
export type TransactionListFilters = TransactionFilters & {
  id?: string | undefined
  /** Those that somebody has to look at: held (isAmountMismatch), or with a surplus to give back. */
  held?: true | undefined
  /** All of these words, of whoever paid and what for. */
  search?: SearchWords | undefined
}

type TransactionQuery = TransactionListFilters & { companyId: string; below: string }
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
  const label = buildLeadLabel(wanted)
  return label ? scanByLabel(db, wanted, label, count) : scanByFilter(db, wanted, count)
}

/** All that a company has, in no order. */
export function scanAll(db: Database, companyId: string): TransactionScanWindow {
  return db
    .select(SCANNED_COLUMNS)
    .from(transactions)
    .where(eq(transactions.companyId, companyId))
    .as('scanned')
}

/** The last transaction looked at when the scan window was used up; undefined when it was not. */
export async function findScanEnd(db: Database, wanted: TransactionQuery, count: number) {
  const label = getLeadInstant(wanted) ? undefined : buildLeadLabel(wanted)
  if (label) {
    const ids = selectLabelled(db, wanted, label, count)
    const [last] = await db
      .select()
      .from(ids)
      .orderBy(desc(ids.id))
      .offset(count - 1)
    return last && { ...last, approvedAt: null, updatedAt: null }
  }
  const scanned = buildScanWindow(db, wanted, count)
  const [last] = await db
    .select({ id: scanned.id, approvedAt: scanned.approvedAt, updatedAt: scanned.updatedAt })
    .from(scanned)
    .orderBy(...buildScanOrder(wanted, scanned))
    .offset(count - 1)
  return last
}

/** Newest first by what the list is in the order of. */
export function buildScanOrder(filters: TransactionListFilters, scanned: TransactionScanWindow) {
  const instant = getLeadInstant(filters)
  return [...(instant ? [desc(scanned[instant])] : []), desc(scanned.id)]
}

/** The instant that the list is in the order of, where it is not that of the ids. */
export function getLeadInstant({
  approvedFrom,
  approvedTo,
  updatedFrom,
  updatedTo,
}: TransactionListFilters) {
  if ((approvedFrom ?? approvedTo) !== undefined) return 'approvedAt'
  return (updatedFrom ?? updatedTo) === undefined ? undefined : 'updatedAt'
}

/** Words lead before all but an instant, whose list has another order. */
export function getLeadSearch(filters: TransactionListFilters) {
  return getLeadInstant(filters) ? undefined : filters.search
}

/** A pair of metadata, which few have, goes before a tag. */
function buildLeadLabel(wanted: TransactionQuery) {
  const { id, held, search, metadata = {} } = wanted
  const isFirst = id === undefined && held === undefined && search === undefined
  const [pair] = isFirst ? Object.entries(metadata) : []
  if (pair) {
    const { companyId: owner, pair: name, transactionId } = transactionPairs
    const value = sql`metadata_pair(${pair[0]}, ${pair[1]})`
    return { table: transactionPairs, owner, id: transactionId, condition: eq(name, value) }
  }
  const tag = getLeadTag(wanted)
  if (tag === undefined) return undefined
  const { companyId: owner, tag: name, transactionId } = transactionTags
  return { table: transactionTags, owner, id: transactionId, condition: eq(name, tag) }
}

/** A tag goes before all but what there are few of. */
export function getLeadTag(filters: TransactionListFilters) {
  const { id, held, search, metadata = {}, tag: tags = [] } = filters
  const isFirst = id === undefined && held === undefined && search === undefined
  const isLeft = isFirst && Object.keys(metadata).length === 0
  return isLeft && !getLeadInstant(filters) ? tags[0] : undefined
}

function scanByInstant(db: Database, wanted: TransactionQuery, count: number) {
  const isApproval = getLeadInstant(wanted) === 'approvedAt'
  const column = isApproval ? transactions.approvedAt : transactions.updatedAt
  const [from, to] = isApproval
    ? [wanted.approvedFrom, wanted.approvedTo]
    : [wanted.updatedFrom, wanted.updatedTo]
  const { at, id } = parsePlace(wanted.below)
  return db
    .select(SCANNED_COLUMNS)
    .from(transactions)
    .where(
      and(
        eq(transactions.companyId, wanted.companyId),
        isApproval ? sql`${column} is not null` : undefined,
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
  const search = getLeadSearch(wanted)
  const lead = search ? undefined : LEAD_FILTERS.find((key) => wanted[key] !== undefined)
  const byHold = id === undefined && held && !search
  return db
    .select(SCANNED_COLUMNS)
    .from(transactions)
    .where(
      and(
        eq(transactions.companyId, wanted.companyId),
        byHold ? inArray(transactions.id, selectToCheck(wanted, count)) : undefined,
        search ? inArray(transactions.id, selectFound(wanted, search, count)) : undefined,
        lead && !byHold ? sql`${transactions[lead]} = ${wanted[lead]}` : undefined,
        ...buildIdRange(transactions.id, wanted),
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(count)
    .as('scanned')
}

function selectFound(wanted: TransactionQuery, words: SearchWords, count: number) {
  const { companyId } = wanted
  const range = and(...buildIdRange(sql`id`, wanted))
  return sql`(select id from (${selectMatchIds({ companyId, kind: 'payment', words })}) found
    where ${range} order by id desc limit ${count})`
}

// Those that are held in the order of their index, and those with a surplus: few, which Postgres knows
// of an amount above nothing, and not of one above another.
function selectToCheck(wanted: TransactionQuery, count: number) {
  const range = and(...buildIdRange(transactions.id, wanted))
  return sql`(
    (select id from ${transactions} where ${transactions.companyId} = ${wanted.companyId}
      and hold_reason is not null and approved_at is null and status <> 'canceled' and ${range}
      order by id desc limit ${count})
    union select transaction_id from ${incomingPayments}
    where ${incomingPayments.companyId} = ${wanted.companyId} and ${HAS_SURPLUS_LEFT}
  )`
}

type Label = NonNullable<ReturnType<typeof buildLeadLabel>>

function scanByLabel(db: Database, wanted: TransactionQuery, label: Label, count: number) {
  const tagged = selectLabelled(db, wanted, label, count)
  // Each by itself (the limit sees to it), which keeps the order of the tag's own index.
  const one = db
    .select(SCANNED_COLUMNS)
    .from(transactions)
    .where(eq(transactions.id, tagged.id))
    .limit(1)
    .as('one')
  const fields = Object.fromEntries(getKeys(SCANNED_COLUMNS).map((key) => [key, one[key]]))
  return (
    db
      .select({ ...fields, id: tagged.id })
      .from(tagged)
      .crossJoinLateral(one)
      .orderBy(desc(tagged.id))
      // Drizzle types a field by what it is selected from: here `one` and `tagged`, there the tables.
      .as('scanned') as unknown as TransactionScanWindow
  )
}

/** The next so many ids of a label, from its own index alone. */
function selectLabelled(
  db: Database,
  wanted: TransactionQuery,
  { table, owner, id, condition }: Label,
  count: number,
) {
  return db
    .select({ id: sql<string>`${id}`.as('tagged_id') })
    .from(table)
    .where(and(eq(owner, wanted.companyId), condition, ...buildIdRange(id, wanted)))
    .orderBy(desc(id))
    .limit(count)
    .as('tagged')
}

type IdColumn = typeof transactions.id | Label['id'] | SQL

/** Ids carry the time: this is what lets a list of a day begin at that day. */
function buildIdRange(id: IdColumn, { below, ...filters }: TransactionQuery): (SQL | undefined)[] {
  const starts = [filters.from, filters.createdFrom].filter((at) => at !== undefined)
  const ends = [filters.to, filters.createdTo].filter((at) => at !== undefined)
  return [
    sql`${id} < ${below}`,
    ...starts.map((at) => {
      return sql`${id} >= ${buildMinUuid(Date.parse(at) - TRANSACTION_ID_SKEW_MS)}`
    }),
    ...ends.map((at) => {
      return sql`${id} <= ${buildMaxUuid(Date.parse(at) + TRANSACTION_ID_SKEW_MS)}`
    }),
  ]
}
