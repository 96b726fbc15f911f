// Money that goes back to a payer, in one or several parts.
//
//   pending ──▶ succeeded | failed
//
// A refund is written before the provider is asked for it, so that its amount is spoken for: what is
// pending or has succeeded never adds up to more than was paid. This file keeps its row and ends it;
// refundable.ts says how much may go back, execute.ts sends it to the provider.

import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { and, desc, eq, lt, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { newId } from '../../database/id.ts'
import { refunds, transactions } from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import { conflictError, notFoundError } from '../../http/errors.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { readPaymentLink } from '../../payment-links/payment-link.ts'
import type { RefundVerdict } from '../../providers/provider.ts'
import { recordEvent } from '../../webhooks/events/event.ts'
import { queueRefundMail } from '../emails.ts'
import { toTransactionEventData } from '../serialize.ts'
import { transactionTexts } from '../texts.ts'
import { IN_FLIGHT_MS, type RefundRow, type TransactionRow } from '../transaction.ts'
import {
  checkRefundable,
  computeUnrefundedCents,
  isRefundable,
  resolveRefundAmount,
} from './refundable.ts'
import { serializeRefund } from './serialize.ts'
import { refundTexts } from './texts.ts'

export type RefundOrder = {
  id: string
  companyId: string
  transactionId: string
  /** All that is left when absent. */
  amountCents?: number | null | undefined
  reason?: string | null | undefined
  /** Who at the dashboard asks for it, for the audit log. */
  requestedBy?: Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>
}

type RefundContext = { checkoutUrl: string; now: Date; mail?: Outbox | null | undefined }

/** Existing: this id was ordered before, by a request that was repeated. Whoever ordered it first sees to it. */
type CreateRefundResult =
  | { kind: 'created'; refund: RefundRow; payment: TransactionRow }
  | { kind: 'existing'; refund: RefundRow }

/** Sets the amount aside. */
export async function createRefund(
  db: Database,
  order: RefundOrder,
  now: Date,
): Promise<CreateRefundResult> {
  return db.transaction(async (tx) => {
    const payment = await lockPayment(tx, order)
    const [known] = await tx.select().from(refunds).where(eq(refunds.id, order.id))
    if (known && known.transactionId !== payment.id) throw notFoundError(transactionTexts.notFound)
    if (known) return { kind: 'existing', refund: known }
    const check = checkRefundable(payment, now)
    if (check.kind === 'refused') throw conflictError(check.code, check.message)
    const amountCents = await resolveRefundAmount(tx, payment, order.amountCents)

    const [refund] = await tx
      .insert(refunds)
      .values({
        id: order.id,
        companyId: order.companyId,
        transactionId: payment.id,
        amountCents,
        status: 'pending',
        reason: order.reason || null,
        checkAt: new Date(now.getTime() + IN_FLIGHT_MS).toISOString(),
        createdAt: now.toISOString(),
        updatedAt: now.toISOString(),
      })
      .returning()
    if (order.requestedBy)
      await recordAudit(tx, toRefundAuditEntry(order, order.requestedBy, amountCents, now))
    return { kind: 'created', refund: refund!, payment }
  })
}

type SettleRefundResult = { kind: 'settled'; refund: RefundRow } | { kind: 'unchanged' }

/**
 * Applies what the provider said, once. The refund, the payment's new state, the event, its deliveries
 * and the e-mail are one database transaction: all or none. Of a payment that was held there is no
 * event: it never counted.
 */
export async function settleRefund(
  db: Database,
  refund: RefundRow,
  verdict: RefundVerdict,
  context: RefundContext,
): Promise<SettleRefundResult> {
  const at = context.now.toISOString()
  return db.transaction(async (tx) => {
    const [settled] = await tx
      .update(refunds)
      .set({ ...toRefundChanges(verdict), checkAt: null, updatedAt: at })
      .where(and(eq(refunds.id, refund.id), eq(refunds.status, 'pending')))
      .returning()
    if (settled?.status === 'succeeded') await applyRefund(tx, settled, context)
    return settled ? { kind: 'settled', refund: settled } : { kind: 'unchanged' }
  })
}

/**
 * Records what has gone back at the provider without us, where its total says so. Refunds of ours that
 * are pending are taken to be part of that total: what they turn out not to be is seen the next time.
 */
export async function recordProviderRefund(
  db: Database,
  { id, companyId }: TransactionRow,
  totalRefundedCents: number,
  context: RefundContext,
): Promise<void> {
  const at = context.now.toISOString()
  await db.transaction(async (tx) => {
    const payment = await lockPayment(tx, { companyId, transactionId: id })
    if (!isRefundable(payment)) return
    const gone = Math.min(totalRefundedCents, payment.totalCents)
    const amountCents = (await computeUnrefundedCents(tx, payment)) - (payment.totalCents - gone)
    if (amountCents <= 0) return

    const [refund] = await tx
      .insert(refunds)
      .values({
        id: newId(),
        companyId,
        transactionId: id,
        amountCents,
        status: 'succeeded',
        reason: refundTexts.atProvider,
        createdAt: at,
        updatedAt: at,
      })
      .returning()
    await applyRefund(tx, refund!, context)
  })
}

/** As it stands by now: a refund is never deleted. */
export async function reloadRefund(db: Database, id: string): Promise<RefundRow> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id))
  return requireFound(refund)
}

