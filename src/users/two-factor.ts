// Two-factor authentication: codes of an app (RFC 6238) and ten recovery codes for a lost phone. Each code works once.
import { hash } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import { Secret, TOTP } from 'otpauth'
import type { Database } from '../database/connect.ts'
import { and, eq, isNotNull, isNull, lt, or, sql } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { users } from '../database/tables.ts'
import { revokeOtherSessions } from './session.ts'
import { findUserByEmail } from './user.ts'

const TOTP_ISSUER = 'Vintém'
const TOTP_SECRET_BYTES = 20
/** The steps of 30 s by which a clock may differ, in both directions. */
const STEP_WINDOW = 1
const TOTP_CODE = /^\d{6}$/
const RECOVERY_CODE_COUNT = 10
// An alphabet without characters that look alike.
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const RECOVERY_CODE_LENGTH = 8
const newRecoveryCode = customAlphabet(RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH)

type TotpSetup = {
  /** The secret in Base32, for typing it when the QR code cannot be read. */
  secret: string
  /** The content of the QR code. */
  uri: string
}

type StartResult = ({ kind: 'started' } & TotpSetup) | { kind: 'alreadyEnabled' }

/** Begins the setup; codes are asked for once it is confirmed. */
export async function startTotpSetup(
  db: Database,
  cipher: Cipher,
  userId: string,
): Promise<StartResult> {
  const secret = new Secret({ size: TOTP_SECRET_BYTES })
  const [user] = await db
    .update(users)
    .set({ totpSecret: encryptTotpSecret(cipher, userId, secret), totpLastStep: null })
    .where(and(eq(users.id, userId), isNull(users.totpEnabledAt)))
    .returning({ email: users.email })
  if (!user) return { kind: 'alreadyEnabled' }
  return { kind: 'started', ...toTotpSetup(secret, user.email) }
}

/** Finds a setup that is not confirmed yet, to show it again. */
export async function findPendingTotpSetup(db: Database, cipher: Cipher, userId: string) {
  const user = await findTotpUser(db, userId)
  if (!user || user.enabled) return undefined
  const secret = decryptTotpSecret(cipher, userId, user.encrypted)
  return secret && toTotpSetup(secret, user.email)
}

type ConfirmResult =
  | { kind: 'enabled'; recoveryCodes: string[] }
  | { kind: 'wrongCode' }
  /** The setup was not begun, is already confirmed, or was begun again meanwhile. */
  | { kind: 'notPending' }

/** Turns it on when the code is right. Returns the recovery codes, which are not shown again. */
export async function confirmTotpSetup(
  db: Database,
  cipher: Cipher,
  userId: string,
  code: string,
  now: Date,
): Promise<ConfirmResult> {
  const user = await findTotpUser(db, userId)
  if (!user?.encrypted) return { kind: 'notPending' }
  const step = findTotpStep(decryptTotpSecret(cipher, userId, user.encrypted), code, now)
  if (step === undefined) return { kind: 'wrongCode' } as const
  const recoveryCodes = newRecoveryCodes()
  const enabled = await db
    .update(users)
    .set({
      totpEnabledAt: now.toISOString(),
      totpLastStep: step,
      recoveryCodes: recoveryCodes.map((one) => hashRecoveryCode(userId, one)),
    })
    // If the setup was begun again meanwhile, the app that sent this code has a former secret.
    .where(
      and(eq(users.id, userId), isNull(users.totpEnabledAt), eq(users.totpSecret, user.encrypted)),
    )
    .returning({ id: users.id })
  return enabled.length > 0 ? { kind: 'enabled', recoveryCodes } : { kind: 'notPending' }
}

export async function disableTotp(db: Database, userId: string) {
  const disabled = await db
    .update(users)
    .set({ totpSecret: null, totpEnabledAt: null, totpLastStep: null, recoveryCodes: [] })
    .where(buildTotpEnabledCondition(userId))
    .returning({ id: users.id })
  return { kind: disabled.length > 0 ? 'disabled' : 'notEnabled' } as const
}

/**
 * Turns it off for a person who lost the app and the recovery codes. All sessions end, since another person may have
 * the phone.
 */
export async function resetTotp(db: Database, email: string) {
  const user = await findUserByEmail(db, email)
  if (!user) return { kind: 'notFound' as const }
  const { kind } = await disableTotp(db, user.id)
  if (kind === 'notEnabled') return { kind }
  await revokeOtherSessions(db, { userId: user.id, keep: null })
  return { kind: 'reset' as const, id: user.id, companyId: user.companyId }
}

