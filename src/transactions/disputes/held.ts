// A payment that is held and that disputes take money of: it is over once nothing is left of what came in, and
// held again should the bank think again.
import type { Transaction } from '../../database/connect.ts'
import { eq } from '../../database/drizzle.ts'
import { transactions } from '../../database/tables.ts'
import type { TransactionRow } from '../transaction.ts'
import { isHeldMoneyGone } from './taken.ts'

export async function updateHeldPayment(tx: Transaction, payment: TransactionRow, now: Date) {
  if (payment.holdReason === null) return payment
  const isOver = await isHeldMoneyGone(tx, payment)
  if (isOver === (payment.status === 'canceled')) return payment
  const [updated] = await tx
    .update(transactions)
    .set({ status: isOver ? 'canceled' : 'expired', updatedAt: now.toISOString() })
    .where(eq(transactions.id, payment.id))
    .returning()
  return updated ?? payment
}
