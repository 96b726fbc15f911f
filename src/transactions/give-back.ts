// The walk of one refund: its amount is set aside and committed, the provider is asked, the verdict is
// settled. The provider knows the refund by our id, so that asking it again gives nothing back twice.
import type { Database } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import { refunds } from '../database/tables.ts'
import type { RefundKey, RefundOutcome } from '../providers/provider.ts'
import type { PayNeeds } from './pay.ts'
import { findRefund, openRefund, type RefundOrder, type RefundRow, settleRefund } from './refund.ts'
import { findTransaction, type TransactionRow } from './transaction.ts'

const CHECK_DELAYS_MS = [5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 300_000, 900_000]

/** Carries out each order once: the same id again answers with the first, whose end may still be out. */
export async function giveBack(needs: PayNeeds, order: RefundOrder): Promise<RefundRow> {
  const { refund, payment, isNew } = await openRefund(needs.db, order, needs.now())
  if (!isNew) return refund
  try {
    return await send(needs, refund, payment)
  } catch (err) {
    // Never a failure of the request, which would be sent again as another refund.
    const { id: refundId, transactionId } = refund
    needs.log.warn({ err, refundId, transactionId }, 'a refund failed without a verdict')
    return refund
  }
}

/** Asks the provider how a refund stands and applies its answer; one it knows nothing of is sent again. */
export async function checkRefund(needs: PayNeeds, refund: RefundRow): Promise<RefundRow> {
  const payment = (await findTransaction(needs.db, refund.transactionId))!
  const provider = needs.providers[payment.provider]
  const outcome = await provider.findRefund(keyOf(refund, payment), needs.now())
  return outcome.status === 'unknown' ? send(needs, refund, payment) : apply(needs, refund, outcome)
}

async function send(needs: PayNeeds, refund: RefundRow, payment: TransactionRow) {
  const provider = needs.providers[payment.provider]
  const request = { ...keyOf(refund, payment), amountCents: refund.amountCents }
  return apply(needs, refund, await provider.refund(request, needs.now()))
}

async function apply(needs: PayNeeds, refund: RefundRow, outcome: RefundOutcome) {
  const { db, checkoutUrl } = needs
  const now = needs.now()
  switch (outcome.status) {
    case 'unknown':
      return postpone(db, refund, now)
    case 'processing':
      return postpone(db, refund, now, { providerReference: outcome.reference })
    default: {
      const settled = await settleRefund(db, refund, outcome, { checkoutUrl, now })
      return settled ?? (await findRefund(db, refund.id))!
    }
  }
}

/** Asks again later, the more rarely the longer it takes. */
async function postpone(
  db: Database,
  refund: RefundRow,
  now: Date,
  changes: Partial<RefundRow> = {},
): Promise<RefundRow> {
  const delay = CHECK_DELAYS_MS[Math.min(refund.checks, CHECK_DELAYS_MS.length - 1)]!
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

function keyOf({ id: refundId }: RefundRow, payment: TransactionRow): RefundKey {
  const { id: transactionId, method, providerReference, pixEndToEndId } = payment
  return {
    refundId,
    transactionId,
    method,
    chargeReference: providerReference,
    endToEndId: pixEndToEndId,
  }
}
