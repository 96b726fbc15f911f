// Money that went back from an approved payment without us: refunds made at the provider. However often the
// provider says so, each is recorded once. What payers' banks take is in disputes/.
import type { Approval } from '../../providers/provider.ts'
import type { PayNeeds } from '../needs.ts'
import { reloadTransaction, type TransactionRow } from '../transaction.ts'
import { recordCardReturn } from './returns.ts'

type ReversalNeeds = Pick<PayNeeds, 'db' | 'checkoutUrl' | 'mail' | 'now'>

/** The payment as it stands after what the provider says has gone back of it; of a Pix, settle does it. */
export async function recordReversals(
  { db, checkoutUrl, mail, now }: ReversalNeeds,
  payment: TransactionRow,
  approval: Approval,
): Promise<TransactionRow> {
  if (approval.received || payment.approvedAt === null) return payment
  if ((approval.refundedCents ?? 0) <= payment.refundedCents) return payment
  await recordCardReturn(db, payment, approval, { checkoutUrl, now: now(), mail })
  return reloadTransaction(db, payment.id)
}
