// Signs a person in by e-mail and password and, if it is on, a second code. Failures are counted by address, by account
// at an address, and by account from all addresses; failures of a known browser are counted apart. So guessing gets
// slower and slower, and the account's owner can still sign in. An unknown e-mail gets the answer of a wrong password.

import { hash } from 'node:crypto'
import { actorTexts } from '../companies/texts.ts'
import type { Database, Db } from '../database/connect.ts'
import { and, eq, sql } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { formatUuid, isUuid } from '../database/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../database/instant.ts'
import { users } from '../database/tables.ts'
import { getNetwork } from '../http/ip.ts'
import {
  buildNetworkLimits,
  countHits,
  type KeyedLimit,
  type Limit,
  type Limiter,
  undoHits,
  undoHitsOnError,
} from '../http/limiter.ts'
import { hashPassword, isOutdatedHash, verifyPassword } from './password.ts'
import { getDeviceName, isKnownDevice } from './session.ts'
import { consumeTwoFactorCode } from './two-factor.ts'
import { findUserByEmail, normalizeEmail } from './user.ts'

type SignInNeeds = {
  limiter: Limiter
  cipher: Cipher
  address: string
  now: Date
  /** The token that the browser keeps for this person (session.ts). */
  deviceToken?: string | undefined
  /** Called after a wrong password or code for an existing user. */
  onFailure?: (userId: string) => void
}

type Credentials = { email: string; password: string; code?: string | undefined }
type TooManyTries = { kind: 'wait'; retryAfterMs: number }
type SignedIn = { kind: 'in'; userId: string }

export type SignInResult =
  | SignedIn
  /** The password was right; the ticket replaces it when the code is sent. */
  | { kind: 'code'; ticket: string }
  | { kind: 'refused' }
  | TooManyTries

export type CodeSignInResult =
  | SignedIn
  | { kind: 'refused' }
  | TooManyTries
  /** The ticket is too old, or the password has changed: the person must start again. */
  | { kind: 'expired' }

const TICKET_VALID_MS = 5 * MINUTE_MS
const TICKET_PURPOSE = 'sign-in-code'

const ADDRESS_LIMIT: Limit = { max: 5, windowMs: MINUTE_MS }
/** The pauses grow with each failure: a minute, 15 minutes, an hour. */
const ACCOUNT_AND_PLACE_LIMITS: Limit[] = [
  { max: 5, windowMs: MINUTE_MS },
  { max: 7, windowMs: 15 * MINUTE_MS },
  { max: 10, windowMs: HOUR_MS },
]
/**
 * Failures from all addresses, for unknown browsers, so that a thousand networks guess no faster than one. The pauses
 * grow to a day; the owner can use a known browser, or a link for a new password.
 */
const ACCOUNT_LIMITS: Limit[] = [
  { max: 10, windowMs: 15 * MINUTE_MS },
  { max: 20, windowMs: HOUR_MS },
  { max: 60, windowMs: DAY_MS },
]
/** Six digits are few, and only those with the password can guess: failures of all unknown browsers count together. */
const ACCOUNT_CODE_LIMITS: Limit[] = [{ max: 30, windowMs: HOUR_MS }]

export async function signInWithPassword(
  db: Database,
  { email, password, code }: Credentials,
  needs: SignInNeeds,
): Promise<SignInResult> {
  const account = hashToBase64Url(normalizeEmail(email))
  const user = await findUserByEmail(db, email)
  const device = user && findKnownDevice(user, needs)
  const tries = listPasswordTries(account, device, needs)
  // Counted before the result is known, so that a hundred simultaneous guesses count as a hundred.
  const { exceeded, retryAfterMs } = await countHits(needs.limiter, tries)
  if (exceeded) return { kind: 'wait', retryAfterMs }

  const sender = device ? 'known' : 'strangers'
  const isRight = await undoHitsOnError(needs.limiter, tries, () =>
    verifyPassword(password, user?.passwordHash, sender),
  )
  if (!user || !isRight) {
    if (user) needs.onFailure?.(user.id)
    return { kind: 'refused' }
  }
  await undoHits(needs.limiter, tries)
  const passwordHash = await rehashPassword(db, user, password)
  if (user.totpEnabledAt === null) return { kind: 'in', userId: user.id }
  if (code) return verifySignInCode(db, { userId: user.id, device }, code, needs)
  return { kind: 'code', ticket: issueTicket({ id: user.id, passwordHash }, device, needs) }
}

/** Completes a sign-in with the ticket of `signIn` and a code. */
export async function signInWithCode(
  db: Database,
  { ticket, code }: { ticket: string; code: string },
  needs: SignInNeeds,
): Promise<CodeSignInResult> {
  const { userId, mark, device } = readTicket(ticket, needs) ?? {}
  if (!userId) return { kind: 'expired' }
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  const stands =
    user && user.totpEnabledAt !== null && mark === fingerprintPassword(user.passwordHash)
  return stands ? verifySignInCode(db, { userId, device }, code, needs) : { kind: 'expired' }
}

/** `device`: the browser's token, if it is a known browser of this person. */
type Newcomer = { userId: string; device: string | undefined }

