// Money that left an approved payment without us: refunds made at the provider, chargebacks. However
// often they are heard of, each is recorded once.
import type { Approval } from '../../providers/provider.ts'
import type { PayNeeds } from '../needs.ts'
import { settle } from '../settle.ts'
import type { VerdictSource } from '../timeline/steps.ts'
import { findTransaction, type TransactionRow } from '../transaction.ts'
import { recordProviderRefund } from './refund.ts'

type ReversalNeeds = Pick<PayNeeds, 'db' | 'checkoutUrl' | 'mail' | 'now'>

/** The payment as it stands after what the provider says has gone back of it. */
export async function recordReversals(
  { db, checkoutUrl, mail, now }: ReversalNeeds,
  payment: TransactionRow,
  { refundedCents = 0, chargedBack = false }: Approval,
  source: VerdictSource,
): Promise<TransactionRow> {
  const news = chargedBack || refundedCents > payment.refundedCents
  if (payment.approvedAt === null || !news) return payment
  const context = { checkoutUrl, now: now(), mail }
  await recordProviderRefund(db, payment, refundedCents, context)
  if (chargedBack) {
    await settle(db, payment, { status: 'charged_back' }, { ...context, source })
  }
  return (await findTransaction(db, payment.id))!
}
