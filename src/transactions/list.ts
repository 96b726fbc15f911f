// A company's transactions: one, a page, or all of them in their order. Each filter has an index in the
// order of the ids. One of them leads, and what the others leave is looked for in a bounded scan of it:
// a page costs the same however many there are, though it may be short and still say where to go on.

import type { Database } from '../database/connect.ts'
import {
  and,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  orm,
  sql,
} from '../database/drizzle.ts'
import { buildMaxUuid, buildMinUuid, isUuid, MAX_UUID } from '../database/id.ts'
import { type ScannedPage, streamPages } from '../database/page-stream.ts'
import {
  incomingPayments,
  paymentLinks,
  transactions,
  transactionTags,
} from '../database/tables.ts'
import { notFoundError } from '../http/errors.ts'
import type { PageQuery } from '../http/pagination.ts'
import { getKeys } from '../record.ts'
import type { TransactionFilters } from './schema.ts'
import { transactionTexts } from './texts.ts'

/** Transactions that are looked through for each one that is asked for. */
const SCAN_ROWS_PER_RESULT = 20
const TRANSACTION_BATCH_SIZE = 500
/** An id is of the instant that its row says, give or take this. */
const TRANSACTION_ID_SKEW_MS = 1_000

/** What a list needs beside the row: of which link it is. */
const LISTED_COLUMNS = {
  ...orm.getTableColumns(transactions),
  linkSlug: paymentLinks.slug,
  linkTitle: paymentLinks.title,
}

/** What the people of a company may ask for besides. */
export type TransactionListFilters = TransactionFilters & {
  id?: string | undefined
  /** Those that somebody has to look at: held (isAmountMismatch), or with a surplus to give back. */
  held?: true | undefined
}

export type ListedTransaction = NonNullable<Awaited<ReturnType<typeof findListedTransaction>>>

/** Newest first, from below `cursor`. */
export async function listTransactions(
  db: Database,
  companyId: string,
  { limit, cursor: below, ...filters }: PageQuery & TransactionListFilters,
): Promise<ScannedPage<ListedTransaction>> {
  const count = limit * SCAN_ROWS_PER_RESULT
  const wanted = { ...filters, companyId, below }
  const scanned = buildScanWindow(db, wanted, count)
  const rows = await db
    .select()
    .from(scanned)
    .where(and(...buildTransactionConditions({ ...filters, companyId }, scanned)))
    .orderBy(desc(scanned.id))
    .limit(limit + 1)
  if (rows.length > limit) return { rows, resumeBelow: null }

  // A tag has the ids of all its payments, which need not be read for this.
  const tag = getLeadTag(wanted)
  const ids = tag === undefined ? scanned : selectTagged(db, wanted, tag, count)
  const [last] = await db
    .select({ id: ids.id })
    .from(ids)
    .orderBy(desc(ids.id))
    .offset(count - 1)
  return { rows, resumeBelow: last?.id ?? null }
}

/** All of them, newest first. */
export function streamTransactions(
  db: Database,
  companyId: string,
  filters: TransactionListFilters,
): AsyncGenerator<ListedTransaction[]> {
  return streamPages(
    (place) => listTransactions(db, companyId, { ...filters, ...place }),
    TRANSACTION_BATCH_SIZE,
  )
}

/** The newest attempts to pay, whatever became of them. */
export async function listLatestPayments(
  db: Database,
  companyId: string,
  limit: number,
): Promise<ListedTransaction[]> {
  const scanned = buildScanWindow(db, { companyId, below: MAX_UUID }, TRANSACTION_BATCH_SIZE)
  return db.select().from(scanned).orderBy(desc(scanned.id)).limit(limit)
}

/** Undefined also for what is no id at all, which Postgres should not be asked about. */
export async function findListedTransaction(db: Database, companyId: string, id: string) {
  if (!isUuid(id)) return undefined
  const [row] = await db
    .select(LISTED_COLUMNS)
    .from(transactions)
    .innerJoin(paymentLinks, eq(paymentLinks.id, transactions.paymentLinkId))
    .where(and(eq(transactions.id, id), eq(transactions.companyId, companyId)))
  return row
}

/** The company's own transaction, or 404. */
export async function requireListedTransaction(db: Database, companyId: string, id: string) {
  const row = await findListedTransaction(db, companyId, id)
  if (!row) throw notFoundError(transactionTexts.notFound)
  return row
}

type TransactionQuery = TransactionListFilters & { companyId: string; below: string }
type TransactionScanWindow = ReturnType<typeof scanByFilter>

