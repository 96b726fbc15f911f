// A payment that is about to change, held until the end of the transaction. Its link comes first: whoever
// locks both takes them in that order.
import type { Transaction } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { transactions } from '../database/tables.ts'
import { notFoundError } from '../http/errors.ts'
import { type LinkRow, lockLinkForPayment } from '../payment-links/payment-link.ts'
import { transactionTexts } from './texts.ts'
import type { TransactionRow } from './transaction.ts'

/** What is done to the money of a payment is ordered one after another. Throws 404. */
export async function lockPayment(
  tx: Transaction,
  { companyId, transactionId }: { companyId: string; transactionId: string },
): Promise<TransactionRow> {
  const [payment] = await tx
    .select()
    .from(transactions)
    .where(and(eq(transactions.id, transactionId), eq(transactions.companyId, companyId)))
    .for('no key update')
  if (!payment) throw notFoundError(transactionTexts.notFound)
  return payment
}

/** For whoever asks what has changed since: so has a payment whose Pix or disputes have. It is locked. */
export async function touchPayment(
  tx: Transaction,
  { id }: TransactionRow,
  now: Date,
): Promise<TransactionRow> {
  const [touched] = await tx
    .update(transactions)
    .set({ updatedAt: now.toISOString() })
    .where(eq(transactions.id, id))
    .returning()
  return requireFound(touched)
}

export async function lockPaymentWithLink(
  tx: Transaction,
  id: string,
  linkId: string,
): Promise<{ link: LinkRow; payment: TransactionRow }> {
  const link = await lockLinkForPayment(tx, linkId)
  const [payment] = await tx
    .select()
    .from(transactions)
    .where(eq(transactions.id, id))
    .for('no key update')
  return { link, payment: requireFound(payment) }
}
