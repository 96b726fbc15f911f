// A company's account at a provider: its encrypted configuration, and the address for the provider's notifications. A
// saved secret is never shown again.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import { and, eq, isNull, sql } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { isSandbox, type ProviderName } from '../database/enums.ts'
import { providerAccounts } from '../database/tables.ts'
import { conflictError, invalidFieldsError } from '../http/errors.ts'
import { joinFieldErrors, toFieldErrors } from '../http/zod.ts'
import { isProviderChosen, lockCompany } from './choose.ts'
import {
  findAddressErrors,
  listOrigins,
  listSecretsLeftBehind,
  maskConfig,
  mergeSavedSecrets,
} from './config.ts'
import { runConnectionTest, toTestResult } from './connection.ts'
import { requireNoOpenPayments, testPaymentsUnderWay } from './payments-under-way.ts'
import type { AdapterNeeds } from './profile.ts'
import type { ConnectionStep, Provider } from './provider.ts'
import { getAdapter, type RealProvider } from './registry.ts'
import { providerAccountTexts } from './texts.ts'

export type AccountRow = typeof providerAccounts.$inferSelect

export type AccountNeeds = {
  db: Database
  cipher: Cipher
  log: FastifyBaseLogger
  /** Allows accounts at http and at private addresses; off by default. */
  allowPrivate?: boolean
}

export type AccountKey = { companyId: string; provider: RealProvider }

type SaveAccountInput = AccountKey & {
  /** The configuration from a form or a file, not validated. */
  config: Record<string, unknown>
  /** Whether blank secrets keep their saved value. */
  keepBlankSecrets?: boolean
  now: Date
}

type SavedAccountInput = SaveAccountInput & {
  /** The result of `testAccountConfig`. */
  steps?: ConnectionStep[]
  /** Refuses (409) when the account was saved after this; null: when it exists; absent: never. */
  unchangedSince?: string | null
}

/** For the names of fields of an answer that could not be read. */
const MAX_FIELD_LENGTH = 200
const READ_AGAIN = { unreadableField: null, unreadableAt: null }
const CONFIG_PLACE = 'provider_accounts.config'

/**
 * Tests the connection of a configuration, and whether it leads to the account that has the payments in progress.
 * Throws like `saveAccount`.
 */
export async function testAccountConfig(
  needs: AccountNeeds,
  asked: SaveAccountInput,
): Promise<ConnectionStep[]> {
  const config = await validateAccountConfig(needs, asked)
  return runConnectionTest(
    () => getAdapter(asked.provider).open(config, toAdapterNeeds(needs, asked)),
    asked.now,
    async (account) => [
      ...buildClockSteps(await findAccount(needs.db, asked.companyId, asked.provider)),
      ...(await testPaymentsUnderWay(needs.db, asked, account)),
    ],
  )
}

/** Throws an AppError that names the invalid fields. Makes no call to the provider. */
export async function saveAccount(
  needs: AccountNeeds,
  { steps, unchangedSince, ...asked }: SavedAccountInput,
): Promise<AccountRow> {
  const { db, cipher } = needs
  const { companyId, provider, now } = asked
  const config = await validateAccountConfig(needs, asked)
  const opened = getAdapter(provider).open(config, toAdapterNeeds(needs, asked))
  const { testMode } = opened
  await opened.close?.()

  const at = now.toISOString()
  return db.transaction(async (tx) => {
    const company = await lockCompany(tx, companyId)
    if (testMode !== company.testMode) {
      const { testAccount, realAccount } = providerAccountTexts
      throw conflictError('wrong_environment', testMode ? testAccount : realAccount)
    }
    const changed = {
      config: cipher.encrypt(JSON.stringify(config), CONFIG_PLACE, toConfigRowId(asked)),
      testMode,
      // Another key may have another notification address, and another bank another clock.
      ...{ registrationCheckedAt: null, clockOffsetHours: 0, pausedUntil: null },
      ...READ_AGAIN,
      ...(steps ? toTestResult(steps, now) : { testedAt: null, testFailure: null }),
      updatedAt: at,
    }
    const notifyToken = deriveNotifyToken(cipher, { companyId, provider })
    const [saved] = await tx
      .insert(providerAccounts)
      .values({ companyId, provider, notifyToken, createdAt: at, ...changed })
      .onConflictDoUpdate({
        target: [providerAccounts.companyId, providerAccounts.provider],
        set: changed,
        ...(unchangedSince !== undefined && {
          setWhere: sql`${providerAccounts.updatedAt} = ${unchangedSince}::timestamptz`,
        }),
      })
      .returning()
    if (!saved) throw conflictError('changed_meanwhile', providerAccountTexts.changedMeanwhile)
    return saved
  })
}

