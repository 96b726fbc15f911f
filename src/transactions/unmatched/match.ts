// Books a Pix without a charge on the payment that it was meant for, as if the bank had listed it there.
import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import type { Transaction } from '../../database/connect.ts'
import { eq } from '../../database/drizzle.ts'
import { unmatchedPayments } from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import { conflictError } from '../../http/errors.ts'
import type { Approval } from '../../providers/provider.ts'
import { applyFact } from '../apply.ts'
import { clampPaid } from '../incoming/instants.ts'
import type { PayNeeds } from '../needs.ts'
import type { TransactionRow } from '../transaction.ts'
import { unmatchedTexts } from './texts.ts'
import { lockUnmatched, type UnmatchedRow } from './unmatched-payment.ts'

/** The user who assigns it, for the audit log. */
type MatchedBy = Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>

/** Returns the updated payment; 409 `invalid_transition` when the Pix or the payment is not open. */
export async function matchPayment(
  { db, checkoutUrl, mail, metrics, now }: PayNeeds,
  unmatched: UnmatchedRow,
  payment: TransactionRow,
  matchedBy?: MatchedBy,
): Promise<TransactionRow> {
  const at = now()
  const settled = await db.transaction(async (tx) => {
    const row = await lockUnmatched(tx, unmatched.companyId, unmatched.id)
    requireOpen(row)
    if (payment.approvedAt !== null || payment.provider !== row.provider) throw notPayableError()
    const fact = {
      kind: 'answer',
      outcome: toApproval(row, payment, at),
      source: 'company',
    } as const
    const { books, news } = await applyFact(tx, payment, fact, { checkoutUrl, mail, now: at })
    if (!books.received.some(({ endToEndId }) => endToEndId === row.endToEndId))
      throw notPayableError()
    await tx
      .update(unmatchedPayments)
      .set({ transactionId: payment.id, updatedAt: at.toISOString() })
      .where(eq(unmatchedPayments.id, row.id))
    if (matchedBy) await recordMatch(tx, row, payment, { ...matchedBy, now: at })
    return { payment: books.payment, outcome: news.outcome }
  })
  if (settled.outcome) metrics?.countPayment(payment, settled.outcome)
  return settled.payment
}

/** Throws when the Pix is booked, refunded or being refunded. */
export function requireOpen({ transactionId, refundedCents, refundRequestedAt }: UnmatchedRow) {
  if (transactionId !== null || refundedCents > 0)
    throw conflictError('invalid_transition', unmatchedTexts.over)
  if (refundRequestedAt !== null)
    throw conflictError('invalid_transition', unmatchedTexts.returning)
}

function toApproval(row: UnmatchedRow, payment: TransactionRow, now: Date): Approval {
  const { endToEndId, amountCents, paidAt, payerName, payerTaxId } = row
  const payer = { name: payerName, taxId: payerTaxId }
  const pix = { endToEndId, amountCents, paidAt, payer, refundedCents: 0 }
  const bounds = { earliest: payment.createdAt, latest: now.toISOString() }
  return {
    status: 'approved',
    reference: payment.providerReference ?? payment.pixTxid ?? payment.id,
    received: [clampPaid(pix, bounds)],
  }
}

async function recordMatch(
  tx: Transaction,
  { companyId, amountCents }: UnmatchedRow,
  { id }: TransactionRow,
  by: MatchedBy & { now: Date },
) {
  const subject = { subjectId: id, subject: formatBrl(amountCents) }
  await recordAudit(tx, { ...by, ...subject, companyId, action: 'payment_matched' })
}

function notPayableError() {
  return conflictError('invalid_transition', unmatchedTexts.notPayable)
}
