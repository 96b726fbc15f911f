// Finds two payments for one thing that were both paid: of one browser, the second begun as a replacement of the first, or
// of a link that takes one payment, such as two Pix codes or pages of a provider that were open at once.

import type { Transaction } from '../database/connect.ts'
import { and, asc, eq, inArray, ne, or } from '../database/drizzle.ts'
import { REFUNDABLE_STATUSES } from '../database/enums.ts'
import { transactions } from '../database/tables.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { TransactionRow } from './transaction.ts'

/** Returns the first of the payments that a new one replaces; null when it replaces none. */
export function findFirstAttempt(left: readonly TransactionRow[]) {
  const [first] = left.filter(({ status }) => status === 'pending')
  return first ? (first.firstAttemptId ?? first.id) : null
}

/** Finds the payment that this one may duplicate, if its money was not refunded. The link must be locked. */
export async function findApprovedTwin(
  tx: Transaction,
  { id, firstAttemptId }: TransactionRow,
  link: LinkRow,
): Promise<string | null> {
  const first = firstAttemptId ?? id
  const ofBrowser = or(eq(transactions.id, first), eq(transactions.firstAttemptId, first))
  const isTwin = link.maxPayments === 1 ? eq(transactions.paymentLinkId, link.id) : ofBrowser
  const [twin] = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(isTwin, ne(transactions.id, id), inArray(transactions.status, REFUNDABLE_STATUSES)))
    .orderBy(asc(transactions.approvedAt))
    .limit(1)
  return twin?.id ?? null
}
