// Carries a refund out: its amount is set aside and committed, the provider is asked, the verdict is
// settled. The provider knows the refund by our id, so that asking it again refunds nothing twice.
import type { Database } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { refunds } from '../../database/tables.ts'
import { getCapabilities } from '../../providers/capabilities.ts'
import type { RefundKey, RefundOutcome } from '../../providers/provider.ts'
import { countCheck, getNextRefundCheckAt } from '../check-schedule.ts'
import type { PayNeeds } from '../needs.ts'
import { scheduleCheckBefore } from '../progress.ts'
import { openPaymentAccount } from '../provider-account.ts'
import { classifyProviderError, tryRecordStep } from '../steps.ts'
import { type RefundRow, reloadTransaction, type TransactionRow } from '../transaction.ts'
import { createRefund, type RefundOrder, reloadRefund, settleRefund } from './refund.ts'

const REVERSAL_CHECK_DELAY_MS = MINUTE_MS

/** Carries out each order once: the same id again answers with the first, whose end may still be out. */
export async function executeRefund(needs: PayNeeds, order: RefundOrder): Promise<RefundRow> {
  const created = await createRefund(needs.db, order, needs.now())
  const { refund } = created
  if (created.kind === 'existing') return refund
  try {
    return await sendRefund(needs, refund, created.payment)
  } catch (err) {
    // Never a failure of the request, which would be sent again as another refund.
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
  const outcome = await provider.findRefund(toRefundKey(refund, payment), needs.now())
  return outcome.status === 'unknown'
    ? sendRefund(needs, refund, payment)
    : applyRefundOutcome(needs, refund, payment, outcome)
}

async function sendRefund(needs: PayNeeds, refund: RefundRow, payment: TransactionRow) {
  const provider = await openPaymentAccount(needs, payment)
  const { amountCents } = refund
  // Of a held payment the provider holds what came in.
  const totalCents = payment.receivedCents ?? payment.totalCents
  const request = { ...toRefundKey(refund, payment), amountCents, totalCents }
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

function toRefundKey(
  { id: refundId, providerReference: reference }: RefundRow,
  payment: TransactionRow,
): RefundKey {
  const { id: transactionId, method, pixEndToEndId } = payment
  return {
    refundId,
    transactionId,
    method,
    chargeReference: payment.providerReference,
    endToEndId: pixEndToEndId,
    reference,
  }
}
