// Sessions of signed-in people, and the devices from which they signed in. A session is a row, found by the token of a
// cookie. It ends 12 hours after its last use, 7 days after its start, and at once when its row is deleted. For each
// person a browser keeps a signed token: wrong passwords from elsewhere cannot lock this browser out, and a sign-in
// without a token is reported to the person. Changing the password ends the tokens.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { maskCardNumbers } from '../card-numbers.ts'
import { getUsualCompany } from '../companies/company.ts'
import type { Database, Db } from '../database/connect.ts'
import { and, desc, eq, gt, inArray, lte, ne, or, pgCore } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { isUuid, newId } from '../database/id.ts'
import { addDelay, DAY_MS, HOUR_MS, MINUTE_MS } from '../database/instant.ts'
import { companies, invitations, passwordResets, sessions, users } from '../database/tables.ts'
import { unmapAddress } from '../http/ip.ts'
import { getRetentionStart, purgeRows } from '../queue/purge.ts'

const SESSION_IDLE_MS = 12 * HOUR_MS
const SESSION_MAX_AGE_MS = 7 * DAY_MS
const LAST_SEEN_INTERVAL_MS = MINUTE_MS
const MAX_SESSIONS_PER_USER = 20
const MAX_USER_AGENT_LENGTH = 300
const INVITATION_RETENTION_DAYS = 30

type NewSession = { userId: string; address: string; userAgent: string | undefined; now: Date }

/** Creates a session and returns its token, which is not stored. A person has at most 20 sessions. */
export async function createSession(db: Database, { userId, address, userAgent, now }: NewSession) {
  const [id, token] = [newId(), newSecretToken()]
  await db.transaction(async (tx) => {
    // The lock makes a person's sign-ins take turns, so that the limit of sessions holds.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    await tx.insert(sessions).values({
      id,
      tokenHash: hashToken(token),
      userId,
      address: unmapAddress(address),
      userAgent: maskCardNumbers(userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH),
      confirmedAt: now.toISOString(),
      createdAt: now.toISOString(),
      lastSeenAt: now.toISOString(),
      expiresAt: addDelay(now, SESSION_MAX_AGE_MS),
    })
    const tooMany = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(desc(sessions.createdAt), desc(sessions.id))
      .offset(MAX_SESSIONS_PER_USER)
    await tx.delete(sessions).where(inArray(sessions.id, tooMany))
  })
  return { token, id }
}

/**
 * Finds a session and records its use, unless the request is automatic, as from a page that polls. `company` is the
 * environment that the person chose, else the default one; `user.companyId` is the real environment's, which people
 * belong to. `confirmedAt`: when the person last confirmed their identity.
 */
export async function findSession(db: Database, token: string, now: Date, isUse = true) {
  const [row] = await db
    .select({
      id: sessions.id,
      lastSeenAt: sessions.lastSeenAt,
      totpEnabledAt: users.totpEnabledAt,
      user: { id: users.id, email: users.email, role: users.role, companyId: users.companyId },
      testMode: sessions.testMode,
      confirmedAt: sessions.confirmedAt,
      real: companies,
      test: testCompanies,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(companies, eq(companies.id, users.companyId))
    .innerJoin(testCompanies, eq(testCompanies.testOf, users.companyId))
    .where(
      and(
        eq(sessions.tokenHash, hashToken(token)),
        gt(sessions.expiresAt, now.toISOString()),
        gt(sessions.lastSeenAt, addDelay(now, -SESSION_IDLE_MS)),
      ),
    )
  if (!row) return undefined
  const { lastSeenAt, totpEnabledAt, user, real, test, testMode, ...session } = row
  if (isUse && lastSeenAt <= addDelay(now, -LAST_SEEN_INTERVAL_MS))
    await recordSessionUse(db, session.id, now)
  const chosen = testMode ? test : real
  return {
    ...session,
    user: { ...user, totpEnabled: totpEnabledAt !== null },
    company: testMode === null ? getUsualCompany({ real, test }) : chosen,
  }
}

/** Switches this session to the live or the test environment. */
export async function switchEnvironment(db: Database, sessionId: string, testMode: boolean) {
  await db.update(sessions).set({ testMode }).where(eq(sessions.id, sessionId))
}

/** Records that the person has just confirmed their identity. */
export async function confirmSession(db: Database, id: string, now: Date) {
  await db.update(sessions).set({ confirmedAt: now.toISOString() }).where(eq(sessions.id, id))
}

export async function revokeSession(db: Db, { id, userId }: { id: string; userId: string }) {
  if (!isUuid(id)) return { kind: 'notFound' } as const
  const closed = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  return { kind: closed.length > 0 ? 'revoked' : 'notFound' } as const
}

/** Ends all sessions of a person except `keep`. */
export async function revokeOtherSessions(
  db: Db,
  { userId, keep }: { userId: string; keep: string | null },
) {
  await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keep === null ? undefined : ne(sessions.id, keep)))
}

