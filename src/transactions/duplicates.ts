// Finds two payments of one browser for one link, the second begun as a replacement of the first, that were both paid.

import type { Transaction } from '../database/connect.ts'
import { and, eq, isNotNull, ne, or } from '../database/drizzle.ts'
import { transactions } from '../database/tables.ts'
import type { TransactionRow } from './transaction.ts'

/** Returns the first of the payments that a new one replaces; null when it replaces none. */
export function findFirstAttempt(left: readonly TransactionRow[]) {
  const [first] = left.filter(({ status }) => status === 'pending')
  return first ? (first.firstAttemptId ?? first.id) : null
}

/** Finds an approved payment that began with the same first attempt. Runs in a transaction that locked the link. */
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
