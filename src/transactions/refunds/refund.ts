// Money that goes back to a payer, in one or several parts.
//
//   pending ──▶ succeeded | failed
//
// create.ts writes it before the provider is asked for it, refundable.ts says how much may go back,
// execute.ts sends it to the provider, and this file ends it.

import type { Database, Transaction } from '../../database/connect.ts'
import { and, eq, sql } from '../../database/drizzle.ts'
import { type EventType, REFUNDABLE_STATUSES } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { incomingPayments, refunds, transactions } from '../../database/tables.ts'
import { bookMovements } from '../../movements/book.ts'
import { readPaymentLink } from '../../payment-links/payment-link.ts'
import type { RefundVerdict } from '../../providers/provider.ts'
import { recordEvent } from '../../webhooks/events/event.ts'
import { isHeldMoneyGone } from '../disputes/taken.ts'
import { queueRefundMail } from '../emails.ts'
import { computeSaleRefund, getSurplusLeft, sumCents } from '../incoming/amounts.ts'
import { listIncomingPayments, loadIncomingPayments } from '../incoming/incoming-payment.ts'
import type { IncomingPaymentRow } from '../incoming/row.ts'
import { serializeIncomingPayment } from '../incoming/schema.ts'
import { lockPayment } from '../lock.ts'
import type { PublishContext } from '../needs.ts'
import { toTransactionEventData } from '../serialize.ts'
import type { RefundRow, TransactionRow } from '../transaction.ts'
import { serializeRefund } from './schema.ts'

type SettleRefundResult = { kind: 'settled'; refund: RefundRow } | { kind: 'unchanged' }

/**
 * Applies what the provider said, once. The refund, the payment's new state, the events, their
 * deliveries and the e-mail are one database transaction: all or none.
 */
export async function settleRefund(
  db: Database,
  refund: RefundRow,
  verdict: RefundVerdict,
  context: PublishContext,
): Promise<SettleRefundResult> {
  const at = context.now.toISOString()
  return db.transaction(async (tx) => {
    const payment = await lockPayment(tx, refund)
    // One that a version before this one has written does not say yet of which Pix it is.
    if (!refund.incomingPaymentId) await loadIncomingPayments(tx, payment, context.now)
    const [settled] = await tx
      .update(refunds)
      .set({ ...toRefundChanges(verdict), missingSince: null, checkAt: null, updatedAt: at })
      .where(
        and(eq(refunds.id, refund.id), eq(refunds.status, 'pending'), isUnclaimed(refund, verdict)),
      )
      .returning()
    if (settled?.status === 'succeeded') await applyRefund(tx, settled, payment, context)
    return settled ? { kind: 'settled', refund: settled } : { kind: 'unchanged' }
  })
}

/** As it stands by now: a refund is never deleted. */
export async function reloadRefund(db: Database, id: string): Promise<RefundRow> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id))
  return requireFound(refund)
}

function toRefundChanges(verdict: RefundVerdict) {
  const providerReference = verdict.reference ? { providerReference: verdict.reference } : {}
  return verdict.status === 'succeeded'
    ? { status: verdict.status, ...providerReference }
    : { status: verdict.status, failureReason: verdict.reason, ...providerReference }
}

/** What the provider names is one refund: of those that it may be, one takes it. */
function isUnclaimed({ id, transactionId }: RefundRow, { reference }: RefundVerdict) {
  return reference === undefined
    ? undefined
    : sql`not exists (select from ${refunds} other where other.transaction_id = ${transactionId}
        and other.id <> ${id} and other.provider_reference = ${reference})`
}

/** The payment as it stands then. A payment that was charged back meanwhile stays so. */
export async function applyRefund(
  tx: Transaction,
  refund: RefundRow,
  payment: TransactionRow,
  context: PublishContext,
): Promise<TransactionRow> {
  const rows = refund.incomingPaymentId ? await listIncomingPayments(tx, payment.id) : []
  const source = rows.find(({ id }) => id === refund.incomingPaymentId)
  if (!source) return applyCardRefund(tx, refund, payment, context)

  const refundedCents = Math.min(source.refundedCents + refund.amountCents, source.amountCents)
  const returned = { ...source, refundedCents, updatedAt: context.now.toISOString() }
  const { id, updatedAt } = returned
  await tx
    .update(incomingPayments)
    .set({ refundedCents, updatedAt })
    .where(eq(incomingPayments.id, id))
  const now = rows.map((row) => (row.id === id ? returned : row))
  const saleRefund = Math.max(payment.refundedCents, computeSaleRefund(payment.totalCents, now))
  const changes = payment.approvedAt
    ? toRefundedColumns(payment, Math.min(saleRefund, payment.totalCents))
    : await endHeldPayment(tx, payment)
  const updated = await updatePayment(tx, payment, changes, context.now)
  const sums = {
    paidCents: sumCents(now.map((row) => row.amountCents)),
    refundedCents: sumCents(now.map((row) => row.refundedCents)),
  }
  const news = [
    ...listPixNews(payment, updated, { before: source, after: returned }),
    ...listChargedBackNews(payment, updated),
  ]
  await publishRefund(
    tx,
    { refund, payment: updated, news, incomingPayment: returned, ...sums },
    context,
  )
  return updated
}

