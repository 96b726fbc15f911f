// What a provider says of fee and payout after the approval: it wins over what stands there, whoever told it.
import type { Database } from '../../database/connect.ts'
import { and, eq, isNotNull } from '../../database/drizzle.ts'
import { transactions } from '../../database/tables.ts'
import { bookMovements } from '../../movements/book.ts'
import type { Approval } from '../../providers/provider.ts'
import { getKeys } from '../../record.ts'
import type { TransactionRow } from '../transaction.ts'
import { readProviderPayout } from './fee.ts'

/** The payment as it stands then. Told again it changes nothing. */
export async function recordProviderPayout(
  db: Database,
  payment: TransactionRow,
  approval: Approval,
  now: Date,
): Promise<TransactionRow> {
  if (!approval.payout || payment.approvedAt === null) return payment
  const { approvedAt } = payment
  const { feeCents, expectedOn } = readProviderPayout(approval, payment, approvedAt)
  const changes = {
    ...(feeCents !== null && { feeCents, feeSource: 'provider' as const }),
    ...(expectedOn !== null && { expectedOn, payoutParts: 1 }),
  }
  if (getKeys(changes).every((name) => changes[name] === payment[name])) return payment
  return db.transaction(async (tx) => {
    const [corrected] = await tx
      .update(transactions)
      .set({ ...changes, updatedAt: now.toISOString() })
      .where(and(eq(transactions.id, payment.id), isNotNull(transactions.approvedAt)))
      .returning()
    await bookMovements(tx, [payment.id], { bookedAt: now })
    return corrected ?? payment
  })
}
