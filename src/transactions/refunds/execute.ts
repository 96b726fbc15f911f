// Carries out a refund: its amount is reserved and committed, the provider is asked, the verdict is settled. The
// provider knows the refund by our id, so that asking again refunds nothing twice.
import type { Database } from '../../database/connect.ts'
import { and, eq, ne, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { DAY_MS } from '../../database/instant.ts'
import { refunds, transactions, unmatchedPayments } from '../../database/tables.ts'
import { conflictError } from '../../http/errors.ts'
import { isAccountMissing } from '../../providers/open-accounts.ts'
import type {
  EarlierRefund,
  RefundKey,
  RefundOutcome,
  RefundVerdict,
} from '../../providers/provider.ts'
import { countCheck, getNextRefundCheckAt } from '../check-schedule.ts'
import { findIncomingPayment } from '../incoming/incoming-payment.ts'
import type { IncomingPaymentRow } from '../incoming/schema.ts'
import type { PayNeeds } from '../needs.ts'
import { openPaymentAccount } from '../provider-account.ts'
import { settle } from '../settle.ts'
import { classifyProviderError, tryRecordStep } from '../steps.ts'
import { type RefundRow, reloadTransaction, type TransactionRow } from '../transaction.ts'
import { createRefunds, type RequestedRefund } from './create.ts'
import { mergeRefunds } from './request.ts'
import { refundTexts } from './texts.ts'

/** A refund that the provider does not show for this long was not carried out. */
const LOST_AFTER_MS = DAY_MS

/** Carries out each request once: a repeated id returns the first refund, which may still be in progress. */
export async function executeRefund(
  needs: PayNeeds,
  requested: RequestedRefund,
): Promise<RefundRow> {
  await requireAccount(needs, requested)
  const created = await createRefunds(needs.db, requested, needs.now())
  if (created.kind === 'existing') return mergeRefunds(created.refunds)
  const sent: RefundRow[] = []
  for (const refund of created.refunds)
    sent.push(await trySendRefund(needs, refund, created.payment))
  return mergeRefunds(sent)
}

/** Throws 409 when the payment's account was removed, since the refund would stay pending for ever. */
async function requireAccount(
  { db, providers }: PayNeeds,
  { companyId, transactionId }: RequestedRefund,
) {
  const [payment] = await db
    .select({ provider: transactions.provider })
    .from(transactions)
    .where(and(eq(transactions.id, transactionId), eq(transactions.companyId, companyId)))
  if (!payment) return
  const failure = await providers.open(companyId, payment.provider).catch((error) => error)
  if (isAccountMissing(failure)) throw conflictError('invalid_transition', refundTexts.noAccount)
}

/** Never fails the request, which would be repeated as another refund. */
async function trySendRefund(needs: PayNeeds, refund: RefundRow, payment: TransactionRow) {
  try {
    return await sendRefund(needs, refund, payment, true)
  } catch (err) {
    const { id: refundId, transactionId } = refund
    needs.log.warn({ err, refundId, transactionId }, 'a refund failed without a verdict')
    const details = { reason: classifyProviderError(err), refundId }
    await tryRecordStep(needs, transactionId, { kind: 'provider_failed', details })
    return refund
  }
}

/**
 * Asks the provider how a refund stands and applies its answer. An unknown refund is sent again, unless the provider
 * has already answered it and may only not show it yet.
 */
export async function checkRefund(needs: PayNeeds, refund: RefundRow): Promise<RefundRow> {
  const payment = await reloadTransaction(needs.db, refund.transactionId)
  const provider = await openPaymentAccount(needs, payment)
  const key = await loadRefundKey(needs.db, refund, payment)
  const outcome = await provider.findRefund(key, needs.now())
  return outcome.status === 'unknown' && refund.providerReference === null
    ? sendRefund(needs, refund, payment, false)
    : applyRefundOutcome(needs, refund, payment, outcome)
}

async function sendRefund(
  needs: PayNeeds,
  refund: RefundRow,
  payment: TransactionRow,
  isFirst: boolean,
) {
  const provider = await openPaymentAccount(needs, payment)
  const request = { ...(await loadRefundKey(needs.db, refund, payment)), isFirst }
  return applyRefundOutcome(needs, refund, payment, await provider.refund(request, needs.now()))
}

async function applyRefundOutcome(
  needs: PayNeeds,
  refund: RefundRow,
  payment: TransactionRow,
  outcome: RefundOutcome,
): Promise<RefundRow> {
  const { id: refundId, transactionId, amountCents } = refund
  switch (outcome.status) {
    case 'unknown':
      return awaitRefund(needs, refund, payment)
    case 'unconfirmed': {
      const details = { reason: 'unclear', refundId }
      const step = { kind: 'provider_failed', details, once: true } as const
      await tryRecordStep(needs, transactionId, step)
      return awaitRefund(needs, { ...refund, providerReference: outcome.reference }, payment)
    }
    case 'processing': {
      // The refund's own row has its beginning and its end.
      const details = { refundId, status: 'processing', amountCents }
      await tryRecordStep(needs, transactionId, { kind: 'refund', details, once: true })
      const changes = { providerReference: outcome.reference, missingSince: null }
      return rescheduleRefundCheck(needs.db, refund, needs.now(), changes)
    }
    default:
      return endRefund(needs, refund, payment, outcome)
  }
}

/** The provider does not show it: its amount stays reserved for a day. */
async function awaitRefund(
  needs: PayNeeds,
  refund: RefundRow,
  payment: TransactionRow,
): Promise<RefundRow> {
  const now = needs.now()
  const { providerReference, missingSince } = refund
  const since = missingSince ?? now.toISOString()
  if (now.getTime() - Date.parse(since) >= LOST_AFTER_MS) {
    return endRefund(needs, refund, payment, { status: 'failed', reason: 'lost' })
  }
  return rescheduleRefundCheck(needs.db, refund, now, { providerReference, missingSince: since })
}

async function endRefund(
  needs: PayNeeds,
  refund: RefundRow,
  payment: TransactionRow,
  verdict: RefundVerdict,
): Promise<RefundRow> {
  await settle(needs, payment, { kind: 'refund answer', refundId: refund.id, verdict })
  const current = await reloadRefund(needs.db, refund.id)
  if (current.status !== 'pending') return current
  // The provider showed another refund: this one has no id there yet.
  return awaitRefund(needs, { ...current, providerReference: refund.id }, payment)
}

/** Schedules the next check, at growing intervals. */
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

/** A refund is never deleted. */
async function reloadRefund(db: Database, id: string): Promise<RefundRow> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id))
  return requireFound(refund)
}

