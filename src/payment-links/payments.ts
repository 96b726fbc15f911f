// Counts the payments of a link towards its `maxPayments`, and sums their money.

import type { Db, Transaction } from '../database/connect.ts'
import { and, eq, inArray, sql } from '../database/drizzle.ts'
import { IN_PROGRESS_STATUSES, PAID_STATUSES, type TransactionStatus } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { transactions } from '../database/tables.ts'
import type { LinkRow } from './payment-link.ts'
import { listRecipients, serializeRecipient } from './sending/recipients.ts'

type PaymentSums = { paymentsCount: number; amountReceivedCents: number }

/** Sums the approved payments, less refunds. Payments that were charged back do not count. */
export async function sumPayments(db: Db, { id, companyId }: LinkRow): Promise<PaymentSums> {
  const ofLink = sql`payment_link_id = ${id} and company_id = ${companyId}`
  // Floats, which are exact up to 90 trillion reais.
  const { rows } = await db.execute<PaymentSums>(sql`
    select count(*) filter (where kind = 'sale')::float8 - (
        select count(*) from transactions where ${ofLink} and status = 'charged_back'
      ) as "paymentsCount",
      coalesce(sum(cents), 0)::float8 as "amountReceivedCents"
    from movements where ${ofLink} and kind in ('sale', 'refund', 'dispute', 'dispute_won')`)
  return requireFound(rows[0])
}

/** What the answer of one link has beside the link. */
export async function loadLinkTotals(db: Db, link: LinkRow) {
  const [sums, recipients] = await Promise.all([sumPayments(db, link), listRecipients(db, link.id)])
  return { ...sums, recipients: recipients.map(serializeRecipient) }
}

/** The payments that the link still takes; exact in a transaction that holds the link (lockLinkForPayment). */
export async function countPaymentsLeft(db: Db, link: LinkRow) {
  return countLeft(db, link, PAID_STATUSES)
}

/** Whether one more payment may be tried. Payments in progress count as approved, except `released` of them. */
export async function hasPaymentLeft(tx: Transaction, link: LinkRow, released = 0) {
  const left = await countLeft(tx, link, [...PAID_STATUSES, ...IN_PROGRESS_STATUSES])
  return left + released > 0
}

async function countLeft(
  db: Db,
  { id, maxPayments }: LinkRow,
  counted: readonly TransactionStatus[],
) {
  if (maxPayments === null) return Number.POSITIVE_INFINITY
  const [taken] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(transactions)
    .where(and(eq(transactions.paymentLinkId, id), inArray(transactions.status, counted)))
  return maxPayments - requireFound(taken).count
}
