// The code that a Pix payment is paid by, kept as the provider gave it.

import type { Database } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import { transactions } from '../database/tables.ts'
import type { ChargeOutcome } from '../providers/provider.ts'
import { getNextCheckAt } from './check-schedule.ts'
import type { TransactionRow } from './transaction.ts'

type PendingPix = ChargeOutcome & { status: 'pending' }

/** Changes nothing where the payment is no longer pending. */
export async function recordPixCode(
  db: Database,
  row: TransactionRow,
  pending: PendingPix,
  now: Date,
) {
  const code = buildPixCode(row, pending, now)
  await db
    .update(transactions)
    .set(code)
    .where(and(eq(transactions.id, row.id), eq(transactions.status, 'pending')))
  return { ...row, ...code }
}

export function buildPixCode(
  row: TransactionRow,
  { reference, pixBrCode, expiresAt: openUntil }: PendingPix,
  now: Date,
) {
  // We have asked for a time of ours; a code that the provider gives less is told as it has it.
  const isSooner = row.expiresAt && openUntil > now.toISOString() && openUntil < row.expiresAt
  const expiresAt = row.expiresAt && !isSooner ? row.expiresAt : openUntil
  return {
    providerReference: reference,
    pixBrCode,
    expiresAt,
    checkAt: getNextCheckAt({ ...row, pixBrCode, expiresAt, checks: 0 }, now),
    checks: 0,
    updatedAt: now.toISOString(),
  }
}
