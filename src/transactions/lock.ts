// A payment that is about to change, held until the end of the transaction. Its link comes first: whoever
// locks both takes them in that order.
import type { Transaction } from '../database/connect.ts'
import { and, eq, getTableColumns } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { createRowReader, listColumns } from '../database/row-reader.ts'
import { runNamedRowStatement } from '../database/statement.ts'
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

/** Both in one statement, where no limit of the link makes others wait for it (lockLinkForPayment). */
export async function lockPaymentWithLink(
  tx: Transaction,
  id: string,
  linkId: string,
): Promise<{ link: LinkRow; payment: TransactionRow }> {
  const [both] = await runNamedRowStatement(tx, 'lock_payment_with_link', LOCK_BOTH_SQL, [
    id,
    linkId,
  ])
  if (both) return { link: readLinkRow(both), payment: readPaymentRow(both) }
  const link = await lockLinkForPayment(tx, linkId)
  const [payment] = await runNamedRowStatement(tx, 'lock_payment', LOCK_PAYMENT_SQL, [id])
  return { link, payment: readPaymentRow(requireFound(payment)) }
}

const readPaymentRow = createRowReader(transactions)
const readLinkRow = createRowReader(paymentLinks, Object.keys(getTableColumns(transactions)).length)

const LOCK_PAYMENT_SQL = `
select ${listColumns(transactions)} from transactions where id = $1 for no key update`

/** Of a link that is given a limit while this waits for it there is no row: whoever is counted takes it alone. */
const LOCK_BOTH_SQL = `
with link as (
  select ${listColumns(paymentLinks)} from payment_links
  where id = $2 and max_payments is null
  for key share
)
select ${listColumns(transactions, 'payment')}, link.*
from link join transactions payment on payment.payment_link_id = link.id
where payment.id = $1
for no key update of payment`
