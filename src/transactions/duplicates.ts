// Two payments of one browser for one link, of which the second was begun in place of the first, and both were paid.

import type { Transaction } from '../database/connect.ts'
import { and, eq, isNotNull, ne, or } from '../database/drizzle.ts'
import { transactions } from '../database/tables.ts'
import type { TransactionRow } from './transaction.ts'

/** The first of the payments that a new one is begun in place of; null where it is in place of none. */
export function findFirstAttempt(left: readonly TransactionRow[]) {
  const [first] = left.filter(({ status }) => status === 'pending')
  return first ? (first.firstAttemptId ?? first.id) : null
}

/** The payment that was approved already of those that began with the same; in a transaction that holds the link. */
export async function findApprovedTwin(
  tx: Transaction,
  { id, firstAttemptId }: TransactionRow,
): Promise<string | null> {
  const first = firstAttemptId ?? id
  const [twin] = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        or(eq(transactions.id, first), eq(transactions.firstAttemptId, first)),
        ne(transactions.id, id),
        isNotNull(transactions.approvedAt),
      ),
    )
    .limit(1)
  return twin?.id ?? null
}
