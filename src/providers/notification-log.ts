// Records a provider's last notification about an account, and whether its signature was valid. If a secret was changed
// at the provider, or pasted incompletely, every notification looks forged: payments are then found later, by asking,
// and the company is informed once.

import type { Db } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { providerAccounts } from '../database/tables.ts'
import { type AccountKey, isAccount } from './accounts.ts'

/** After so many refused notifications in a row, without a valid one, the secret is probably wrong. */
export const MAX_REFUSED = 3

/** Returns whether the company must be informed of this refused notification. */
export async function recordNotification(
  db: Db,
  key: AccountKey,
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
    .where(isAccount(key))
    .returning({ refused: refusedCount })
  return kind === 'refused' && row?.refused === MAX_REFUSED
}
