// How many payments of a link count towards its `maxPayments`, and what they brought. Of a link for real
// money those of test mode do not count, and the other way round.

import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, sql } from '../database/drizzle.ts'
import { IN_PROGRESS_STATUSES, PAID_STATUSES, type TransactionStatus } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { memoizeByDb } from '../database/memoize.ts'
import { transactions } from '../database/tables.ts'
import type { LinkRow } from './payment-link.ts'
import { isTestLinkSql } from './test-mode.ts'

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
    .where(and(eq(transactions.paymentLinkId, linkId), IS_PAID, buildModeCondition(linkId)))
  return requireFound(row).count
}

type CountedPayment = Pick<typeof transactions.$inferSelect, 'testMode'>

/** How many more payments a link takes; one that does not count there always finds one left. */
export async function countPaymentsLeft(tx: Transaction, link: LinkRow, payment: CountedPayment) {
  return countLeft(tx, link, PAID_STATUSES, payment)
}

/** Whether one more may be tried, were all whose verdict is still out to be approved. */
export async function hasPaymentLeft(tx: Transaction, link: LinkRow, payment: CountedPayment) {
  return (await countLeft(tx, link, [...PAID_STATUSES, ...IN_PROGRESS_STATUSES], payment)) > 0
}

/** One with `maxPayments` is locked by then (lockLinkForPayment). */
async function countLeft(
  tx: Transaction,
  { id, maxPayments }: LinkRow,
  counted: readonly TransactionStatus[],
  { testMode }: CountedPayment,
) {
  if (maxPayments === null) return Number.POSITIVE_INFINITY
  const [taken] = await tx
    .select({ count: sql<number>`count(*)::int`, ofTests: sql<boolean>`${isTestLinkSql(id)}` })
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentLinkId, id),
        inArray(transactions.status, counted),
        eq(transactions.testMode, testMode),
      ),
    )
  const { count, ofTests } = requireFound(taken)
  return ofTests === testMode ? maxPayments - count : Number.POSITIVE_INFINITY
}

const IS_PAID = inArray(transactions.status, PAID_STATUSES)
const buildModeCondition = (linkId: unknown) =>
  sql`${transactions.testMode} = ${isTestLinkSql(linkId)}`

const paymentSumsQuery = memoizeByDb((db: Database) =>
  db
    .select({
      count: sql<number>`count(*)::int`,
      cents: sql<string>`coalesce(sum(greatest(0, total_cents - refunded_cents - charged_back_cents)), 0)`,
    })
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentLinkId, sql.placeholder('linkId')),
        IS_PAID,
        buildModeCondition(sql.placeholder('linkId')),
      ),
    )
    .prepare('link_payment_sums'),
)
