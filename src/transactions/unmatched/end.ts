// The two ends of a Pix without a charge: it is booked on the payment that it was meant for, as if the bank had listed
// it there, or refunded. The request to refund has an id of its own, so that asking again after a lost answer refunds once,
// and asking anew after a refusal is another refund.
import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import { and, eq, isNotNull, isNull, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { unmatchedPayments } from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import { conflictError } from '../../http/errors.ts'
import type { AccountRow } from '../../providers/accounts.ts'
import { deriveCallId } from '../../providers/call.ts'
import type { Approval, Provider, RefundKey, RefundOutcome } from '../../providers/provider.ts'
import { applyFact } from '../apply.ts'
import { clampPaid } from '../incoming/instants.ts'
import type { PayNeeds } from '../needs.ts'
import { toTransactionEventData } from '../serialize.ts'
import type { TransactionRow } from '../transaction.ts'
import { recordReturned } from './record.ts'
import { getUnmatchedLeft, type UnmatchedRow } from './schema.ts'
import { unmatchedTexts } from './texts.ts'
import {
  changeUnmatched,
  lockUnmatched,
  publishUnmatched,
  requireUnmatched,
} from './unmatched-payment.ts'

/** The user who ends it, for the audit log. */
type EndedBy = Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>

const MAX_CHECKED_RETURNS = 20

/** Returns the updated payment; 409 `invalid_transition` when the Pix or the payment is not open. */
export async function matchPayment(
  needs: PayNeeds,
  { companyId, id }: UnmatchedRow,
  payment: TransactionRow,
  matchedBy?: EndedBy,
): Promise<TransactionRow> {
  const { db, checkoutUrl, metrics } = needs
  const { id: transactionId, testMode } = payment
  const settled = await db.transaction(async (tx) => {
    const row = await lockUnmatched(tx, companyId, id)
    requireOpen(row)
    if (!isMatchable(row, payment)) throw notPayableError()
    const now = needs.now()
    const outcome = toApproval(row, payment, now)
    const fact = { kind: 'answer', outcome, source: 'company' } as const
    const { books, effects, link } = await applyFact(tx, payment, fact, needs)
    if (!books.received.some(({ endToEndId }) => endToEndId === row.endToEndId))
      throw notPayableError()
    const matched = await changeUnmatched(tx, id, { transactionId }, now)
    const about = toTransactionEventData(books.payment, link, checkoutUrl)
    await publishUnmatched(tx, 'matched', matched, { testMode, now, about })
    if (matchedBy) {
      const subject = { subjectId: transactionId, subject: formatBrl(row.amountCents) }
      await recordAudit(tx, { ...matchedBy, ...subject, companyId, action: 'payment_matched', now })
    }
    return { payment: books.payment, outcome: effects.outcome }
  })
  if (settled.outcome) metrics?.countPayment(payment, settled.outcome)
  return settled.payment
}

/** Whether the Pix may have been meant for this payment. */
export function isMatchable({ provider }: UnmatchedRow, payment: TransactionRow) {
  return payment.approvedAt === null && payment.provider === provider && payment.method === 'pix'
}

/** Throws when the Pix is booked, refunded or being refunded. */
function requireOpen({ transactionId, refundRequestedAt, ...row }: UnmatchedRow) {
  if (transactionId !== null || getUnmatchedLeft(row) === 0)
    throw conflictError('invalid_transition', unmatchedTexts.over)
  if (refundRequestedAt !== null)
    throw conflictError('invalid_transition', unmatchedTexts.returning)
}

function toApproval(row: UnmatchedRow, payment: TransactionRow, now: Date): Approval {
  const { endToEndId, amountCents, refundedCents, paidAt, payerName, payerTaxId } = row
  const payer = { name: payerName, taxId: payerTaxId }
  const pix = { endToEndId, amountCents, paidAt, payer, refundedCents }
  const bounds = { earliest: payment.createdAt, latest: now.toISOString() }
  return {
    status: 'approved',
    reference: payment.providerReference ?? payment.pixTxid ?? payment.id,
    received: [clampPaid(pix, bounds)],
  }
}

function notPayableError() {
  return conflictError('invalid_transition', unmatchedTexts.notPayable)
}

/** Returns the updated row; 409 `invalid_transition` when it is no longer open, or when its bank refuses. */
export async function refundUnmatched(
  needs: PayNeeds,
  { companyId, id, provider }: UnmatchedRow,
  askedBy?: EndedBy,
): Promise<UnmatchedRow> {
  const { db } = needs
  const now = needs.now()
  const account = await needs.providers.open(companyId, provider)
  const asked = await db.transaction(async (tx) => {
    const row = await lockUnmatched(tx, companyId, id)
    // A repeated request is allowed.
    requireOpen({ ...row, refundRequestedAt: null })
    const isFirst = row.refundRequestedAt === null
    if (!isFirst) return { row, isFirst }
    if (askedBy) {
      const subject = { subjectId: id, subject: formatBrl(getUnmatchedLeft(row)) }
      const entry = { ...askedBy, ...subject, companyId, now }
      await recordAudit(tx, { ...entry, action: 'unmatched_given_back' })
    }
    const refundRequestedAt = now.toISOString()
    return { row: await changeUnmatched(tx, id, { refundRequestedAt }, now), isFirst }
  })
  const request = { ...toRefundKey(asked.row), isFirst: asked.isFirst }
  const { status } = await applyReturn(needs, asked.row, account, account.refund(request, now))
  if (status === 'failed') throw conflictError('invalid_transition', unmatchedTexts.refused)
  return requireUnmatched(db, companyId, id)
}

/** Asks about the refunds of an account that were requested and are not done yet. */
export async function checkReturning(
  needs: PayNeeds,
  { companyId, provider }: AccountRow,
  account: Provider,
) {
  const returning = await needs.db
    .select()
    .from(unmatchedPayments)
    .where(
      and(
        eq(unmatchedPayments.companyId, companyId),
        eq(unmatchedPayments.provider, provider),
        isNull(unmatchedPayments.transactionId),
        isNotNull(unmatchedPayments.refundRequestedAt),
        sql`refunded_cents < amount_cents`,
      ),
    )
    .limit(MAX_CHECKED_RETURNS)
  for (const row of returning)
    await applyReturn(needs, row, account, account.findRefund(toRefundKey(row), needs.now()))
}

/**
 * A refused Pix is open again, unless it was asked for anew; an answer that decides nothing changes nothing. After a lost
 * answer the refund may be in progress.
 */
async function applyReturn(
  { db, log, now }: PayNeeds,
  { id, companyId, refundRequestedAt, amountCents: refundedCents, ...row }: UnmatchedRow,
  { testMode }: Provider,
  asking: Promise<RefundOutcome>,
): Promise<Pick<RefundOutcome, 'status'>> {
  const { status } = await asking.catch((err: unknown) => {
    log.warn({ err, companyId, unmatchedId: id }, 'the refund of a Pix without a charge is unclear')
    return { status: 'unknown' as const }
  })
  await db.transaction(async (tx) => {
    const current = await lockUnmatched(tx, companyId, id)
    if (status === 'failed' && current.refundRequestedAt === refundRequestedAt)
      await changeUnmatched(tx, id, { refundRequestedAt: null }, now())
    if (status === 'succeeded')
      await recordReturned(tx, { ...row, companyId, testMode }, { ...row, refundedCents }, now())
  })
  return { status }
}

/** Providers keep the id of a refund that failed, so each request has one of its own. */
function toRefundKey(row: UnmatchedRow): RefundKey {
  const { id, txid, endToEndId, amountCents, refundRequestedAt } = row
  const requestedAt = new Date(requireFound(refundRequestedAt)).toISOString()
  return {
    ...{ refundId: deriveCallId(id, `refund ${requestedAt}`), transactionId: null, method: 'pix' },
    ...{ chargeReference: txid, endToEndId, reference: null, amountCents: getUnmatchedLeft(row) },
    ...{ totalCents: amountCents, earlier: [], laterReferences: [] },
  }
}
