// Reads received and returned money of each account as a list, so that providers need not be asked about each payment.
// A list settles nothing: a difference from our book makes that payment be checked, and the reading counts only once
// that is written. Which accounts are due, and how far each was read, are columns of the account's own row, so that
// processes share them. A started reading keeps other processes away for a while; an unfinished one starts again where
// the last complete one ended.
import type { Database, Db } from '../../database/connect.ts'
import { and, eq, sql } from '../../database/drizzle.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { providerAccounts, transactions } from '../../database/tables.ts'
import type { AccountKey, AccountRow } from '../../providers/accounts.ts'
import { findRetryAt } from '../../providers/call.ts'
import type { Provider } from '../../providers/provider.ts'
import type { PixListing } from '../../providers/received.ts'
import { getProfile, REAL_PROVIDERS } from '../../providers/registry.ts'
import { runInterval } from '../../queue/interval.ts'
import type { PayNeeds } from '../needs.ts'
import { checkReturning } from '../unmatched/end.ts'
import { recordUnmatched } from '../unmatched/record.ts'
import { compareWithBook, scheduleChecksBefore, scheduleUnlistedChecks } from './contradicted.ts'

const ROUND_INTERVAL_MS = 10 * SECOND_MS
const MAX_READ_ACCOUNTS = 20
/** A bank may list a Pix some minutes late. */
const OVERLAP_MS = 10 * MINUTE_MS
/** For an account that was never read: its payments were checked one by one until then. */
const FIRST_WINDOW_MS = DAY_MS
/** A Pix may be returned for 90 days, and a MED ends some days later. */
const MAX_WINDOW_MS = 100 * DAY_MS
/** After this time without a readable list, the payments of an account are checked one by one. */
const MAX_UNREAD_MS = HOUR_MS

const OPEN_INTERVAL_MS = 5 * MINUTE_MS
const IDLE_INTERVAL_MS = HOUR_MS
const LISTING_PROVIDERS = REAL_PROVIDERS.filter((name) => getProfile(name).lists !== null)

export function startAccountReading(needs: PayNeeds) {
  const failure = 'the lists of accounts cannot be read'
  const options = { intervalMs: ROUND_INTERVAL_MS, log: needs.log, failure }
  return runInterval(options, async () => (await readDueAccounts(needs)) === MAX_READ_ACCOUNTS)
}

/** Reads the due accounts and returns their number. */
export async function readDueAccounts(needs: PayNeeds): Promise<number> {
  const claim = { limit: MAX_READ_ACCOUNTS, now: needs.now() }
  const rows = await claimAccountReadings(needs.db, claim)
  await Promise.all(rows.map((row) => readAccount(needs, row)))
  return rows.length
}

type Reading = {
  of: 'received' | 'returns'
  from: number
  /** When this list was last read. */
  lastMs: number
}

async function readAccount(needs: PayNeeds, row: AccountRow) {
  const nowMs = needs.now().getTime()
  await tryReading(needs, row, getReceivedReading(row, nowMs))
  const returnsMs = Date.parse(row.returnsListedAt ?? row.createdAt)
  const isDue = row.returnsListedAt === null || nowMs - returnsMs >= DAY_MS
  if (!isDue || getProfile(row.provider).lists === 'changes') return
  const from = nowMs - MAX_WINDOW_MS
  await tryReading(needs, row, { of: 'returns', from, lastMs: returnsMs + DAY_MS })
}

function getReceivedReading({ listedUntil, createdAt }: AccountRow, nowMs: number): Reading {
  const madeMs = Date.parse(createdAt)
  const of = 'received' as const
  if (!listedUntil) return { of, from: Math.max(madeMs, nowMs - FIRST_WINDOW_MS), lastMs: madeMs }
  const lastMs = Date.parse(listedUntil)
  return { of, from: Math.max(lastMs - OVERLAP_MS, nowMs - MAX_WINDOW_MS), lastMs }
}

/** A failed reading starts again at the next round, and does not stop the others. */
async function tryReading(needs: PayNeeds, row: AccountRow, reading: Reading) {
  const { companyId, provider } = row
  try {
    const account = await needs.providers.open(companyId, provider)
    const listing = await listReading(account, reading, needs.now())
    if (listing)
      await recordReading(needs, row, reading, { ...listing, institution: account.institution })
    if (reading.of === 'received') await checkReturning(needs, row, account)
  } catch (err) {
    needs.log.warn({ err, companyId, provider, of: reading.of }, 'an account could not be listed')
    await applyFailure(needs, row, reading, findRetryAt(err)).catch((failure) => {
      needs.log.warn({ err: failure, companyId, provider }, 'checks could not be scheduled')
    })
  }
}

async function listReading(account: Provider, { of, from }: Reading, now: Date) {
  const window = { from: new Date(from).toISOString(), isReturned: of === 'returns' }
  return account.list?.(window, now)
}

async function recordReading(
  { db, mail, now }: PayNeeds,
  row: AccountRow,
  { of }: Reading,
  { until, institution, ...listed }: PixListing & Pick<Provider, 'institution'>,
) {
  const { contradicted, strays } = await compareWithBook(db, row, listed)
  const at = now().toISOString()
  await db.transaction(async (tx) => {
    await scheduleChecksBefore(tx, row, contradicted, at)
    const isReceived = of === 'received'
    await recordUnmatched(
      tx,
      row,
      { listed: strays, mayAdd: isReceived, institution },
      { mail, now: now() },
    )
    await recordListed(tx, row, isReceived ? { listedUntil: until } : { returnsListedAt: at })
  })
}

async function applyFailure(
  { db, now }: PayNeeds,
  row: AccountRow,
  { of, lastMs }: Reading,
  retryAt: Date | undefined,
) {
  if (retryAt) return recordPause(db, row, retryAt)
  const nowMs = now().getTime()
  if (nowMs - lastMs < MAX_UNREAD_MS) return
  await scheduleUnlistedChecks(db, row, of, now())
  // A list of changes has refunds and disputes too.
  const returnsMs = Math.max(lastMs, Date.parse(row.returnsListedAt ?? row.createdAt))
  const isOfAll = getProfile(row.provider).lists === 'changes' && nowMs - returnsMs >= DAY_MS
  if (isOfAll) await scheduleUnlistedChecks(db, row, 'returns', now())
  // The payments are checked one by one instead.
  if (isOfAll || of === 'returns')
    await recordListed(db, row, { returnsListedAt: now().toISOString() })
}

/** Longest waiting first: often if a payer may pay at any moment, rarely if there are no open payments. */
async function claimAccountReadings(
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

async function recordListed(
  db: Db,
  account: AccountKey,
  listed: { listedUntil: string } | { returnsListedAt: string },
) {
  await db.update(providerAccounts).set(listed).where(buildAccountCondition(account))
}

/** Stops background calls of all processes until the provider accepts calls again. */
export async function recordPause(db: Db, account: AccountKey, until: Date) {
  const pausedUntil = sql`greatest(paused_until, ${until.toISOString()}::timestamptz)`
  await db.update(providerAccounts).set({ pausedUntil }).where(buildAccountCondition(account))
}

function buildAccountCondition({ companyId, provider }: AccountKey) {
  return and(eq(providerAccounts.companyId, companyId), eq(providerAccounts.provider, provider))
}