/** The filters of which one leads, the narrowest first. */
const LEAD_FILTERS = [
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
function buildScanWindow(
  db: Database,
  wanted: TransactionQuery,
  count: number,
): TransactionScanWindow {
  const tag = getLeadTag(wanted)
  return tag === undefined ? scanByFilter(db, wanted, count) : scanByTag(db, wanted, tag, count)
}

/** A tag goes before all but what there are few of. */
function getLeadTag({ id, held, tag: tags = [] }: TransactionListFilters) {
  return id === undefined && held === undefined ? tags[0] : undefined
}

function scanByFilter(db: Database, wanted: TransactionQuery, count: number) {
  const { id, held } = wanted
  const lead = LEAD_FILTERS.find((key) => wanted[key] !== undefined)
  const byHold = id === undefined && held
  return db
    .select(LISTED_COLUMNS)
    .from(transactions)
    .innerJoin(paymentLinks, eq(paymentLinks.id, transactions.paymentLinkId))
    .where(
      and(
        eq(transactions.companyId, wanted.companyId),
        byHold ? inArray(transactions.id, selectToCheck(wanted, count)) : undefined,
        lead && !byHold ? sql`${transactions[lead]} = ${wanted[lead]}` : undefined,
        ...buildIdRange(transactions.id, wanted),
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(count)
    .as('scanned')
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
    where ${incomingPayments.companyId} = ${wanted.companyId} and surplus_cents > 0
      and surplus_cents > refunded_cents
  )`
}

function scanByTag(db: Database, wanted: TransactionQuery, tag: string, count: number) {
  const tagged = selectTagged(db, wanted, tag, count)
  // Each by itself (the limit sees to it), which keeps the order of the tag's own index.
  const one = db
    .select(LISTED_COLUMNS)
    .from(transactions)
    .innerJoin(paymentLinks, eq(paymentLinks.id, transactions.paymentLinkId))
    .where(eq(transactions.id, tagged.id))
    .limit(1)
    .as('one')
  const fields = Object.fromEntries(getKeys(LISTED_COLUMNS).map((key) => [key, one[key]]))
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

/** The next so many ids of a tag. */
function selectTagged(db: Database, wanted: TransactionQuery, tag: string, count: number) {
  const { companyId: owner, tag: name, transactionId } = transactionTags
  return db
    .select({ id: transactionId })
    .from(transactionTags)
    .where(and(eq(owner, wanted.companyId), eq(name, tag), ...buildIdRange(transactionId, wanted)))
    .orderBy(desc(transactionId))
    .limit(count)
    .as('tagged')
}

type IdColumn = typeof transactions.id | typeof transactionTags.transactionId

/** Ids carry the time: this is what lets a list of a day begin at that day. */
function buildIdRange(id: IdColumn, { from, to, below }: TransactionQuery) {
  return [
    lt(id, below),
    from === undefined
      ? undefined
      : gte(id, buildMinUuid(Date.parse(from) - TRANSACTION_ID_SKEW_MS)),
    to === undefined ? undefined : lte(id, buildMaxUuid(Date.parse(to) + TRANSACTION_ID_SKEW_MS)),
  ]
}

function buildTransactionConditions(
  filters: TransactionListFilters & { companyId: string },
  scanned: TransactionScanWindow,
) {
  const { from, to, held, tag: tags = [] } = filters
  const tagsLeft = tags.filter((tag) => tag !== getLeadTag(filters))
  const equal = LEAD_FILTERS.filter((key) => filters[key] !== undefined)
  return [
    ...equal.map((key) => sql`${scanned[key]} = ${filters[key]}`),
    from === undefined ? undefined : gte(scanned.createdAt, from),
    to === undefined ? undefined : lte(scanned.createdAt, to),
    tagsLeft.length > 0 ? orm.arrayContains(scanned.tags, tagsLeft) : undefined,
    held ? or(buildHeldCondition(scanned), buildOverpaidCondition(scanned)) : undefined,
  ]
}

function buildHeldCondition({ holdReason, approvedAt, status }: TransactionScanWindow) {
  return and(isNotNull(holdReason), isNull(approvedAt), ne(status, 'canceled'))
}

function buildOverpaidCondition({ id, approvedAt }: TransactionScanWindow) {
  return sql`${approvedAt} is not null and exists (select from ${incomingPayments}
    where transaction_id = ${id} and surplus_cents > ${incomingPayments.refundedCents})`
}
