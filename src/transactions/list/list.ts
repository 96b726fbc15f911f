// A company's transactions: a page of them, or all in their order.

import type { Database } from '../../database/connect.ts'
import { and, desc, eq, isNotNull, type SQL, sql } from '../../database/drizzle.ts'
import { transactions } from '../../database/tables.ts'
import type { PageQuery } from '../../http/pagination.ts'
import {
  buildOrderBy,
  isAfter,
  isFirstPage,
  type ListOrder,
  streamPages,
} from '../../lists/page.ts'
import {
  buildTransactionConditions,
  createPositionReader,
  getListOrder,
  type TransactionListFilters,
} from './filters.ts'
import { type ListedTransaction, selectListedTransactions } from './listed.ts'

export type TransactionListQuery = PageQuery & TransactionListFilters

type TransactionSort = { by: 'createdAt' | 'totalCents'; isDescending: boolean }

/**
 * Lists up to `limit + 1` transactions after the position in `cursor`: last approved or last changed first, if the
 * filters ask for these instants, else newest first.
 */
export async function listTransactions(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: TransactionListQuery,
): Promise<ListedTransaction[]> {
  const order = getListOrder(filters)
  const wanted = and(buildTransactionConditions(companyId, filters), isAfter(cursor, order))
  return selectPage(db, { wanted, order, limit })
}

/** Lists them in another order, for people: oldest first, or by amount, after the transaction that `cursor` names. */
export async function listSortedTransactions(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: TransactionListQuery,
  { by, isDescending }: TransactionSort,
): Promise<ListedTransaction[]> {
  const { id, totalCents } = transactions
  const order = { id, isDescending, ...(by === 'totalCents' && { key: totalCents }) }
  const isPast = order.key
    ? isPastAmount(companyId, cursor, isDescending)
    : isFirstPage(cursor)
      ? undefined
      : isAfter(cursor, order)
  const wanted = and(buildTransactionConditions(companyId, filters), isPast)
  return selectPage(db, { wanted, order, limit })
}

type PageSelection = { wanted: SQL | undefined; order: ListOrder; limit: number }

function selectPage(db: Database, { wanted, order, limit }: PageSelection) {
  return selectListedTransactions(db)
    .where(wanted)
    .orderBy(...buildOrderBy(order))
    .limit(limit + 1)
}

/** Transactions of one amount are sorted by id. */
function isPastAmount(companyId: string, cursor: string, isDescending: boolean) {
  if (isFirstPage(cursor)) return undefined
  return sql`(${transactions.totalCents}, ${transactions.id}) ${sql.raw(isDescending ? '<' : '>')} (
    select last.total_cents, last.id from transactions last
    where last.id = ${cursor} and last.company_id = ${companyId})`
}

export function streamTransactions(
  db: Database,
  companyId: string,
  filters: TransactionListFilters,
): AsyncGenerator<ListedTransaction[]> {
  return streamPages(
    (page) => listTransactions(db, companyId, { ...filters, ...page }),
    createPositionReader(filters),
  )
}

/** Lists the last paid transactions, without unpaid attempts. */
export async function listLatestPayments(db: Database, companyId: string, limit: number) {
  const { approvedAt, id } = transactions
  return selectListedTransactions(db)
    .where(and(eq(transactions.companyId, companyId), isNotNull(approvedAt)))
    .orderBy(desc(approvedAt), desc(id))
    .limit(limit)
}
