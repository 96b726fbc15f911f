// The walk of one refund: its amount is set aside and committed, the provider is asked, the verdict is
// settled. The provider knows the refund by our id, so that asking it again gives nothing back twice.
import type { Database } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import { refunds } from '../../database/tables.ts'
import { capabilitiesOf } from '../../providers/capabilities.ts'
import type { RefundKey, RefundOutcome } from '../../providers/provider.ts'
import type { PayNeeds } from '../needs.ts'
import { accountOf } from '../pay.ts'
import { hasten } from '../progress.ts'
import { failureOf, tellStep } from '../timeline/steps.ts'
import { findTransaction, type RefundRow, type TransactionRow } from '../transaction.ts'
import { findRefund, openRefund, type RefundOrder, settleRefund } from './refund.ts'

const CHECK_DELAYS_MS = [5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 300_000, 900_000]
const LOOK_AGAIN_MS = 60_000

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
    const details = { reason: failureOf(err), refundId }
    await tellStep(needs, transactionId, { kind: 'provider_failed', details })
    return refund
  }
}

/** Asks the provider how a refund stands and applies its answer; one it knows nothing of is sent again. */
export async function checkRefund(needs: PayNeeds, refund: RefundRow): Promise<RefundRow> {
  const payment = (await findTransaction(needs.db, refund.transactionId))!
  const provider = await accountOf(needs, payment)
  const outcome = await provider.findRefund(keyOf(refund, payment), needs.now())
  return outcome.status === 'unknown'
    ? send(needs, refund, payment)
    : apply(needs, refund, payment, outcome)
}

async function send(needs: PayNeeds, refund: RefundRow, payment: TransactionRow) {
  const provider = await accountOf(needs, payment)
  const { amountCents } = refund
  // Of a held payment the provider holds what came in.
  const totalCents = payment.receivedCents ?? payment.totalCents
  const request = { ...keyOf(refund, payment), amountCents, totalCents }
  return apply(needs, refund, payment, await provider.refund(request, needs.now()))
}

async function apply(
  needs: PayNeeds,
  refund: RefundRow,
  payment: TransactionRow,
  outcome: RefundOutcome,
) {
  const { db, checkoutUrl, mail } = needs
  const now = needs.now()
  switch (outcome.status) {
    case 'unknown':
      return postpone(db, refund, now)
    case 'processing':
      await tellProcessing(needs, refund)
      return postpone(db, refund, now, { providerReference: outcome.reference })
    default: {
      const settled = await settleRefund(db, refund, outcome, { checkoutUrl, now, mail })
      // What went back there besides was taken to be part of this one while it was under way.
      if (capabilitiesOf(payment.provider).reversals) await hasten(db, payment.id, later(now))
      return settled ?? (await findRefund(db, refund.id))!
    }
  }
}

/** The refund's own row tells the rest: when it was asked for and how it ended. */
function tellProcessing(needs: PayNeeds, { id: refundId, transactionId, amountCents }: RefundRow) {
  const details = { refundId, status: 'processing', amountCents }
  return tellStep(needs, transactionId, { kind: 'refund', details, once: true })
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

function later(now: Date) {
  return new Date(now.getTime() + LOOK_AGAIN_MS).toISOString()
}

function keyOf(
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
