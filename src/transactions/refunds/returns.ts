// Money that went back, as far as the provider says so: of refunds of ours what they had not heard of, by the
// names that they bear there; what is left of its total beside them was given back at the provider without us.
// Refunds of ours that are pending are taken to be part of that total: what they turn out not to be is seen the
// next time.

import type { Database, Transaction } from '../../database/connect.ts'
import { asc, eq } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { newId } from '../../database/id.ts'
import { refunds } from '../../database/tables.ts'
import type { Approval, ProviderReturn, ReceivedPix } from '../../providers/provider.ts'
import { sumCents } from '../incoming/amounts.ts'
import type { IncomingPaymentRow } from '../incoming/row.ts'
import { lockPayment } from '../lock.ts'
import type { PayNeeds, PublishContext } from '../needs.ts'
import { type RefundRow, reloadTransaction, type TransactionRow } from '../transaction.ts'
import { applyRefund } from './refund.ts'
import { isRefundable } from './refundable.ts'
import { refundTexts } from './texts.ts'

type ReportedPix = { rows: readonly IncomingPaymentRow[]; received: readonly ReceivedPix[] }

/** Of each Pix what the bank says has gone back of it; null when that is known. */
export async function recordReturns(
  tx: Transaction,
  payment: TransactionRow,
  { rows, received }: ReportedPix,
  context: PublishContext,
): Promise<TransactionRow | null> {
  let current: TransactionRow | null = null
  for (const { id: incomingPaymentId, endToEndId, amountCents, refundedCents } of rows) {
    const pix = received.find((one) => one.endToEndId === endToEndId)
    const goneCents = Math.min(pix?.refundedCents ?? 0, amountCents)
    if (goneCents <= refundedCents) continue
    const told = { incomingPaymentId, goneCents, returns: pix?.returns ?? [] }
    current = (await recordGone(tx, current ?? payment, told, context)) ?? current
  }
  return current
}

/** The same of a card, of which only one total is told. */
export async function recordCardReturn(
  db: Database,
  { id, companyId }: TransactionRow,
  { refundedCents = 0, returns = [] }: { refundedCents?: number; returns?: ProviderReturn[] },
  context: PublishContext,
): Promise<void> {
  await db.transaction(async (tx) => {
    const payment = await lockPayment(tx, { companyId, transactionId: id })
    if (!isRefundable(payment)) return
    const goneCents = Math.min(refundedCents, payment.totalCents)
    await recordGone(tx, payment, { incomingPaymentId: null, goneCents, returns }, context)
  })
}

type ReportedReturns = {
  /** Null of a card. */
  incomingPaymentId: string | null
  goneCents: number
  returns: readonly ProviderReturn[]
}

async function recordGone(
  tx: Transaction,
  payment: TransactionRow,
  { incomingPaymentId, goneCents, returns }: ReportedReturns,
  context: PublishContext,
) {
  const those = incomingPaymentId
    ? eq(refunds.incomingPaymentId, incomingPaymentId)
    : eq(refunds.transactionId, payment.id)
  const known = await tx.select().from(refunds).where(those).orderBy(asc(refunds.id))
  let oursCents = sumCents(
    known.filter(({ status }) => status !== 'failed').map(({ amountCents }) => amountCents),
  )
  let current: TransactionRow | null = null
  for (const refund of known.filter((one) => isUnheardReturn(one, returns))) {
    // One that was called failed may have been booked as made at the provider since.
    if (refund.status === 'failed') {
      if (oursCents + refund.amountCents > goneCents) continue
      oursCents += refund.amountCents
    }
    const done = await markDone(tx, refund, context.now)
    current = await applyRefund(tx, done, current ?? payment, context)
  }
  if (goneCents <= oursCents) return current
  const made = { incomingPaymentId, amountCents: goneCents - oursCents }
  const refund = await insertReturn(tx, payment, made, context.now)
  return applyRefund(tx, refund, current ?? payment, context)
}

/** Done there, and not yet here. Banks and Woovi know a refund by our id, which banks write without dashes. */
function isUnheardReturn(
  { id, status, providerReference }: RefundRow,
  returns: readonly ProviderReturn[],
) {
  const names = [providerReference, id, id.replaceAll('-', '')]
  return status !== 'succeeded' && returns.some(({ reference }) => names.includes(reference))
}

async function markDone(tx: Transaction, { id }: RefundRow, now: Date) {
  const [done] = await tx
    .update(refunds)
    .set({
      ...{ status: 'succeeded', failureReason: null, missingSince: null, checkAt: null },
      updatedAt: now.toISOString(),
    })
    .where(eq(refunds.id, id))
    .returning()
  return requireFound(done)
}

async function insertReturn(
  tx: Transaction,
  { id: transactionId, companyId }: TransactionRow,
  made: Pick<RefundRow, 'incomingPaymentId' | 'amountCents'>,
  now: Date,
) {
  const at = now.toISOString()
  const [refund] = await tx
    .insert(refunds)
    .values({
      id: newId(),
      ...{ companyId, transactionId, ...made },
      status: 'succeeded',
      reason: refundTexts.atProvider,
      createdAt: at,
      updatedAt: at,
    })
    .returning()
  return refund!
}

/**
 * Money that went back from an approved payment without us: refunds made at the provider. However often the
 * provider says so, each is recorded once. What payers' banks take is in disputes/.
 */
type ReversalNeeds = Pick<PayNeeds, 'db' | 'checkoutUrl' | 'mail' | 'now'>

/** The payment as it stands after what the provider says has gone back of it; of a Pix, settle does it. */
export async function recordReversals(
  { db, checkoutUrl, mail, now }: ReversalNeeds,
  payment: TransactionRow,
  approval: Approval,
): Promise<TransactionRow> {
  if (approval.received || payment.approvedAt === null) return payment
  if ((approval.refundedCents ?? 0) <= payment.refundedCents) return payment
  await recordCardReturn(db, payment, approval, { checkoutUrl, now: now(), mail })
  return reloadTransaction(db, payment.id)
}