/** Returns the account without its secrets; undefined without an account. */
export async function findMaskedAccount(
  { db, cipher }: Pick<AccountNeeds, 'db' | 'cipher'>,
  key: AccountKey,
) {
  const row = await findAccount(db, key.companyId, key.provider)
  if (!row) return undefined
  const { config: _, ...shown } = row
  const config = decryptAccountConfig(cipher, row)
  return { ...shown, config: config && maskConfig(config, getAdapter(row.provider)) }
}

/** Removes an account. Throws while it is chosen, or while a payment or refund there is in progress. */
export async function removeAccount(db: Database, key: AccountKey) {
  await db.transaction(async (tx) => {
    const company = await lockCompany(tx, key.companyId)
    if (isProviderChosen(company, key.provider)) {
      throw conflictError('account_chosen', providerAccountTexts.chosenRemoved)
    }
    await requireNoOpenPayments(tx, key)
    await tx.delete(providerAccounts).where(isAccount(key))
  })
}

export async function findAccount(db: Database, companyId: string, provider: RealProvider) {
  const [row] = await db.select().from(providerAccounts).where(isAccount({ companyId, provider }))
  return row
}

const NOTIFY_TOKEN_PATTERN = /^[\w-]{1,128}$/

/** Finds an account by the unguessable part of its notification address. */
export async function findAccountByNotifyToken(db: Database, notifyToken: string) {
  // Postgres refuses NUL.
  if (!NOTIFY_TOKEN_PATTERN.test(notifyToken)) return undefined
  const [row] = await db
    .select()
    .from(providerAccounts)
    .where(eq(providerAccounts.notifyToken, notifyToken))
  return row
}

/** Tests the connection and stores the result. */
export async function testAccount(
  needs: AccountNeeds,
  { companyId, provider, now }: AccountKey & { now: Date },
): Promise<{ kind: 'tested'; steps: ConnectionStep[] } | { kind: 'noAccount' }> {
  const { db, cipher } = needs
  const row = await findAccount(db, companyId, provider)
  if (!row) return { kind: 'noAccount' }
  const steps = await runConnectionTest(
    () => openAccount(cipher, row, toAdapterNeeds(needs, { now })),
    now,
    async () => buildClockSteps(row),
  )
  await db
    .update(providerAccounts)
    .set({ ...toTestResult(steps, now), ...READ_AGAIN })
    // The result does not apply to a configuration that was saved meanwhile.
    .where(and(isAccount({ companyId, provider }), eq(providerAccounts.config, row.config)))
  return { kind: 'tested', steps }
}

/** Stores how far the provider's clock is ahead, as a new charge shows. */
export async function recordClockOffset(
  db: Database,
  { companyId, provider }: { companyId: string; provider: ProviderName },
  clockOffsetHours: number,
) {
  if (isSandbox(provider)) return
  await db
    .update(providerAccounts)
    .set({ clockOffsetHours })
    .where(isAccount({ companyId, provider }))
}

