// A Pix with less than the price: beside waiting for the rest or refunding it, the company can accept the received
// amount as the price.

import { type NewAuditEntry, recordAudit } from '../companies/audit.ts'
import { formatBrl } from '../format.ts'
import { applyFact } from './apply.ts'
import type { PayNeeds } from './needs.ts'
import type { TransactionRow } from './transaction.ts'

/** The user who accepts it, for the audit log. */
type AcceptedBy = Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>

/** Returns the approved payment; throws 409 `invalid_transition` when there is nothing to accept. */
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
