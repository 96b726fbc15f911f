// Money that goes back to a payer, in one or several parts.
//
//   pending ──▶ succeeded | failed
//
// A refund is written before the provider hears of it, so that its amount is spoken for: what is
// pending or has succeeded never adds up to more than was paid. This file keeps its row and ends it;
// give-back.ts walks it to the provider.
import type { Database, Transaction } from '../database/connect.ts'
import { and, desc, eq, lt, sql } from '../database/drizzle.ts'
import { paymentLinks, refunds, transactions } from '../database/tables.ts'
import type { TransactionStatus } from '../database/words.ts'
import { AppError, invalidFields, notFound } from '../http/errors.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { RefundVerdict } from '../providers/provider.ts'
import { texts } from '../texts.ts'
import { recordEvent } from '../webhooks/event.ts'
import { type TransactionRow, UNTOUCHED_MS } from './transaction.ts'
import { eventData, refundToWire } from './wire.ts'

export type RefundRow = typeof refunds.$inferSelect

export type RefundOrder = {
  id: string
  companyId: string
  transactionId: string
  /** All that is left when absent. */
  amountCents?: number | null | undefined
  reason?: string | null | undefined
}

/** A Pix may be given back for so many days (Banco Central, API Pix: PixDevolucaoInvalida). */
const PIX_WINDOW_DAYS = 90
const DAY_MS = 24 * 3_600_000

const REFUNDABLE: TransactionStatus[] = ['approved', 'partially_refunded']

/**
 * Sets the amount aside. `isNew` is false when this id was ordered before, by a request that was
 * repeated: then whoever ordered it first sees to it.
 */
export async function openRefund(db: Database, order: RefundOrder, now: Date) {
  return db.transaction(async (tx) => {
    const payment = await takePayment(tx, order)
    const [known] = await tx.select().from(refunds).where(eq(refunds.id, order.id))
    if (known) return { refund: known, payment, isNew: false }
    requireRefundable(payment, now)
    const amountCents = await amountOf(tx, payment, order.amountCents)

    const [refund] = await tx
      .insert(refunds)
      .values({
        id: order.id,
        companyId: order.companyId,
        transactionId: payment.id,
        amountCents,
        status: 'pending',
        reason: order.reason || null,
        checkAt: new Date(now.getTime() + UNTOUCHED_MS).toISOString(),
        createdAt: now.toISOString(),
        updatedAt: now.toISOString(),
      })
      .returning()
    return { refund: refund!, payment, isNew: true }
  })
}

/**
 * Applies what the provider said, once; null when it changes nothing. The refund, the payment's new
 * state, the event and its deliveries are one database transaction: all or none.
 */
export async function settleRefund(
  db: Database,
  refund: RefundRow,
  verdict: RefundVerdict,
  { checkoutUrl, now }: { checkoutUrl: string; now: Date },
): Promise<RefundRow | null> {
  const at = now.toISOString()
  return db.transaction(async (tx) => {
    const [settled] = await tx
      .update(refunds)
      .set({ ...changesOf(verdict), checkAt: null, updatedAt: at })
      .where(and(eq(refunds.id, refund.id), eq(refunds.status, 'pending')))
      .returning()
    if (!settled || settled.status === 'failed') return settled ?? null

    const payment = await takeOff(tx, settled, at)
    const link = await linkOf(tx, payment)
    const { companyId, testMode } = payment
    const data = eventData(payment, link, checkoutUrl, { refund: refundToWire(settled) })
    await recordEvent(tx, { companyId, type: 'transaction.refunded', testMode, data, now })
    return settled
  })
}

export async function findRefund(db: Database, id: string) {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id))
  return refund
}

type Page = { limit: number; cursor: string }

/** Up to `limit + 1` refunds of one payment, newest first, from below `cursor`. */
export async function listRefunds(db: Database, transactionId: string, { limit, cursor }: Page) {
  return db
    .select()
    .from(refunds)
    .where(and(eq(refunds.transactionId, transactionId), lt(refunds.id, cursor)))
    .orderBy(desc(refunds.id))
    .limit(limit + 1)
}

/** The payment, held until the end of the transaction: refunds of it are ordered one after another. */
async function takePayment(tx: Transaction, { companyId, transactionId }: RefundOrder) {
  const [payment] = await tx
    .select()
    .from(transactions)
    .where(and(eq(transactions.id, transactionId), eq(transactions.companyId, companyId)))
    .for('no key update')
  if (!payment) throw notFound(texts.transactions.notFound)
  return payment
}

function requireRefundable({ status, holdReason, method, approvedAt }: TransactionRow, now: Date) {
  if (!REFUNDABLE.includes(status)) {
    const message = holdReason ? texts.refunds.held : texts.refunds.notRefundable(status)
    throw new AppError(409, 'invalid_transition', message)
  }
  const age = now.getTime() - Date.parse(approvedAt!)
  if (method === 'pix' && age > PIX_WINDOW_DAYS * DAY_MS) {
    throw new AppError(409, 'refund_window_closed', texts.refunds.tooLate(PIX_WINDOW_DAYS))
  }
}

async function amountOf(
  tx: Transaction,
  payment: TransactionRow,
  wanted: RefundOrder['amountCents'],
) {
  const [pending] = await tx
    .select({ cents: sql<string>`coalesce(sum(amount_cents), 0)` })
    .from(refunds)
    .where(and(eq(refunds.transactionId, payment.id), eq(refunds.status, 'pending')))
  const left = payment.totalCents - payment.refundedCents - Number(pending!.cents)
  if (left === 0 && !wanted) throw new AppError(409, 'invalid_transition', texts.refunds.underWay)
  const amountCents = wanted ?? left
  if (amountCents <= left) return amountCents
  const message = texts.refunds.tooMuch(left)
  throw invalidFields([{ field: 'amountCents', code: 'too_big', message }])
}

function changesOf(verdict: RefundVerdict) {
  return verdict.status === 'succeeded'
    ? { status: verdict.status, providerReference: verdict.reference }
    : { status: verdict.status, failureReason: verdict.reason }
}

/** A payment that the payer's bank has taken back meanwhile stays so, whatever else is given back. */
async function takeOff(tx: Transaction, { transactionId, amountCents }: RefundRow, at: string) {
  const refunded = sql`refunded_cents + ${amountCents}::int`
  const [payment] = await tx
    .update(transactions)
    .set({
      refundedCents: refunded,
      status: sql`case when status not in ('approved', 'partially_refunded') then status
        when ${refunded} = total_cents then 'refunded' else 'partially_refunded' end`,
      updatedAt: at,
    })
    .where(eq(transactions.id, transactionId))
    .returning()
  return payment!
}

/** As it stands, and never locked: who settles a payment takes the link before the payment. */
async function linkOf(tx: Transaction, { paymentLinkId }: TransactionRow): Promise<LinkRow> {
  const [link] = await tx.select().from(paymentLinks).where(eq(paymentLinks.id, paymentLinkId))
  return link!
}