type RefundPageQuery = { limit: number; cursor: string }

/** Up to `limit + 1` refunds of one payment, newest first, from below `cursor`. */
export async function listRefunds(
  db: Database,
  transactionId: string,
  { limit, cursor }: RefundPageQuery,
) {
  return db
    .select()
    .from(refunds)
    .where(and(eq(refunds.transactionId, transactionId), lt(refunds.id, cursor)))
    .orderBy(desc(refunds.id))
    .limit(limit + 1)
}

/** The payment, held until the end of the transaction: refunds of it are ordered one after another. */
async function lockPayment(
  tx: Transaction,
  { companyId, transactionId }: Pick<RefundOrder, 'companyId' | 'transactionId'>,
) {
  const [payment] = await tx
    .select()
    .from(transactions)
    .where(and(eq(transactions.id, transactionId), eq(transactions.companyId, companyId)))
    .for('no key update')
  if (!payment) throw notFoundError(transactionTexts.notFound)
  return payment
}

function toRefundAuditEntry(
  { companyId, transactionId }: RefundOrder,
  by: NonNullable<RefundOrder['requestedBy']>,
  amountCents: number,
  now: Date,
): NewAuditEntry {
  const subject = { subjectId: transactionId, subject: formatBrl(amountCents) }
  return { ...by, ...subject, companyId, action: 'refund_asked', now }
}

function toRefundChanges(verdict: RefundVerdict) {
  return verdict.status === 'succeeded'
    ? { status: verdict.status, providerReference: verdict.reference }
    : { status: verdict.status, failureReason: verdict.reason }
}

/**
 * Takes the refund off its payment and emits it. A payment that the payer's bank has taken back
 * meanwhile stays so, whatever else is refunded. One that was held is over; what came in of it was
 * never part of the total, and may be more than it.
 */
async function applyRefund(
  tx: Transaction,
  refund: RefundRow,
  { checkoutUrl, now, mail }: RefundContext,
) {
  const { transactionId, amountCents, companyId } = refund
  const refunded = sql`case when approved_at is null then refunded_cents
    else least(refunded_cents + ${amountCents}::int, total_cents) end`
  const [updated] = await tx
    .update(transactions)
    .set({
      refundedCents: refunded,
      status: sql`case when approved_at is null then 'canceled'
        when status not in ('approved', 'partially_refunded') then status
        when (${refunded}) = total_cents then 'refunded' else 'partially_refunded' end`,
      updatedAt: now.toISOString(),
    })
    .where(eq(transactions.id, transactionId))
    .returning()
  const payment = requireFound(updated)
  const { testMode, approvedAt } = payment
  const link = await readPaymentLink(tx, payment.paymentLinkId)
  const data = toTransactionEventData(payment, link, checkoutUrl, {
    refund: serializeRefund(refund),
  })
  const event = { companyId, type: 'transaction.refunded', testMode, data, now } as const
  if (approvedAt !== null) await recordEvent(tx, event)
  await queueRefundMail(mail, tx, { refund, payment, link }, { checkoutUrl, now })
}