/** Lists the valid sessions, last used first. */
export async function listSessions(db: Db, userId: string, now: Date) {
  return db
    .select({
      id: sessions.id,
      address: sessions.address,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.expiresAt, now.toISOString()),
        gt(sessions.lastSeenAt, addDelay(now, -SESSION_IDLE_MS)),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
}

/**
 * Derives the CSRF token of a session's forms: other sites can neither read nor compute it, and a form opened in one
 * environment is refused in the other.
 */
export function deriveCsrfToken(sessionToken: string, testMode: boolean) {
  const purpose = testMode ? 'csrf test' : 'csrf real'
  return createHmac('sha256', sessionToken).update(purpose).digest('base64url')
}

export function isCsrfToken(sessionToken: string, testMode: boolean, given: string) {
  return isSameSecret(deriveCsrfToken(sessionToken, testMode), given)
}

/** Deletes one batch of ended sessions; a person has few. */
export async function purgeSessions(db: Database, now: Date) {
  const idle = lte(sessions.lastSeenAt, addDelay(now, -SESSION_IDLE_MS))
  return purgeRows(db, sessions, or(lte(sessions.expiresAt, now.toISOString()), idle))
}

/** Deletes one batch of expired links; a person has one. */
export async function purgePasswordResets(db: Database, now: Date) {
  return purgeRows(db, passwordResets, lte(passwordResets.expiresAt, now.toISOString()))
}

/** Deletes one batch of invitations that ended a month ago; an e-mail has one. */
export async function purgeInvitations(db: Database, now: Date) {
  const start = getRetentionStart(now, INVITATION_RETENTION_DAYS)
  return purgeRows(db, invitations, lte(invitations.expiresAt, start))
}

const testCompanies = pgCore.alias(companies, 'test_company')

/** Writes at most once a minute, since a write for every page would cost too much. */
async function recordSessionUse(db: Database, id: string, now: Date) {
  await db
    .update(sessions)
    .set({ lastSeenAt: now.toISOString() })
    .where(
      and(eq(sessions.id, id), lte(sessions.lastSeenAt, addDelay(now, -LAST_SEEN_INTERVAL_MS))),
    )
}

// Secrets that a person has in a cookie or a link. They cannot be guessed (256 random bits), so the database stores
// their plain SHA-256.
const TOKEN_BYTES = 32

/** 43 characters of base64url. */
export function newSecretToken() {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

export function hashToken(token: string) {
  return hash('sha256', token, 'buffer')
}

/** Compares in a time that does not tell where the texts differ. */
function isSameSecret(one: string, other: string) {
  return timingSafeEqual(hashToken(one), hashToken(other))
}

export const DEVICE_VALID_MS = 365 * DAY_MS
const DEVICE_PURPOSE = 'known device'

type KnownUser = { id: string; passwordHash: string }

/** Issues a token for a browser in which the person has just signed in. Undefined for an unknown person. */
export async function issueDeviceToken(db: Db, cipher: Cipher, userId: string, now: Date) {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) return undefined
  const nonce = randomBytes(12).toString('base64url')
  const until = String(now.getTime() + DEVICE_VALID_MS)
  return [nonce, until, signDevice(cipher, user, [nonce, until])].join('.')
}

/** Checks a token by the person's id. */
export async function isDeviceOf(
  db: Db,
  cipher: Cipher,
  { userId, deviceToken, now }: { userId: string; deviceToken: string | undefined; now: Date },
) {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  return user !== undefined && isKnownDevice(cipher, user, deviceToken, now)
}

export function isKnownDevice(
  cipher: Cipher,
  user: KnownUser,
  token: string | undefined,
  now: Date,
) {
  const [nonce, until, given] = token?.split('.') ?? []
  if (!nonce || !until || !given || !(Number(until) > now.getTime())) return false
  return isSameSecret(signDevice(cipher, user, [nonce, until]), given)
}

/** Returns the name of a device, unique among the person's devices. */
export function getDeviceName(token: string) {
  const [nonce = ''] = token.split('.')
  return nonce
}

function signDevice(cipher: Cipher, { id, passwordHash }: KnownUser, parts: string[]) {
  return cipher.hmac(DEVICE_PURPOSE, [id, passwordHash, ...parts].join(' ')).toString('base64url')
}
