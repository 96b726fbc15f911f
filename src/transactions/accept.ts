// A Pix of which less came in than the price: beside waiting for the rest and giving it back, the company can take
// what came in for the whole. The payment is then one of that amount, and all that counts payments counts it so.

import { type NewAuditEntry, recordAudit } from '../companies/audit.ts'
import type { Transaction } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import { incomingPayments, refunds, transactions } from '../database/tables.ts'
import { formatBrl } from '../format.ts'
import { conflictError } from '../http/errors.ts'
import { hasOpenDispute } from './disputes/taken.ts'
import { sumCents } from './incoming/amounts.ts'
import { loadIncomingPayments } from './incoming/incoming-payment.ts'
import type { IncomingPaymentRow } from './incoming/row.ts'
import { lockPaymentWithLink } from './lock.ts'
import type { PayNeeds } from './needs.ts'
import { loadRefundable, type RefundSource } from './refunds/refundable.ts'
import { endAttempt } from './settle.ts'
import { recordStep } from './steps.ts'
import { transactionTexts } from './texts.ts'
import { isAmountMismatch, type TransactionRow } from './transaction.ts'

const NO_PAYOUT = { feeCents: null, expectedOn: null }

/** Who at the dashboard accepts it, for the audit log. */
type AcceptedBy = Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>

/** The payment as it is approved then; 409 `invalid_transition` where there is nothing to accept. */
export async function acceptReceived(
  { db, checkoutUrl, mail, metrics, now }: PayNeeds,
  { id, paymentLinkId }: TransactionRow,
  acceptedBy?: AcceptedBy,
): Promise<TransactionRow> {
  const at = now()
  const accepted = await db.transaction(async (tx) => {
    const { link, payment } = await lockPaymentWithLink(tx, id, paymentLinkId)
    const rows = await loadIncomingPayments(tx, payment, at)
    const inHand = await listInHand(tx, payment, at)
    const cents = sumCents(inHand.map(({ leftCents }) => leftCents))
    const details = { receivedCents: cents, totalCents: payment.totalCents }
    await tx
      .update(transactions)
      .set({ amountCents: cents, totalCents: cents, installmentCents: cents })
      .where(eq(transactions.id, id))
    await leaveOutWhatIsGone(tx, rows, inHand)
    const approvedAt = rows.at(-1)?.paidAt ?? at.toISOString()
    const approved = { status: 'approved' as const, approvedAt, holdReason: null }
    const ended = await endAttempt(
      tx,
      { ...payment, amountCents: cents, totalCents: cents },
      { link, changes: { ...approved, receivedCents: null }, payout: NO_PAYOUT },
      { checkoutUrl, mail, now: at, source: 'company' },
    )
    if (!ended) throw buildNotHeldError(payment)
    await recordStep(tx, { transactionId: id, kind: 'accepted', details, now: at })
    if (acceptedBy) {
      const { companyId } = payment
      const subject = { subjectId: id, subject: formatBrl(cents) }
      const entry = { ...acceptedBy, ...subject, companyId, now: at }
      await recordAudit(tx, { ...entry, action: 'payment_accepted' })
    }
    return ended
  })
  metrics?.countPayment(accepted, 'approved')
  return accepted
}

/** What has gone back of a Pix by now is no part of the sale. */
async function leaveOutWhatIsGone(
  tx: Transaction,
  rows: IncomingPaymentRow[],
  inHand: RefundSource[],
) {
  for (const { id, amountCents } of rows) {
    const leftCents = inHand.find((one) => one.incomingPaymentId === id)?.leftCents ?? 0
    const surplusCents = amountCents - leftCents
    await tx.update(incomingPayments).set({ surplusCents }).where(eq(incomingPayments.id, id))
  }
}

/** What of each Pix is the company's to take; throws while any of it is on its way back or contested. */
async function listInHand(
  tx: Transaction,
  payment: TransactionRow,
  now: Date,
): Promise<RefundSource[]> {
  if (payment.method !== 'pix' || !isAmountMismatch(payment)) throw buildNotHeldError(payment)
  const { id } = payment
  const pending = and(eq(refunds.transactionId, id), eq(refunds.status, 'pending'))
  if ((await tx.$count(refunds, pending)) > 0 || (await hasOpenDispute(tx, id)))
    throw conflictError('invalid_transition', transactionTexts.notAcceptedYet)
  const refundable = await loadRefundable(tx, payment, now)
  if (refundable.kind === 'refused' || refundable.leftCents === 0)
    throw conflictError('invalid_transition', transactionTexts.nothingLeft)
  return refundable.sources
}

function buildNotHeldError({ status }: TransactionRow) {
  const message = transactionTexts.nothingToAccept(transactionTexts.statuses[status])
  return conflictError('invalid_transition', message)
}
