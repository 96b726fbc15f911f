// Records a provider's last notification about an account, and whether its signature was valid. If a secret was changed
// at the provider, or pasted incompletely, every notification looks forged; if its address was, none comes. Payments are
// then found later, by asking, and the company is informed once.

import type { Db } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { providerAccounts } from '../database/tables.ts'
import { type AccountKey, isAccount } from './accounts.ts'

/** After so many Pix in a row, over an hour at least, that were found without a notification, there are none. */
const MIN_UNNOTIFIED = 5

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

/** Selects, as `silent`, the accounts that notified us or should, when asking alone found all of their last Pix. */
export function selectSilentAccounts(): SQL {
  return sql`(
    select account.* from provider_accounts account
    cross join lateral (
      select count(*) as count, max(approved_at) - min(approved_at) as lasted
      from transactions payment
      where payment.company_id = account.company_id and payment.provider = account.provider and method = 'pix'
        and approved_at > coalesce(account.notified_at, account.registration_checked_at)
    ) unnotified
    where (account.notified_at is not null or account.registration = 'registered')
      and unnotified.count >= ${MIN_UNNOTIFIED} and unnotified.lasted >= interval '1 hour'
  ) silent`
}
