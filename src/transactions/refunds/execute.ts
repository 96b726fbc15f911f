// Carries a refund out: its amount is set aside and committed, the provider is asked, the verdict is
// settled. The provider knows the refund by our id, so that asking it again refunds nothing twice.
import type { Database } from '../../database/connect.ts'
import { and, eq, ne, sql } from '../../database/drizzle.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { refunds, transactions } from '../../database/tables.ts'
import { conflictError } from '../../http/errors.ts'
import { getCapabilities } from '../../providers/capabilities.ts'
import { isAccountMissing } from '../../providers/open-accounts.ts'
import type { EarlierRefund, RefundKey, RefundOutcome } from '../../providers/provider.ts'
import { countCheck, getNextRefundCheckAt } from '../check-schedule.ts'
import { findIncomingPayment } from '../incoming/incoming-payment.ts'
import type { PayNeeds } from '../needs.ts'
import { scheduleCheckBefore } from '../progress.ts'
import { openPaymentAccount } from '../provider-account.ts'
import { classifyProviderError, tryRecordStep } from '../steps.ts'
import { type RefundRow, reloadTransaction, type TransactionRow } from '../transaction.ts'
import { createRefunds, type RefundOrder } from './create.ts'
import { mergeRefunds } from './order.ts'
import { reloadRefund, settleRefund } from './refund.ts'
import { refundTexts } from './texts.ts'

const REVERSAL_CHECK_DELAY_MS = MINUTE_MS

/** Carries out each order once: the same id again answers with the first, whose end may still be out. */
export async function executeRefund(needs: PayNeeds, order: RefundOrder): Promise<RefundRow> {
  await requireAccount(needs, order)
  const created = await createRefunds(needs.db, order, needs.now())
  if (created.kind === 'existing') return mergeRefunds(created.refunds)
  const sent: RefundRow[] = []
  for (const refund of created.refunds)
    sent.push(await trySendRefund(needs, refund, created.payment))
  return mergeRefunds(sent)
}

/** Throws 409 where the payment's account was removed: a refund would stay pending for ever. */
async function requireAccount(
  { db, providers }: PayNeeds,
  { companyId, transactionId }: RefundOrder,
) {
  const [payment] = await db
    .select({ provider: transactions.provider })
    .from(transactions)
    .where(and(eq(transactions.id, transactionId), eq(transactions.companyId, companyId)))
  if (!payment) return
  const failure = await providers.open(companyId, payment.provider).catch((error) => error)
  if (isAccountMissing(failure)) throw conflictError('invalid_transition', refundTexts.noAccount)
}

/** Never a failure of the request, which would be sent again as another refund. */
async function trySendRefund(needs: PayNeeds, refund: RefundRow, payment: TransactionRow) {
  try {
    return await sendRefund(needs, refund, payment)
  } catch (err) {
    const { id: refundId, transactionId } = refund
    needs.log.warn({ err, refundId, transactionId }, 'a refund failed without a verdict')
    const details = { reason: classifyProviderError(err), refundId }
    await tryRecordStep(needs, transactionId, { kind: 'provider_failed', details })
    return refund
  }
}

/** Asks the provider how a refund stands and applies its answer; one it knows nothing of is sent again. */
export async function checkRefund(needs: PayNeeds, refund: RefundRow): Promise<RefundRow> {
  const payment = await reloadTransaction(needs.db, refund.transactionId)
  const provider = await openPaymentAccount(needs, payment)
  const { key } = await loadRefundKey(needs.db, refund, payment)
  const outcome = await provider.findRefund(key, needs.now())
  return outcome.status === 'unknown'
    ? sendRefund(needs, refund, payment)
    : applyRefundOutcome(needs, refund, payment, outcome)
}

