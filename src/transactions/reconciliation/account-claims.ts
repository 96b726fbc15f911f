// Which accounts are due to be read as a list, and how far each was read: columns of the account's own row, so that
// processes share them. A started reading keeps other processes away for a while; an unfinished one starts again where
// the last complete one ended.
import type { Database, Db } from '../../database/connect.ts'
import { and, eq, sql } from '../../database/drizzle.ts'
import { HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import { providerAccounts, transactions } from '../../database/tables.ts'
import type { AccountRow } from '../../providers/accounts.ts'
import { getProfile, REAL_PROVIDERS } from '../../providers/registry.ts'

const OPEN_INTERVAL_MS = 5 * MINUTE_MS
const IDLE_INTERVAL_MS = HOUR_MS
const LISTING_PROVIDERS = REAL_PROVIDERS.filter((name) => getProfile(name).lists !== null)

export type ReadAccount = Pick<AccountRow, 'companyId' | 'provider'>

/** Longest waiting first: often if a payer may pay at any moment, rarely if there are no open payments. */
export async function claimAccountReadings(
  db: Database,
  { limit, now }: { limit: number; now: Date },
): Promise<AccountRow[]> {
  const [at, often, rarely] = [0, OPEN_INTERVAL_MS, IDLE_INTERVAL_MS].map(
    (ms) => sql`${new Date(now.getTime() - ms).toISOString()}::timestamptz`,
  )
  const isOpen = sql`exists (select from ${transactions} t
    where t.company_id = a.company_id and t.status = 'pending' and t.provider = a.provider)`
  const triedAt = sql`coalesce(list_tried_at, '-infinity')`
  const due = sql`(select company_id, provider from ${providerAccounts} a
    where provider = any(${sql.param(LISTING_PROVIDERS)})
      and coalesce(paused_until, '-infinity') <= ${at}
      and (${triedAt} <= ${rarely} or (${triedAt} <= ${often} and ${isOpen}))
    order by ${triedAt} limit ${limit} for update skip locked)`
  return db
    .update(providerAccounts)
    .set({ listTriedAt: now.toISOString() })
    .where(sql`(${providerAccounts.companyId}, ${providerAccounts.provider}) in ${due}`)
    .returning()
}

export async function recordListed(
  db: Db,
  account: ReadAccount,
  listed: { listedUntil: string } | { returnsListedAt: string },
) {
  await db.update(providerAccounts).set(listed).where(buildAccountCondition(account))
}

/** Stops background calls of all processes until the provider accepts calls again. */
export async function recordPause(db: Db, account: ReadAccount, until: Date) {
  const pausedUntil = sql`greatest(paused_until, ${until.toISOString()}::timestamptz)`
  await db.update(providerAccounts).set({ pausedUntil }).where(buildAccountCondition(account))
}

function buildAccountCondition({ companyId, provider }: ReadAccount) {
  return and(eq(providerAccounts.companyId, companyId), eq(providerAccounts.provider, provider))
}
