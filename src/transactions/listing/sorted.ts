// A company's transactions in another order than that of their pages, for people: the oldest first, or by
// amount. What is wanted is found as for any list, and the first so many of it are picked out.

import type { Database } from '../../database/connect.ts'
import { and, asc, desc, sql } from '../../database/drizzle.ts'
import { MAX_UUID } from '../../database/id.ts'
import type { ScannedPage } from '../../database/page-stream.ts'
import { buildTransactionConditions } from '../list.ts'
import {
  buildScanWindow,
  scanAll,
  type TransactionListQuery,
  type TransactionScanWindow,
} from '../scan-window.ts'
import { type ListedTransaction, readListedTransactions } from './listed.ts'

type TransactionSort = { by: 'createdAt' | 'totalCents'; isDescending: boolean }

/** No company waits for the order of more. */
const MAX_SORTED = 1_000_000

/** On from the transaction that `cursor` names: two of one amount are in the order of their ids. */
export async function listSortedTransactions(
  db: Database,
  companyId: string,
  query: TransactionListQuery,
  sort: TransactionSort,
): Promise<ScannedPage<ListedTransaction>> {
  const page = selectPageIds(db, companyId, query, sort)
  return { rows: await readListedTransactions(db, page), resumeBelow: null }
}

function selectPageIds(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: TransactionListQuery,
  sort: TransactionSort,
) {
  const wanted = { ...filters, companyId, below: MAX_UUID }
  const scanned = scanWanted(db, wanted)
  const isPast =
    cursor === MAX_UUID ? undefined : buildPastCondition(scanned, { companyId, cursor }, sort)
  return db
    .select({ id: scanned.id })
    .from(scanned)
    .where(and(...buildTransactionConditions(wanted, scanned), isPast))
    .orderBy(...buildOrder(scanned, sort))
    .limit(limit + 1)
}

/**
 * Many have one state, one method or were made in one period: Postgres then reads them in this very order where
 * it will soon have a page, and the period alone where that is short.
 */
function scanWanted(db: Database, wanted: Parameters<typeof buildScanWindow>[1]) {
  const { status, method, from, to, below, companyId, ...narrow } = wanted
  const isNarrowed = Object.values(narrow).some((value) => value !== undefined)
  return isNarrowed ? buildScanWindow(db, wanted, MAX_SORTED) : scanAll(db, wanted)
}

function buildPastCondition(
  { id, totalCents }: TransactionScanWindow,
  { companyId, cursor }: { companyId: string; cursor: string },
  { by, isDescending }: TransactionSort,
) {
  const [key, last] =
    by === 'totalCents' ? [sql`${totalCents}, ${id}`, sql`total_cents, id`] : [id, sql`id`]
  return sql`(${key}) ${sql.raw(isDescending ? '<' : '>')} (select ${last} from transactions
    where id = ${cursor} and company_id = ${companyId})`
}

function buildOrder({ id, totalCents }: TransactionScanWindow, sort: TransactionSort) {
  const toOrder = sort.isDescending ? desc : asc
  return (sort.by === 'totalCents' ? [totalCents, id] : [id]).map((column) => toOrder(column))
}