async function sendRefund(needs: PayNeeds, refund: RefundRow, payment: TransactionRow) {
  const provider = await openPaymentAccount(needs, payment)
  const { key, totalCents } = await loadRefundKey(needs.db, refund, payment)
  const earlier = await listEarlierRefunds(needs.db, refund)
  const request = { ...key, amountCents: refund.amountCents, totalCents, earlier }
  return applyRefundOutcome(needs, refund, payment, await provider.refund(request, needs.now()))
}

async function applyRefundOutcome(
  needs: PayNeeds,
  refund: RefundRow,
  payment: TransactionRow,
  outcome: RefundOutcome,
) {
  const { db, checkoutUrl, mail } = needs
  const now = needs.now()
  switch (outcome.status) {
    case 'unknown':
      return rescheduleRefundCheck(db, refund, now)
    case 'processing':
      await recordProcessingStep(needs, refund)
      return rescheduleRefundCheck(db, refund, now, { providerReference: outcome.reference })
    default: {
      const settled = await settleRefund(db, refund, outcome, { checkoutUrl, now, mail })
      // What went back there besides was taken to be part of this one while it was pending.
      if (getCapabilities(payment.provider).reversals)
        await scheduleCheckBefore(db, payment.id, getReversalCheckAt(now))
      return settled.kind === 'settled' ? settled.refund : reloadRefund(db, refund.id)
    }
  }
}

/** The refund's own row holds the rest: when it was asked for and how it ended. */
function recordProcessingStep(
  needs: PayNeeds,
  { id: refundId, transactionId, amountCents }: RefundRow,
) {
  const details = { refundId, status: 'processing', amountCents }
  return tryRecordStep(needs, transactionId, { kind: 'refund', details, once: true })
}

/** Asks again later, the more rarely the longer it takes. */
async function rescheduleRefundCheck(
  db: Database,
  refund: RefundRow,
  now: Date,
  changes: Partial<RefundRow> = {},
): Promise<RefundRow> {
  const [rescheduled] = await db
    .update(refunds)
    .set({
      ...changes,
      checkAt: getNextRefundCheckAt(refund, now),
      checks: countCheck(refund),
    })
    .where(and(eq(refunds.id, refund.id), eq(refunds.status, 'pending')))
    .returning()
  return rescheduled ?? (await reloadRefund(db, refund.id))
}

function getReversalCheckAt(now: Date) {
  return new Date(now.getTime() + REVERSAL_CHECK_DELAY_MS).toISOString()
}

/** By what the provider knows the refund and its money, and how much that was. */
async function loadRefundKey(
  db: Database,
  { id: refundId, providerReference: reference, incomingPaymentId }: RefundRow,
  payment: TransactionRow,
): Promise<{ key: RefundKey; totalCents: number }> {
  const { id: transactionId, method, pixEndToEndId } = payment
  const pix = incomingPaymentId ? await findIncomingPayment(db, incomingPaymentId) : undefined
  const key = {
    refundId,
    transactionId,
    method,
    chargeReference: payment.providerReference,
    endToEndId: pix?.endToEndId ?? pixEndToEndId,
    reference,
  }
  // Of a held payment the provider holds what came in.
  return { key, totalCents: pix?.amountCents ?? payment.receivedCents ?? payment.totalCents }
}

/** Of the same money; one that failed is none. */
async function listEarlierRefunds(
  db: Database,
  { id, transactionId, incomingPaymentId, createdAt }: RefundRow,
): Promise<EarlierRefund[]> {
  return db
    .select({
      reference: refunds.providerReference,
      amountCents: refunds.amountCents,
      isDone: sql<boolean>`${refunds.status} = 'succeeded'`,
    })
    .from(refunds)
    .where(
      and(
        eq(refunds.transactionId, transactionId),
        sql`${refunds.incomingPaymentId} is not distinct from ${incomingPaymentId}::uuid`,
        ne(refunds.status, 'failed'),
        sql`(${refunds.createdAt}, ${refunds.id}) < (${createdAt}::timestamptz, ${id}::uuid)`,
      ),
    )
}
