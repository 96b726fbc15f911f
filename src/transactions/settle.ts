// The one way to change a payment: what is heard of it is decided and written in one transaction, and the provider is
// called after that, outside any.

import { recordClockOffset } from '../providers/accounts.ts'
import { applyFact } from './apply.ts'
import type { Fact } from './books.ts'
import type { PayNeeds } from './needs.ts'
import { openPaymentAccount, toChargeKey } from './provider-account.ts'
import { reloadTransaction, type TransactionRow } from './transaction.ts'

/** The payment as it stands then. `asked`: as it was when the fact was asked for. */
export async function settle(
  needs: PayNeeds,
  asked: TransactionRow,
  fact: Fact,
): Promise<TransactionRow> {
  const { db, checkoutUrl, mail, metrics } = needs
  const context = { checkoutUrl, mail, now: needs.now() }
  const { books, news } = await db.transaction((tx) => applyFact(tx, asked, fact, context))
  if (news.outcome) metrics?.countPayment(books.payment, news.outcome)
  await shareClockOffset(needs, asked, fact)
  if (news.unwantedCharge === null) return books.payment
  return voidCharge(needs, books.payment, news.unwantedCharge)
}

/** How far the provider's clock is off, where that is news. */
async function shareClockOffset({ db }: PayNeeds, row: TransactionRow, fact: Fact) {
  if (fact.kind !== 'answer' || fact.outcome.status !== 'pending') return
  const { clockOffsetHours } = fact.outcome
  if (clockOffsetHours !== undefined) await recordClockOffset(db, row, clockOffsetHours)
}

/** Money taken for a payment that we have called declined goes back. */
async function voidCharge(needs: PayNeeds, declined: TransactionRow, reference: string) {
  const { db, log, now } = needs
  log.error({ transactionId: declined.id }, 'approved after it was declined: canceling the charge')
  const account = await openPaymentAccount(needs, declined)
  await account.cancel({ ...toChargeKey(declined), reference }, now())
  return settle(needs, await reloadTransaction(db, declined.id), { kind: 'voided' })
}
