// A company's transactions in another order than that of their pages, for people: the oldest first, or by
// amount. What is wanted is found as for any list, and the first so many of it are picked out.

import type { Database } from '../../database/connect.ts'
import { and, asc, desc, eq, orm, sql } from '../../database/drizzle.ts'
import { MAX_UUID } from '../../database/id.ts'
import type { ScannedPage } from '../../database/page-stream.ts'
import { paymentLinks, transactions } from '../../database/tables.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { buildTransactionConditions, LINK_COLUMNS, type ListedTransaction } from '../list.ts'
import { buildScanWindow, scanAll, type TransactionListFilters } from '../scan-window.ts'

export type TransactionSort = { by: 'createdAt' | 'totalCents'; isDescending: boolean }

/** No company waits for the order of more. */
const MAX_SORTED = 1_000_000

/** On from the transaction that `cursor` names: two of one amount are in the order of their ids. */
export async function listSortedTransactions(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: PageQuery & TransactionListFilters,
  { by, isDescending }: TransactionSort,
): Promise<ScannedPage<ListedTransaction>> {
  const isNarrowed = Object.values(filters).some((value) => value !== undefined)
  const wanted = { ...filters, companyId, below: MAX_UUID }
  const scanned = isNarrowed ? buildScanWindow(db, wanted, MAX_SORTED) : scanAll(db, companyId)
  const toOrder = isDescending ? desc : asc
  const buildKey = (of: typeof scanned) => (by === 'totalCents' ? [of.totalCents, of.id] : [of.id])
  const key = sql.join(buildKey(scanned), sql`, `)
  const last = sql`(select ${sql.raw(by === 'totalCents' ? 'total_cents, id' : 'id')} from transactions
    where id = ${cursor} and company_id = ${companyId})`
  const isPast = sql`(${key}) ${sql.raw(isDescending ? '<' : '>')} ${last}`
  const page = db
    .select({ id: scanned.id })
    .from(scanned)
    .where(
      and(
        ...buildTransactionConditions(filters, scanned),
        cursor === MAX_UUID ? undefined : isPast,
      ),
    )
    .orderBy(...buildKey(scanned).map(toOrder))
    .limit(limit + 1)
    .as('page')
  const rows = await db
    .select({ ...orm.getTableColumns(transactions), ...LINK_COLUMNS })
    .from(page)
    .innerJoin(transactions, eq(transactions.id, page.id))
    .innerJoin(paymentLinks, eq(paymentLinks.id, transactions.paymentLinkId))
    .orderBy(
      ...(by === 'totalCents' ? [toOrder(transactions.totalCents)] : []),
      toOrder(transactions.id),
    )
  return { rows, resumeBelow: null }
}
