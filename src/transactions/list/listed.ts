// Transactions as lists show them, with their link.
import type { Database } from '../../database/connect.ts'
import { and, eq, getTableColumns, sql } from '../../database/drizzle.ts'
import { isUuid } from '../../database/id.ts'
import { paymentLinks, transactions } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import { transactionTexts } from '../texts.ts'
import type { TransactionRow } from '../transaction.ts'

export type ListedTransaction = TransactionRow & { linkSlug: string; linkTitle: string }

export function selectListedTransactions(db: Database) {
  return db
    .select({
      ...getTableColumns(transactions),
      linkSlug: paymentLinks.slug,
      linkTitle: sql<string>`coalesce(${transactions.linkTitle}, ${paymentLinks.title})`,
    })
    .from(transactions)
    .innerJoin(paymentLinks, eq(paymentLinks.id, transactions.paymentLinkId))
}

/** Undefined also for a text that is no id, on which Postgres would fail. */
export async function findListedTransaction(
  db: Database,
  companyId: string,
  id: string,
): Promise<ListedTransaction | undefined> {
  if (!isUuid(id)) return undefined
  const ours = and(eq(transactions.id, id), eq(transactions.companyId, companyId))
  const [row] = await selectListedTransactions(db).where(ours)
  return row
}

/** Throws 404 when the company has no such transaction. */
export async function requireListedTransaction(db: Database, companyId: string, id: string) {
  const row = await findListedTransaction(db, companyId, id)
  if (!row) throw notFoundError(transactionTexts.notFound)
  return row
}
