// Accepts a held payment. The company can also wait for the rest or refund it. It accepts the received amount as the
// price, or names the amount if it cannot be read.

import { type NewAuditEntry, recordAudit } from '../companies/audit.ts'
import { formatBrl } from '../format.ts'
import type { PayNeeds } from './needs.ts'
import { settle } from './settle.ts'
import type { TransactionRow } from './transaction.ts'

type Acceptance = {
  /** The amount that the company names; needed where it cannot be read. */
  amountCents?: number | undefined
  /** The user who accepts it, for the audit log. */
  by?: Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>
}

/** Returns the approved payment, or the canceled one; throws 409 `invalid_transition` when there is nothing to accept. */
export async function acceptPayment(
  needs: PayNeeds,
  row: TransactionRow,
  { amountCents, by }: Acceptance = {},
): Promise<TransactionRow> {
  return settle(needs, row, { kind: 'accepted', amountCents }, async (tx, payment) => {
    const { id: subjectId, companyId, approvedAt, totalCents } = payment
    const about = { subjectId, subject: formatBrl(approvedAt ? totalCents : 0), companyId }
    if (by) await recordAudit(tx, { ...by, ...about, action: 'payment_accepted', now: needs.now() })
  })
}
