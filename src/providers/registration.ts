// Registers our notification address at providers with an API for it. An address that is not ours is left there unless
// the caller replaces it, and the loss of ours is noticed; payments are then found by asking.
import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../database/connect.ts'
import { and, eq, sql } from '../database/drizzle.ts'
import type { RegistrationState } from '../database/enums.ts'
import { DAY_MS, HOUR_MS } from '../database/instant.ts'
import { providerAccounts } from '../database/tables.ts'
import {
  type AccountKey,
  type AccountNeeds,
  type AccountRow,
  buildNotifyUrl,
  findAccount,
  isAccount,
  openAccount,
} from './accounts.ts'
import type { RegisterResult } from './connection.ts'
import type { NotificationTarget, Registration } from './notification.ts'
import type { Provider } from './provider.ts'
import type { RealProvider } from './registry.ts'
import { providerAccountTexts } from './texts.ts'

const NOTIFY_TOKEN_BYTES = 32
const CHECK_INTERVAL_MS = DAY_MS
/** The wait when the provider did not answer. */
const CHECK_RETRY_MS = HOUR_MS

type RegistrationOrder = AccountKey & {
  baseUrl: string
  /** Whether the address of another system is replaced. */
  replace?: boolean
  now: Date
}

/** Registers an account's notification address at the provider. */
export async function registerNotifications(
  needs: AccountNeeds,
  { companyId, provider, baseUrl, replace = false, now }: RegistrationOrder,
): Promise<RegisterResult> {
  const { db, cipher, log, allowPrivate = false } = needs
  const row = await findAccount(db, companyId, provider)
  if (!row) return { kind: 'noAccount' }
  let account: Provider | undefined
  try {
    account = openAccount(cipher, row, { log, allowPrivate, now: () => now })
    if (!account.registerNotifications) return { kind: 'byHand' }
    const notifyUrl = buildNotifyUrl(baseUrl, row)
    const registered = await account.registerNotifications(notifyUrl, { replace })
    const canBeLost = account.findRegistration !== undefined
    if (canBeLost) await saveRegistration(db, row, toRegistrationColumns(registered), now)
    return registered
  } catch (err) {
    log.warn({ err, companyId, provider }, 'notifications could not be registered')
    return { kind: 'failed', reason: providerAccountTexts.notRegistered }
  } finally {
    await account?.close?.()
  }
}

type RotateTokenResult =
  | {
      kind: 'rotated'
      provider: RealProvider
      notifyToken: string
      /** Whether the former address was registered at the provider. */
      wasRegistered: boolean
    }
  | { kind: 'noAccount' }

/** Changes the account's notification address; the caller must give it to the provider. */
export async function rotateNotifyToken(
  db: Database,
  { companyId, provider, now }: AccountKey & { now: Date },
): Promise<RotateTokenResult> {
  const notifyToken = randomBytes(NOTIFY_TOKEN_BYTES).toString('base64url')
  const [rotated] = await db
    .update(providerAccounts)
    .set({ notifyToken, updatedAt: now.toISOString() })
    .where(isAccount({ companyId, provider }))
    .returning({ registration: providerAccounts.registration })
  if (!rotated) return { kind: 'noAccount' }
  const wasRegistered = rotated.registration === 'registered'
  return { kind: 'rotated', provider, notifyToken, wasRegistered }
}

/** Claims the accounts with a registration that is due to be checked; each is due again in a day. */
export async function claimRegistrationChecks(
  db: Database,
  { limit, now }: { limit: number; now: Date },
): Promise<AccountRow[]> {
  const since = new Date(now.getTime() - CHECK_INTERVAL_MS).toISOString()
  const due = sql`(select company_id, provider from ${providerAccounts}
    where registration is not null and coalesce(registration_checked_at, '-infinity') <= ${since}
    limit ${limit} for update skip locked)`
  return db
    .update(providerAccounts)
    .set({ registrationCheckedAt: now.toISOString() })
    .where(sql`(${providerAccounts.companyId}, ${providerAccounts.provider}) in ${due}`)
    .returning()
}

/** Schedules the next try after a failed check. */
export async function retryRegistrationCheck(db: Database, row: AccountRow, now: Date) {
  const at = new Date(now.getTime() - CHECK_INTERVAL_MS + CHECK_RETRY_MS).toISOString()
  await db.update(providerAccounts).set({ registrationCheckedAt: at }).where(isAccount(row))
}

/** Stores the registered address; true when it was ours before and is not any more. */
export async function recordNotificationTarget(
  db: Db,
  row: AccountRow,
  target: NotificationTarget,
  now: Date,
): Promise<boolean> {
  const isKept = row.registration === 'kept' && target.kind !== 'ours'
  const registration =
    target.kind === 'ours' ? 'registered' : isKept ? ('kept' as const) : ('lost' as const)
  const registeredUrl = target.kind === 'other' ? target.url : null
  const isSaved = await saveRegistration(db, row, { registration, registeredUrl }, now)
  return isSaved && registration === 'lost' && row.registration === 'registered'
}

/** Lists a company's accounts with a provider that stopped notifying us without our request. */
export async function listLostRegistrations(db: Database, companyId: string) {
  return db
    .select({ provider: providerAccounts.provider, url: providerAccounts.registeredUrl })
    .from(providerAccounts)
    .where(
      and(eq(providerAccounts.companyId, companyId), eq(providerAccounts.registration, 'lost')),
    )
}

type RegistrationColumns = { registration: RegistrationState; registeredUrl: string | null }

function toRegistrationColumns(result: Registration): RegistrationColumns {
  return result.kind === 'kept'
    ? { registration: 'kept', registeredUrl: result.url }
    : { registration: 'registered', registeredUrl: null }
}

/** Changes nothing if another process has changed it meanwhile. */
async function saveRegistration(
  db: Db,
  row: AccountRow,
  columns: RegistrationColumns,
  now: Date,
): Promise<boolean> {
  const before = row.registration
  const [saved] = await db
    .update(providerAccounts)
    .set({ ...columns, registrationCheckedAt: now.toISOString() })
    .where(
      and(isAccount(row), sql`${providerAccounts.registration} is not distinct from ${before}`),
    )
    .returning({ provider: providerAccounts.provider })
  return saved !== undefined
}