/** Loads the provider's ids of the refund and its money, and their amounts. */
async function loadRefundKey(
  db: Database,
  refund: RefundRow,
  payment: TransactionRow,
): Promise<RefundKey> {
  const { id: refundId, providerReference: reference, incomingPaymentId, amountCents } = refund
  const { id: transactionId, method, pixEndToEndId } = payment
  const pix = incomingPaymentId ? await findIncomingPayment(db, incomingPaymentId) : undefined
  const isMatched = pix !== undefined && (await isMatchedPix(db, pix))
  const others = await listOtherRefunds(db, refund)
  return {
    refundId,
    // The provider has a Pix that the company matched under no charge.
    transactionId: isMatched ? null : transactionId,
    method,
    chargeReference: payment.providerReference,
    endToEndId: pix?.endToEndId ?? pixEndToEndId,
    reference,
    amountCents,
    // For a held payment the provider has the received amount.
    totalCents: pix?.amountCents ?? payment.receivedCents ?? payment.totalCents,
    earlier: others.filter(({ isEarlier }) => isEarlier),
    laterReferences: others.flatMap((other) => (other.isEarlier ? [] : (other.reference ?? []))),
  }
}

/** Whether the Pix came in for no charge, and the company matched it with this payment. */
async function isMatchedPix(
  db: Database,
  { companyId, provider, endToEndId, transactionId }: IncomingPaymentRow,
) {
  const matched = and(
    eq(unmatchedPayments.companyId, companyId),
    sql`${unmatchedPayments.provider} = ${provider}`,
    eq(unmatchedPayments.endToEndId, endToEndId),
    eq(unmatchedPayments.transactionId, transactionId),
  )
  return (await db.$count(unmatchedPayments, matched)) > 0
}

/** Lists other refunds of the same money, without failed ones. */
async function listOtherRefunds(
  db: Database,
  { id, transactionId, incomingPaymentId, createdAt }: RefundRow,
): Promise<(EarlierRefund & { isEarlier: boolean })[]> {
  return db
    .select({
      reference: refunds.providerReference,
      amountCents: refunds.amountCents,
      isDone: sql<boolean>`${refunds.status} = 'succeeded'`,
      isEarlier: sql<boolean>`(${refunds.createdAt}, ${refunds.id}) < (${createdAt}::timestamptz, ${id}::uuid)`,
    })
    .from(refunds)
    .where(
      and(
        eq(refunds.transactionId, transactionId),
        sql`${refunds.incomingPaymentId} is not distinct from ${incomingPaymentId}::uuid`,
        ne(refunds.status, 'failed'),
        ne(refunds.id, id),
      ),
    )
}
