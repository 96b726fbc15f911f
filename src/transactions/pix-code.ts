// The code that a Pix payment is paid by, kept as the provider gave it. Codes that are made at once are
// written together.

import { batchCalls } from '../database/batch.ts'
import { buildRecordset, toSnakeCase } from '../database/bulk-insert.ts'
import type { Database } from '../database/connect.ts'
import { memoizeByDb } from '../database/memoize.ts'
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
  await pixCodeBatch(db)({ id: row.id, ...code })
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

const PIX_CODE_COLUMNS = [
  'providerReference',
  'pixBrCode',
  'expiresAt',
  'checkAt',
  'checks',
  'updatedAt',
] as const

const pixCodeBatch = memoizeByDb((db: Database) => {
  const text = `update transactions set ${PIX_CODE_COLUMNS.map((key) => `${toSnakeCase(key)} = given."${key}"`)}
    from ${buildRecordset(transactions, ['id', ...PIX_CODE_COLUMNS])}
    where transactions.id = any($2) and transactions.id = given.id and status = 'pending'`
  return batchCalls(async (codes: { id: string }[]) => {
    const values = [JSON.stringify(codes), codes.map(({ id }) => id)]
    await db.$client.query({ name: 'record_pix_codes', text, values })
    return codes
  })
})