/** One that is held is over; what came in of it was never part of the total. */
async function applyCardRefund(
  tx: Transaction,
  refund: RefundRow,
  payment: TransactionRow,
  context: PublishContext,
) {
  const { approvedAt, totalCents, receivedCents } = payment
  const gone = Math.min(payment.refundedCents + refund.amountCents, totalCents)
  const changes = approvedAt ? toRefundedColumns(payment, gone) : await endHeldPayment(tx, payment)
  const updated = await updatePayment(tx, payment, changes, context.now)
  const sums = approvedAt
    ? { paidCents: totalCents, refundedCents: updated.refundedCents }
    : { paidCents: receivedCents ?? totalCents, refundedCents: refund.amountCents }
  const returnedCents = updated.refundedCents - payment.refundedCents
  const news = approvedAt
    ? [
        { type: 'transaction.refunded' as const, returnedCents },
        ...listChargedBackNews(payment, updated),
      ]
    : listHeldNews(updated)
  await publishRefund(tx, { refund, payment: updated, news, ...sums }, context)
  return updated
}

/** It is over when nothing of what came in is left. */
async function endHeldPayment(tx: Transaction, payment: TransactionRow) {
  const isOver = await isHeldMoneyGone(tx, payment)
  return isOver ? { status: 'canceled' as const } : {}
}

function toRefundedColumns(payment: TransactionRow, refundedCents: number) {
  const { status, totalCents, chargedBackCents } = payment
  if (!REFUNDABLE_STATUSES.includes(status)) return { refundedCents }
  if (refundedCents === 0) return { refundedCents }
  if (refundedCents === totalCents) return { refundedCents, status: 'refunded' as const }
  // Nothing is left by what disputes took before, as if they had come last.
  const isLostWhole = chargedBackCents > 0 && refundedCents + chargedBackCents >= totalCents
  return {
    refundedCents,
    status: isLostWhole ? ('charged_back' as const) : ('partially_refunded' as const),
  }
}

async function updatePayment(
  tx: Transaction,
  { id }: TransactionRow,
  changes: Partial<TransactionRow>,
  now: Date,
) {
  const [updated] = await tx
    .update(transactions)
    .set({ ...changes, updatedAt: now.toISOString() })
    .where(eq(transactions.id, id))
    .returning()
  await bookMovements(tx, [id], { bookedAt: now })
  return requireFound(updated)
}

type ReturnedPix = { before: IncomingPaymentRow; after: IncomingPaymentRow }

function listPixNews(
  before: TransactionRow,
  payment: TransactionRow,
  pix: ReturnedPix,
): RefundNews[] {
  if (payment.approvedAt === null) return listHeldNews(payment)
  const ofSale = payment.refundedCents - before.refundedCents
  const ofSurplus = getSurplusLeft(pix.before) - getSurplusLeft(pix.after)
  const news = [
    { type: 'transaction.refunded' as const, returnedCents: ofSale },
    { type: 'transaction.surplus_refunded' as const, returnedCents: ofSurplus },
  ]
  return news.filter(({ returnedCents }) => returnedCents > 0)
}

/** Of a payment that was held there is no refund: it never counted. */
function listHeldNews({ status }: TransactionRow): RefundNews[] {
  return status === 'canceled' ? [{ type: 'transaction.canceled' }] : []
}

function listChargedBackNews(before: TransactionRow, { status }: TransactionRow): RefundNews[] {
  const isNews = status === 'charged_back' && before.status !== status
  return isNews ? [{ type: 'transaction.charged_back' }] : []
}

/** One refund may give back of both, the sale and what came in beyond it: each is told with its own share. */
type RefundNews = { type: EventType; returnedCents?: number }

type PublishedRefund = {
  refund: RefundRow
  payment: TransactionRow
  news: RefundNews[]
  incomingPayment?: IncomingPaymentRow
  paidCents: number
  refundedCents: number
}

async function publishRefund(
  tx: Transaction,
  { news, incomingPayment, ...told }: PublishedRefund,
  { checkoutUrl, now, mail }: PublishContext,
) {
  const { payment, refund } = told
  const { companyId, testMode } = payment
  const link = await readPaymentLink(tx, payment.paymentLinkId)
  for (const { type, returnedCents } of news) {
    const more = {
      ...(returnedCents !== undefined && {
        ...{ refund: serializeRefund(refund, testMode), returnedCents },
      }),
      ...(type === 'transaction.surplus_refunded' &&
        incomingPayment && {
          incomingPayment: serializeIncomingPayment(incomingPayment),
        }),
    }
    const data = toTransactionEventData(payment, link, checkoutUrl, more)
    await recordEvent(tx, { companyId, type, testMode, data, now })
  }
  await queueRefundMail(mail, tx, { ...told, link }, { checkoutUrl, now })
}
