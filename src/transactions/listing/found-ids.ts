// The next so many ids of a company's transactions that something is found by which has an index of its own.

import type { Database } from '../../database/connect.ts'
import { and, desc, eq, type SQL, sql } from '../../database/drizzle.ts'
import { buildMaxUuid, buildMinUuid, MAX_UUID, MIN_UUID } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import {
  incomingPayments,
  transactionPairs,
  transactions,
  transactionTags,
} from '../../database/tables.ts'
import { HAS_SURPLUS_LEFT } from '../../reports/surplus.ts'
import { selectMatchIds } from '../../search/indexed.ts'
import type { SearchWords } from '../../search/tsquery.ts'
import type { TransactionFilters } from '../schema.ts'
import { TRANSACTION_ID_SKEW_MS } from '../transaction.ts'

/** Whose, made when, and below which id. */
type Range = Pick<TransactionFilters, 'from' | 'to' | 'createdFrom' | 'createdTo'> & {
  companyId: string
  below: string
  effectiveTo?: string | undefined
}

export type FoundIds = ReturnType<typeof selectMatchedIds>

/** @param matched those that the words were found by already, if they were looked for */
export function selectMatchedIds(
  db: Database,
  range: Range,
  { words, matched, count }: { words: SearchWords; matched?: string[] | undefined; count: number },
) {
  const source = matched
    ? sql`unnest(${sql.param(matched)}::uuid[]) matched (id)`
    : sql`(${selectMatchIds({ companyId: range.companyId, kind: 'payment', words })}) matched`
  return selectIds(db, source, { id: sql`matched.id`, range, count })
}

/** What to look for, up to `limit` of them, where words lead. */
export function toMatchQuery(range: Range, words: SearchWords, limit: number) {
  const { companyId, below } = range
  const { above, until } = toIdBounds(range)
  const [nearest = below] = [below, until].sort()
  return { companyId, kind: 'payment' as const, words, above, below: nearest, limit }
}

export function selectPairedIds(
  db: Database,
  range: Range,
  { pair: [key, value], count }: { pair: [string, string]; count: number },
) {
  const { companyId, pair, transactionId: id } = transactionPairs
  const condition = and(
    eq(companyId, range.companyId),
    eq(pair, sql`metadata_pair(${key}, ${value})`),
  )
  return selectIds(db, sql`${transactionPairs}`, { id: sql`${id}`, condition, range, count })
}

export function selectTaggedIds(
  db: Database,
  range: Range,
  { tag, count }: { tag: string; count: number },
) {
  const { companyId, tag: name, transactionId: id } = transactionTags
  const condition = and(eq(companyId, range.companyId), eq(name, tag))
  return selectIds(db, sql`${transactionTags}`, { id: sql`${id}`, condition, range, count })
}

type Selection = { id: SQL; condition?: SQL | undefined; range: Range; count: number }

function selectIds(db: Database, source: SQL, { id, condition, range, count }: Selection) {
  return db
    .select({ id: sql<string>`${id}`.as('found_id') })
    .from(source)
    .where(and(condition, ...buildIdRange(id, range)))
    .orderBy(desc(id))
    .limit(count)
    .as('found')
}

/**
 * Those that are held in the order of their index, and those with a surplus: few, which Postgres knows of an
 * amount above nothing, and not of one above another.
 */
export function selectIdsToCheck(range: Range, count: number) {
  const within = and(...buildIdRange(transactions.id, range))
  return sql`(
    (select id from ${transactions} where ${transactions.companyId} = ${range.companyId}
      and hold_reason is not null and approved_at is null and status <> 'canceled' and ${within}
      order by id desc limit ${count})
    union select transaction_id from ${incomingPayments}
    where ${incomingPayments.companyId} = ${range.companyId} and ${HAS_SURPLUS_LEFT}
  )`
}

/** Ids carry the time: this is what lets a list of a day begin at that day. */
export function buildIdRange(id: typeof transactions.id | SQL, range: Range): SQL[] {
  const { above, until } = toIdBounds(range)
  return [
    sql`${id} < ${range.below}`,
    ...(above === MIN_UUID ? [] : [sql`${id} >= ${above}`]),
    ...(until === MAX_UUID ? [] : [sql`${id} <= ${until}`]),
  ]
}

function toIdBounds({ from, createdFrom, to, createdTo, effectiveTo }: Range) {
  const starts = [from, createdFrom].filter((at) => at !== undefined).map(Date.parse)
  const ends = [to, createdTo].filter((at) => at !== undefined).map(Date.parse)
  // Nothing is paid before it is begun, give or take what the clock of a bank is off.
  if (effectiveTo !== undefined) ends.push(Date.parse(effectiveTo) + DAY_MS)
  const [start, end] = [Math.max(...starts), Math.min(...ends)]
  return {
    above: starts.length === 0 ? MIN_UUID : buildMinUuid(start - TRANSACTION_ID_SKEW_MS),
    until: ends.length === 0 ? MAX_UUID : buildMaxUuid(end + TRANSACTION_ID_SKEW_MS),
  }
}
