// Transactions as lists show them, with the link that each is of.
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

/** Undefined also for what is no id at all, which Postgres should not be asked about. */
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

/** The company's own transaction, or 404. */
export async function requireListedTransaction(db: Database, companyId: string, id: string) {
  const row = await findListedTransaction(db, companyId, id)
  if (!row) throw notFoundError(transactionTexts.notFound)
  return row
}
