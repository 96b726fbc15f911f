// A Pix of which less came in than the price: beside waiting for the rest and giving it back, the company can take what
// came in for the whole.

import { type NewAuditEntry, recordAudit } from '../companies/audit.ts'
import { formatBrl } from '../format.ts'
import { applyFact } from './apply.ts'
import type { PayNeeds } from './needs.ts'
import type { TransactionRow } from './transaction.ts'

/** Who at the dashboard accepts it, for the audit log. */
type AcceptedBy = Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>

/** The payment as it is approved then; 409 `invalid_transition` where there is nothing to accept. */
export async function acceptPayment(
  { db, checkoutUrl, mail, metrics, now }: PayNeeds,
  row: TransactionRow,
  acceptedBy?: AcceptedBy,
): Promise<TransactionRow> {
  const context = { checkoutUrl, mail, now: now() }
  const accepted = await db.transaction(async (tx) => {
    const { books } = await applyFact(tx, row, { kind: 'accepted' }, context)
    const { id: subjectId, companyId, totalCents } = books.payment
    if (acceptedBy) {
      const about = { subjectId, subject: formatBrl(totalCents), companyId, now: context.now }
      await recordAudit(tx, { ...acceptedBy, ...about, action: 'payment_accepted' })
    }
    return books.payment
  })
  metrics?.countPayment(accepted, 'approved')
  return accepted
}
