// Ends the open payments of a payer who begins another one: a card that waits for a confirmation at the bank, a Pix
// code, or a provider's page. A card that is confirmed after that is voided (lifecycle.ts). A code or page that is paid
// after that is approved, and the later of the two payments is marked as a possible duplicate (apply.ts).
import type { Transaction } from '../database/connect.ts'
import { asc, inArray } from '../database/drizzle.ts'
import { transactions } from '../database/tables.ts'
import { type LinkRow, lockLinkForPayment } from '../payment-links/payment-link.ts'
import { applyFact } from './apply.ts'
import type { PayNeeds } from './needs.ts'
import { openPaymentAccount, toChargeKey } from './provider-account.ts'
import type { TransactionRow } from './transaction.ts'

/** Whether the payment ends when its payer begins another one. */
export function isGivenUpByOthers({ status, holdReason }: TransactionRow) {
  if (status === 'awaiting_authentication') return true
  return status === 'pending' && holdReason === null
}

type SupersededPayments = {
  open: TransactionRow[]
  /** A payment that is approved, or that its payer has answered the bank about: nothing else should be paid. */
  answered: TransactionRow | undefined
}

/** Locks these payments until the transaction ends. */
export async function lockSuperseded(tx: Transaction, ids: string[]): Promise<SupersededPayments> {
  if (ids.length === 0) return { open: [], answered: undefined }
  const rows = await tx
    .select()
    .from(transactions)
    .where(inArray(transactions.id, ids))
    .orderBy(asc(transactions.id))
    .for('no key update')
  return {
    open: rows.filter(isGivenUpByOthers),
    answered: rows.find(({ status, approvedAt }) => status === 'processing' || approvedAt !== null),
  }
}

/** Must run in a transaction that locked the link. */
export async function endSuperseded(
  tx: Transaction,
  superseded: TransactionRow[],
  needs: PayNeeds,
) {
  for (const row of superseded) await applyFact(tx, row, { kind: 'left by its payer' }, needs)
}

/** Cancels it at the provider too; if that fails, it is checked again at its expiry (check-schedule.ts). */
export async function cancelGivenUp(needs: PayNeeds, row: TransactionRow) {
  const isPaidElsewhere = row.status === 'pending'
  needs.metrics?.countPayment(row, isPaidElsewhere ? 'canceled' : 'declined')
  try {
    const account = await openPaymentAccount(needs, row)
    await account.cancel(toChargeKey(row), needs.now(), { keepsPaid: isPaidElsewhere })
  } catch (err) {
    const { log } = needs
    log.warn(
      { err, transactionId: row.id },
      'an abandoned payment is not canceled at its provider yet',
    )
  }
}

/** Ends the waiting payments of a payer who has paid by another one. */
export async function giveUpSuperseded(needs: PayNeeds, link: LinkRow, ids: string[]) {
  if (ids.length === 0) return
  const ended = await needs.db.transaction(async (tx) => {
    await lockLinkForPayment(tx, link.id)
    const { open } = await lockSuperseded(tx, ids)
    await endSuperseded(tx, open, needs)
    return open
  })
  await Promise.all(ended.map((row) => cancelGivenUp(needs, row)))
}
