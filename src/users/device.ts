// Devices from which a person signed in. Each browser keeps a signed token for each person: wrong passwords from
// elsewhere cannot lock this browser out, and a sign-in without a token is reported to the person. Changing the
// password ends the tokens.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { DAY_MS } from '../database/instant.ts'
import type { Cipher } from '../database/sealing/encryption.ts'
import { users } from '../database/tables.ts'

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
  const expected = Buffer.from(signDevice(cipher, user, [nonce, until]))
  const actual = Buffer.from(given)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Returns the name of a device, unique among the person's devices. */
export function getDeviceName(token: string) {
  const [nonce = ''] = token.split('.')
  return nonce
}

function signDevice(cipher: Cipher, { id, passwordHash }: KnownUser, parts: string[]) {
  return cipher.hmac(DEVICE_PURPOSE, [id, passwordHash, ...parts].join(' ')).toString('base64url')
}
