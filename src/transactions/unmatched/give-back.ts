// Refunds a Pix without a charge in full. The request has the row's own id, so that asking again after a lost answer
// refunds once; a later list of the bank shows when it is done.
import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import { eq, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { unmatchedPayments } from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import { conflictError } from '../../http/errors.ts'
import type { RefundRequest } from '../../providers/provider.ts'
import { getProfile } from '../../providers/registry.ts'
import type { PayNeeds } from '../needs.ts'
import { requireOpen } from './match.ts'
import { unmatchedTexts } from './texts.ts'
import { lockUnmatched, type UnmatchedRow } from './unmatched-payment.ts'

type AskedBy = Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>

/** Returns the updated row; 409 `invalid_transition` when it is no longer open, or when its bank refuses. */
export async function giveBackUnmatched(
  needs: PayNeeds,
  { companyId, id, provider }: UnmatchedRow,
  askedBy?: AskedBy,
): Promise<UnmatchedRow> {
  const { db, providers, now } = needs
  if (getProfile(provider).lists !== 'everything')
    throw conflictError('invalid_transition', unmatchedTexts.notReturnable)
  const account = await providers.open(companyId, provider)
  const asked = await db.transaction(async (tx) => {
    const row = await lockUnmatched(tx, companyId, id)
    const isFirst = row.refundRequestedAt === null
    // A repeated request is allowed.
    requireOpen({ ...row, refundRequestedAt: null })
    const at = now().toISOString()
    const [requested] = await tx
      .update(unmatchedPayments)
      .set({ refundRequestedAt: row.refundRequestedAt ?? at, updatedAt: at })
      .where(eq(unmatchedPayments.id, id))
      .returning()
    if (askedBy && isFirst) {
      const subject = { subjectId: id, subject: formatBrl(row.amountCents) }
      const entry = { ...askedBy, ...subject, companyId, now: now() }
      await recordAudit(tx, { ...entry, action: 'unmatched_given_back' })
    }
    return { row: requireFound(requested), isFirst }
  })
  const request = toRefundRequest(asked.row, asked.isFirst)
  // After a lost answer the request counts as made: the refund may be in progress.
  const outcome = await account.refund(request, now()).catch((err: unknown) => {
    needs.log.warn(
      { err, companyId, unmatchedId: id },
      'the refund of a Pix without a charge may be in progress',
    )
    return { status: 'unknown' as const }
  })
  if (outcome.status === 'failed') {
    await recordGivenBack(needs, id, { refundRequestedAt: null })
    throw conflictError('invalid_transition', unmatchedTexts.refused)
  }
  if (outcome.status !== 'succeeded') return asked.row
  return recordGivenBack(needs, id, { refundedCents: asked.row.amountCents })
}

async function recordGivenBack(
  { db, now }: PayNeeds,
  id: string,
  changes: Partial<Pick<UnmatchedRow, 'refundRequestedAt' | 'refundedCents'>>,
) {
  const [row] = await db
    .update(unmatchedPayments)
    .set({ ...changes, updatedAt: sql`${now().toISOString()}::timestamptz` })
    .where(eq(unmatchedPayments.id, id))
    .returning()
  return requireFound(row)
}

function toRefundRequest(row: UnmatchedRow, isFirst: boolean): RefundRequest {
  const { id, txid, endToEndId, amountCents } = row
  return {
    refundId: id,
    transactionId: id,
    method: 'pix',
    chargeReference: txid,
    endToEndId,
    reference: null,
    amountCents,
    totalCents: amountCents,
    earlier: [],
    laterReferences: [],
    isFirst,
  }
}
