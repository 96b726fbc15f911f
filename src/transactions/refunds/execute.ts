// The walk of one refund: its amount is set aside and committed, the provider is asked, the verdict is
// settled. The provider knows the refund by our id, so that asking it again gives nothing back twice.
import type { Database } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import { refunds } from '../../database/tables.ts'
import { getCapabilities } from '../../providers/capabilities.ts'
import type { RefundKey, RefundOutcome } from '../../providers/provider.ts'
import type { PayNeeds } from '../needs.ts'
import { openPaymentAccount } from '../pay.ts'
import { scheduleCheckBefore } from '../progress.ts'
import { classifyProviderError, tryRecordStep } from '../timeline/steps.ts'
import { findTransaction, type RefundRow, type TransactionRow } from '../transaction.ts'
import { createRefund, findRefund, type RefundOrder, settleRefund } from './refund.ts'

const REFUND_CHECK_DELAYS_MS = [5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 300_000, 900_000]
const REVERSAL_CHECK_DELAY_MS = 60_000

/** Carries out each order once: the same id again answers with the first, whose end may still be out. */
export async function executeRefund(needs: PayNeeds, order: RefundOrder): Promise<RefundRow> {
  const { refund, payment, isNew } = await createRefund(needs.db, order, needs.now())
  if (!isNew) return refund
  try {
    return await sendRefund(needs, refund, payment)
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
  const payment = (await findTransaction(needs.db, refund.transactionId))!
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
      // What went back there besides was taken to be part of this one while it was under way.
      if (getCapabilities(payment.provider).reversals)
        await scheduleCheckBefore(db, payment.id, getReversalCheckAt(now))
      return settled ?? (await findRefund(db, refund.id))!
    }
  }
}

/** The refund's own row tells the rest: when it was asked for and how it ended. */
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
  const delay = REFUND_CHECK_DELAYS_MS[Math.min(refund.checks, REFUND_CHECK_DELAYS_MS.length - 1)]!
  const [postponed] = await db
    .update(refunds)
    .set({
      ...changes,
      checkAt: new Date(now.getTime() + delay).toISOString(),
      checks: Math.min(refund.checks + 1, 1_000),
    })
    .where(and(eq(refunds.id, refund.id), eq(refunds.status, 'pending')))
    .returning()
  return postponed ?? (await findRefund(db, refund.id))!
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
