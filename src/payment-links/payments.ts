// How many payments of a link count towards its `maxPayments`, and what they brought.

import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, sql } from '../database/drizzle.ts'
import { IN_PROGRESS_STATUSES, PAID_STATUSES, type TransactionStatus } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { memoizeByDb } from '../database/memoize.ts'
import { transactions } from '../database/tables.ts'
import type { LinkRow } from './payment-link.ts'

/** Payments approved so far and what they brought, refunds taken off. */
export async function sumPayments(db: Database, linkId: string) {
  const [sums] = await paymentSumsQuery(db).execute({ linkId })
  const { count, cents } = requireFound(sums)
  return { paymentsCount: count, amountReceivedCents: Number(cents) }
}

/** How many payments count towards `maxPayments`. */
export async function countPayments(tx: Transaction, linkId: string) {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(transactions)
    .where(and(eq(transactions.paymentLinkId, linkId), IS_PAID))
  return requireFound(row).count
}

/** How many more payments a link takes. */
export async function countPaymentsLeft(tx: Transaction, link: LinkRow) {
  return countLeft(tx, link, PAID_STATUSES)
}

/** Whether one more may be tried, were all whose verdict is still out to be approved. */
export async function hasPaymentLeft(tx: Transaction, link: LinkRow) {
  return (await countLeft(tx, link, [...PAID_STATUSES, ...IN_PROGRESS_STATUSES])) > 0
}

/** One with `maxPayments` is locked by then (lockLinkForPayment). */
async function countLeft(
  tx: Transaction,
  { id, maxPayments }: LinkRow,
  counted: readonly TransactionStatus[],
) {
  if (maxPayments === null) return Number.POSITIVE_INFINITY
  const [taken] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(transactions)
    .where(and(eq(transactions.paymentLinkId, id), inArray(transactions.status, counted)))
  return maxPayments - requireFound(taken).count
}

const IS_PAID = inArray(transactions.status, PAID_STATUSES)

const paymentSumsQuery = memoizeByDb((db: Database) =>
  db
    .select({
      count: sql<number>`count(*)::int`,
      cents: sql<string>`coalesce(sum(greatest(0, total_cents - refunded_cents - charged_back_cents)), 0)`,
    })
    .from(transactions)
    .where(and(eq(transactions.paymentLinkId, sql.placeholder('linkId')), IS_PAID))
    .prepare('link_payment_sums'),
)
