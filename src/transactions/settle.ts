// The only way to change a payment: a fact is decided and written in one transaction, and the provider is called after
// it.

import type { Transaction } from '../database/connect.ts'
import { recordClockOffset } from '../providers/accounts.ts'
import { applyFact } from './apply.ts'
import type { Fact } from './books.ts'
import type { PayNeeds } from './needs.ts'
import { openPaymentAccount, toChargeKey } from './provider-account.ts'
import type { TransactionRow } from './transaction.ts'

/**
 * Returns the updated payment. `asked`: the payment as it was when the provider was asked. `alongside` runs in the same
 * transaction, with the updated payment.
 */
export async function settle(
  needs: PayNeeds,
  asked: TransactionRow,
  fact: Fact,
  alongside?: (tx: Transaction, payment: TransactionRow) => Promise<void>,
): Promise<TransactionRow> {
  const { db, metrics } = needs
  const { books, effects } = await db.transaction(async (tx) => {
    const decision = await applyFact(tx, asked, fact, needs)
    await alongside?.(tx, decision.books.payment)
    return decision
  })
  if (effects.outcome) metrics?.countPayment(books.payment, effects.outcome)
  await shareClockOffset(needs, asked, fact)
  if (effects.unwantedCharge !== null)
    await voidCharge(needs, books.payment, effects.unwantedCharge)
  return books.payment
}

/** Stores how far the provider's clock is off, if that has changed. */
async function shareClockOffset({ db }: PayNeeds, row: TransactionRow, fact: Fact) {
  if (fact.kind !== 'answer' || fact.outcome.status !== 'pending') return
  const { clockOffsetHours } = fact.outcome
  if (clockOffsetHours !== undefined) await recordClockOffset(db, row, clockOffsetHours)
}

/** Money taken for a declined payment is refunded; the next check shows whether it was. */
async function voidCharge(needs: PayNeeds, declined: TransactionRow, reference: string) {
  const { log, now } = needs
  log.error({ transactionId: declined.id }, 'approved after it was declined: voiding the charge')
  const account = await openPaymentAccount(needs, declined)
  await account.cancel({ ...toChargeKey(declined), reference }, now())
}