/** Stores the first unreadable field of the provider's answers, until the account is saved or tested again. */
export async function recordUnreadable(
  db: Database,
  { companyId, provider }: AccountKey,
  { field, now }: { field: string; now: Date },
) {
  await db
    .update(providerAccounts)
    .set({ unreadableField: field.slice(0, MAX_FIELD_LENGTH), unreadableAt: now.toISOString() })
    .where(and(isAccount({ companyId, provider }), isNull(providerAccounts.unreadableAt)))
}

/** A wrong clock is corrected, but people should know of it. */
function buildClockSteps(row: AccountRow | undefined): ConnectionStep[] {
  if (!row || row.clockOffsetHours === 0) return []
  const reason = providerAccountTexts.clockOff(row.clockOffsetHours)
  return [{ step: 'clock', ok: false, isOptional: true, reason }]
}

/** The origins that the configuration connects to. */
export function listAccountOrigins(provider: RealProvider, config: Record<string, unknown>) {
  return listOrigins(config, getAdapter(provider))
}

/** Throws when the configuration was encrypted with another SECRET_KEY, or when the adapter refuses it. */
export function openAccount(cipher: Cipher, row: AccountRow, needs: AdapterNeeds): Provider {
  const { clockOffsetHours } = row
  return getAdapter(row.provider).open(decryptConfig(cipher, row), { ...needs, clockOffsetHours })
}

/** The token is known before the account is saved, since some providers ask for the address first. */
export function deriveNotifyToken(cipher: Cipher, { companyId, provider }: AccountKey) {
  return cipher.hmac('address of notifications', `${companyId} ${provider}`).toString('base64url')
}

export function buildNotifyUrl(
  baseUrl: string,
  { provider, notifyToken }: Pick<AccountRow, 'provider' | 'notifyToken'>,
) {
  return `${baseUrl}/webhooks/${provider}/${notifyToken}`
}

/** Throws an AppError that names the invalid fields. */
async function validateAccountConfig(
  { db, cipher, allowPrivate = false }: AccountNeeds,
  { companyId, provider, config, keepBlankSecrets = false }: SaveAccountInput,
) {
  const adapter = getAdapter(provider)
  const before = keepBlankSecrets ? await findAccount(db, companyId, provider) : undefined
  const saved = before && decryptAccountConfig(cipher, before)
  const merged = mergeSavedSecrets(config, saved, adapter)
  const parsed = adapter.config.safeParse(merged)
  const leftBehind = saved ? listSecretsLeftBehind(config, saved, adapter) : []
  const message = providerAccountTexts.secretLeftBehind
  const asked = leftBehind.map((field) => ({ field, code: 'required', message }))
  const ofShape = joinFieldErrors(asked, parsed.error ? toFieldErrors(parsed.error) : [])
  const errors = joinFieldErrors(ofShape, await findAddressErrors(merged, allowPrivate))
  if (!parsed.success || errors.length > 0) throw invalidFieldsError(errors)
  return adapter.normalize ? adapter.normalize(parsed.data) : parsed.data
}

function toAdapterNeeds(
  { log, allowPrivate = false }: AccountNeeds,
  { now }: { now: Date },
): AdapterNeeds {
  return { log, allowPrivate, now: () => now }
}

/** Null when the current SECRET_KEY does not decrypt it. */
export function decryptAccountConfig(
  cipher: Cipher,
  row: AccountRow,
): Record<string, unknown> | null {
  try {
    return decryptConfig(cipher, row)
  } catch {
    return null
  }
}

function decryptConfig(cipher: Cipher, row: AccountRow) {
  return JSON.parse(cipher.decrypt(row.config, CONFIG_PLACE, toConfigRowId(row)))
}

const toConfigRowId = ({ companyId, provider }: AccountKey) => `${companyId} ${provider}`

/** The condition for an account's row. */
export function isAccount({ companyId, provider }: AccountKey) {
  return and(eq(providerAccounts.companyId, companyId), eq(providerAccounts.provider, provider))
}
