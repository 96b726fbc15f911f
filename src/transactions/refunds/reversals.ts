// Money that left an approved payment without us: refunds made at the provider, chargebacks. However
// often the provider says so, each is recorded once.
import type { Approval } from '../../providers/provider.ts'
import type { PayNeeds } from '../needs.ts'
import { settle } from '../settle.ts'
import type { VerdictSource } from '../steps.ts'
import { reloadTransaction, type TransactionRow } from '../transaction.ts'
import { recordProviderRefund } from './refund.ts'

type ReversalNeeds = Pick<PayNeeds, 'db' | 'checkoutUrl' | 'mail' | 'now'>

/** The payment as it stands after what the provider says has gone back of it. */
export async function recordReversals(
  { db, checkoutUrl, mail, now }: ReversalNeeds,
  payment: TransactionRow,
  { refundedCents = 0, chargedBack = false }: Approval,
  source: VerdictSource,
): Promise<TransactionRow> {
  const isNew = chargedBack || refundedCents > payment.refundedCents
  if (payment.approvedAt === null || !isNew) return payment
  const context = { checkoutUrl, now: now(), mail }
  await recordProviderRefund(db, payment, refundedCents, context)
  if (chargedBack) {
    await settle(db, payment, { status: 'charged_back' }, { ...context, source })
  }
  return reloadTransaction(db, payment.id)
}