async function verifySignInCode(
  db: Database,
  { userId, device }: Newcomer,
  code: string,
  { limiter, cipher, address, now, onFailure }: SignInNeeds,
): Promise<SignedIn | { kind: 'refused' } | TooManyTries> {
  const key = `sign-in-code:${userId}`
  const tries = device
    ? buildSignInAttempts(`${key}:device:${device}`, ACCOUNT_AND_PLACE_LIMITS)
    : [
        ...buildSignInAttempts(`${key}:${getNetwork(address)}`, ACCOUNT_AND_PLACE_LIMITS),
        ...buildSignInAttempts(key, ACCOUNT_CODE_LIMITS),
      ]
  const { exceeded, retryAfterMs } = await countHits(limiter, tries)
  if (exceeded) return { kind: 'wait', retryAfterMs }
  const { kind } = await undoHitsOnError(limiter, tries, () =>
    consumeTwoFactorCode(db, cipher, userId, code, now),
  )
  if (kind === 'wrongCode') {
    onFailure?.(userId)
    return { kind: 'refused' }
  }
  await undoHits(limiter, tries)
  return { kind: 'in', userId }
}

function findKnownDevice(user: KnownUser, { cipher, deviceToken, now }: SignInNeeds) {
  if (deviceToken === undefined || !isKnownDevice(cipher, user, deviceToken, now)) return undefined
  return getDeviceName(deviceToken)
}

/** A known device is counted apart, so that guesses from elsewhere cannot lock it out. */
function listPasswordTries(account: string, device: string | undefined, { address }: SignInNeeds) {
  const key = `sign-in:${account}`
  if (device) return buildSignInAttempts(`${key}:device:${device}`, ACCOUNT_AND_PLACE_LIMITS)
  const network = getNetwork(address)
  return [
    ...buildNetworkLimits('sign-in', address, ADDRESS_LIMIT),
    ...buildSignInAttempts(`${key}:${network}`, ACCOUNT_AND_PLACE_LIMITS),
    ...buildSignInAttempts(key, ACCOUNT_LIMITS),
  ]
}

function buildSignInAttempts(key: string, limits: Limit[]): KeyedLimit[] {
  return limits.map((limit) => ({ key: `${key}:${limit.windowMs}`, limit }))
}

type KnownUser = { id: string; passwordHash: string }

/** Hashes the password again with the current parameters, which is possible only while it is known. */
async function rehashPassword(
  db: Database,
  { id, passwordHash: old }: KnownUser,
  password: string,
) {
  if (!isOutdatedHash(old)) return old
  const passwordHash = await hashPassword(password)
  await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, id), eq(users.passwordHash, old)))
  return passwordHash
}

function issueTicket({ id, passwordHash }: KnownUser, device = '', { cipher, now }: SignInNeeds) {
  const until = now.getTime() + TICKET_VALID_MS
  const ticket = [TICKET_PURPOSE, id, until, fingerprintPassword(passwordHash), device].join(' ')
  return cipher.encrypt(ticket, 'ticket', TICKET_PURPOSE).toString('base64url')
}

function readTicket(ticket: string, { cipher, now }: SignInNeeds) {
  try {
    const text = cipher.decrypt(Buffer.from(ticket, 'base64url'), 'ticket', TICKET_PURPOSE)
    const [use, userId, until, mark, device] = text.split(' ')
    const stands = use === TICKET_PURPOSE && Number(until) > now.getTime()
    return stands && userId && isUuid(userId) ? { userId, mark, device } : undefined
  } catch {
    return undefined
  }
}

/** Changes with the password, so that a change ends a sign-in that waits for its code. */
function fingerprintPassword(passwordHash: string) {
  return hashToBase64Url(passwordHash)
}

function hashToBase64Url(text: string) {
  return hash('sha256', text, 'base64url')
}

// Failed sign-ins are one entry of the company's audit log for each account and hour, with their number and first
// networks, so that guesses cannot fill the log.
const ACTION = 'sign_in_failed'
/** Room for about eight networks. */
const MAX_NETWORKS_LENGTH = 200

type FailedSignIn = { userId: string; network: string; now: Date }

/** The number of failures in an hour at which an e-mail is sent, once. */
const MANY_TRIES = 10

type CountedTry = { companyId: string; email: string; tries: number }

/**
 * Counts a failed sign-in. Returns the user's company and e-mail at the attempt that reaches the limit of the hour, and
 * undefined at all others.
 */
export async function recordFailedSignIn(db: Db, { userId, network, now }: FailedSignIn) {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  const { rows } = await db.execute<CountedTry>(sql`
    insert into audit_entries as counted
      (id, company_id, actor, action, subject_id, subject, details, address, created_at)
    select ${buildHourId(userId, hour)}, company_id, ${actorTexts.stranger}, ${ACTION}, id::text, email,
      jsonb_build_object('tries', '1', 'networks', ${network}::text), ${network},
      ${hour.toISOString()}
    from users where id = ${userId}
    on conflict (id) do update set
      address = excluded.address,
      details = jsonb_build_object(
        'tries', ((counted.details->>'tries')::int + 1)::text,
        'networks', case
          when ${network}::text = any(string_to_array(counted.details->>'networks', ', '))
            or length(counted.details->>'networks') > ${MAX_NETWORKS_LENGTH}
          then counted.details->>'networks'
          else (counted.details->>'networks') || ', ' || ${network}::text end)
    returning company_id as "companyId", subject as email, (details->>'tries')::int as tries`)
  return rows.find(({ tries }) => tries === MANY_TRIES)
}

/** Builds a UUIDv7 at the beginning of the hour, the same for the same person and hour. */
function buildHourId(userId: string, hour: Date) {
  const time = hour.getTime().toString(16).padStart(12, '0')
  const rest = hash('sha256', `${ACTION} ${userId} ${time}`)
  return formatUuid(`${time}7${rest.slice(0, 3)}8${rest.slice(3, 18)}`)
}
