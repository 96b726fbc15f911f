// Records when a provider last notified us about an account, and whether the signature was valid. A secret that was
// changed at the provider, or pasted with a letter missing, makes every notification look forged: payments are then
// found later, by asking, and the company is told once.

import type { Db } from '../database/connect.ts'
import { and, eq, sql } from '../database/drizzle.ts'
import { providerAccounts } from '../database/tables.ts'
import type { AccountKey } from './accounts.ts'

/** After so many in a row, none of which was good, it is no stranger who tries. */
export const MAX_REFUSED = 3

/** Whether this is the refused notification that the company is to be told of. */
export async function recordNotification(
  db: Db,
  { companyId, provider }: AccountKey,
  kind: 'good' | 'refused',
  now: Date,
): Promise<boolean> {
  const at = now.toISOString()
  const { notifiedCount, refusedCount } = providerAccounts
  const changes =
    kind === 'good'
      ? { notifiedAt: at, notifiedCount: sql`${notifiedCount} + 1`, refusedCount: 0 }
      : { refusedAt: at, refusedCount: sql`${refusedCount} + 1` }
  const [row] = await db
    .update(providerAccounts)
    .set(changes)
    .where(and(eq(providerAccounts.companyId, companyId), eq(providerAccounts.provider, provider)))
    .returning({ refused: refusedCount })
  return kind === 'refused' && row?.refused === MAX_REFUSED
}