/** Creates new recovery codes; the old ones stop working. */
export async function renewRecoveryCodes(db: Database, userId: string) {
  const recoveryCodes = newRecoveryCodes()
  const renewed = await db
    .update(users)
    .set({ recoveryCodes: recoveryCodes.map((one) => hashRecoveryCode(userId, one)) })
    .where(buildTotpEnabledCondition(userId))
    .returning({ id: users.id })
  if (renewed.length === 0) return { kind: 'notEnabled' as const }
  return { kind: 'renewed' as const, recoveryCodes }
}

export async function countRecoveryCodes(db: Database, userId: string) {
  const [user] = await db
    .select({ left: sql<number>`cardinality(${users.recoveryCodes})` })
    .from(users)
    .where(eq(users.id, userId))
  return user?.left ?? 0
}

/** Checks a code of the app or a recovery code, which works once. */
export async function consumeTwoFactorCode(
  db: Database,
  cipher: Cipher,
  userId: string,
  code: string,
  now: Date,
) {
  const plain = code.toLowerCase().replace(/[\s-]/g, '')
  return TOTP_CODE.test(plain)
    ? consumeTotpCode(db, cipher, userId, plain, now)
    : consumeRecoveryCode(db, userId, plain)
}

async function consumeTotpCode(
  db: Database,
  cipher: Cipher,
  userId: string,
  code: string,
  now: Date,
) {
  const user = await findTotpUser(db, userId)
  const step = user && findTotpStep(decryptTotpSecret(cipher, userId, user.encrypted), code, now)
  if (step === undefined) return { kind: 'wrongCode' } as const
  const isLater = or(isNull(users.totpLastStep), lt(users.totpLastStep, step))
  const used = await db
    .update(users)
    .set({ totpLastStep: step })
    .where(and(buildTotpEnabledCondition(userId), isLater))
    .returning({ id: users.id })
  return { kind: used.length > 0 ? 'consumed' : 'wrongCode' } as const
}

async function consumeRecoveryCode(db: Database, userId: string, plain: string) {
  if (plain.length !== RECOVERY_CODE_LENGTH) return { kind: 'wrongCode' } as const
  const hash = hashRecoveryCode(userId, plain)
  const used = await db
    .update(users)
    .set({ recoveryCodes: sql`array_remove(${users.recoveryCodes}, ${hash})` })
    .where(and(buildTotpEnabledCondition(userId), sql`${hash} = any(${users.recoveryCodes})`))
    .returning({ id: users.id })
  return { kind: used.length > 0 ? 'consumed' : 'wrongCode' } as const
}

async function findTotpUser(db: Database, userId: string) {
  const [user] = await db
    .select({
      email: users.email,
      encrypted: users.totpSecret,
      enabled: sql<boolean>`${users.totpEnabledAt} is not null`,
    })
    .from(users)
    .where(eq(users.id, userId))
  return user
}

function encryptTotpSecret(cipher: Cipher, userId: string, secret: Secret) {
  return cipher.encrypt(secret.base32, 'users.totp_secret', userId)
}

/** Undefined also when another SECRET_KEY encrypted it; recovery codes still work then. */
function decryptTotpSecret(cipher: Cipher, userId: string, encrypted: Buffer | null) {
  if (!encrypted) return undefined
  try {
    return Secret.fromBase32(cipher.decrypt(encrypted, 'users.totp_secret', userId))
  } catch {
    return undefined
  }
}

/** Returns the 30 s step of a code. */
function findTotpStep(secret: Secret | undefined, code: string, now: Date) {
  const token = code.replace(/[\s-]/g, '')
  // The library throws for letters that need more than one byte.
  if (!secret || !TOTP_CODE.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = TOTP.validate({ token, secret, timestamp, window: STEP_WINDOW })
  return delta === null ? undefined : TOTP.counter({ timestamp }) + delta
}

function toTotpSetup(secret: Secret, email: string): TotpSetup {
  const uri = new TOTP({ issuer: TOTP_ISSUER, label: email, secret }).toString()
  return { secret: secret.base32, uri }
}

function buildTotpEnabledCondition(userId: string) {
  return and(eq(users.id, userId), isNotNull(users.totpEnabledAt))
}

/** Codes written as `xxxx-xxxx`; the dash is only for reading. */
function newRecoveryCodes() {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    newRecoveryCode().replace(/^..../, '$&-'),
  )
}

/** Hashes the code with the person's id, so that equal codes of two people have different hashes. */
function hashRecoveryCode(userId: string, code: string) {
  return hash('sha256', `${userId} ${code.replace('-', '')}`)
}
