// A payment that is about to change, held until the end of the transaction. Its link comes first: whoever
// locks both takes them in that order.
import type { Transaction } from '../database/connect.ts'
import { and, eq, exists, getTableColumns, isNull } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { paymentLinks, transactions } from '../database/tables.ts'
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

/** Both in one statement, where no limit of the link makes others wait for it (lockLinkForPayment). */
export async function lockPaymentWithLink(
  tx: Transaction,
  id: string,
  linkId: string,
): Promise<{ link: LinkRow; payment: TransactionRow }> {
  const isUnlimited = tx
    .select({ id: paymentLinks.id })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.id, linkId), isNull(paymentLinks.maxPayments)))
  const locked = tx.$with('payment').as(
    tx
      .select()
      .from(transactions)
      .where(and(eq(transactions.id, id), exists(isUnlimited)))
      .for('no key update'),
  )
  const [both] = await tx
    .with(locked)
    .select({ link: getTableColumns(paymentLinks), payment: locked._.selectedFields })
    .from(locked)
    .innerJoin(paymentLinks, eq(paymentLinks.id, locked.paymentLinkId))
    .for('key share', { of: paymentLinks })
  if (both) return both
  const link = await lockLinkForPayment(tx, linkId)
  const [payment] = await tx
    .select()
    .from(transactions)
    .where(eq(transactions.id, id))
    .for('no key update')
  return { link, payment: requireFound(payment) }
}
