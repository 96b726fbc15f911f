// How a person comes in: by e-mail and password and, where it is on, a second code. Failures are
// counted by address, and by account at an address: whoever guesses is slowed down ever more, and the
// account's owner still comes in from elsewhere. An e-mail that nobody has looks like a wrong password.
import { createHash } from 'node:crypto'
import type { Database } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import type { Seal } from '../database/encryption.ts'
import { isUuid } from '../database/id.ts'
import { users } from '../database/tables.ts'
import { networkOf } from '../http/ip.ts'
import type { Limit, Limiter } from '../http/limiter.ts'
import { hashPassword, isOutdatedHash, verifyPassword } from './password.ts'
import { useCode } from './two-factor.ts'
import { emailKey, findUserByEmail } from './user.ts'

export type SignInNeeds = { limiter: Limiter; seal: Seal; address: string; now: Date }

type Credentials = { email: string; password: string; code?: string | undefined }
type Wait = { kind: 'wait'; retryAfterMs: number }
type In = { kind: 'in'; userId: string }

export type SignIn =
  | In
  /** The password was right; the ticket takes its place beside the code. */
  | { kind: 'code'; ticket: string }
  | { kind: 'refused' }
  | Wait

export type CodeSignIn =
  | In
  | { kind: 'refused' }
  | Wait
  /** The ticket is too old, or what it stood for has changed: the password is needed again. */
  | { kind: 'expired' }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TICKET_MS = 5 * MINUTE_MS
const TICKET_FOR = 'sign-in-code'

const BY_ADDRESS: Limit[] = [{ max: 5, windowMs: MINUTE_MS }]
/** Guessing on and on the pauses grow: a minute, a quarter of an hour, an hour. */
const BY_ACCOUNT_THERE: Limit[] = [
  { max: 5, windowMs: MINUTE_MS },
  { max: 7, windowMs: 15 * MINUTE_MS },
  { max: 10, windowMs: HOUR_MS },
]
/** Six digits are few, and whoever guesses them has the password: these count from anywhere. */
const CODES_BY_ACCOUNT: Limit[] = [{ max: 30, windowMs: HOUR_MS }]

export async function signIn(
  db: Database,
  { email, password, code }: Credentials,
  needs: SignInNeeds,
): Promise<SignIn> {
  const network = networkOf(needs.address)
  const tries = [
    ...triesOf(`sign-in:${network}`, BY_ADDRESS),
    ...triesOf(`sign-in:${digest(emailKey(email))}:${network}`, BY_ACCOUNT_THERE),
  ]
  const wait = await countTries(needs.limiter, tries)
  if (wait) return wait

  const user = await findUserByEmail(db, email)
  const isRight = await verifyPassword(password, user?.passwordHash)
  if (!user || !isRight) return { kind: 'refused' }
  await forgiveTries(needs.limiter, tries)
  const passwordHash = await renewHash(db, user, password)
  if (user.totpEnabledAt === null) return { kind: 'in', userId: user.id }
  if (code) return checkCode(db, user.id, code, needs)
  return { kind: 'code', ticket: writeTicket({ id: user.id, passwordHash }, needs) }
}

/** The second step of whom `signIn` gave a ticket. */
export async function signInWithCode(
  db: Database,
  { ticket, code }: { ticket: string; code: string },
  needs: SignInNeeds,
): Promise<CodeSignIn> {
  const { userId, mark } = readTicket(ticket, needs) ?? {}
  if (!userId) return { kind: 'expired' }
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  const stands = user && user.totpEnabledAt !== null && mark === markOf(user.passwordHash)
  return stands ? checkCode(db, userId, code, needs) : { kind: 'expired' }
}

async function checkCode(
  db: Database,
  userId: string,
  code: string,
  { limiter, seal, address, now }: SignInNeeds,
): Promise<In | { kind: 'refused' } | Wait> {
  const tries = [
    ...triesOf(`sign-in-code:${userId}:${networkOf(address)}`, BY_ACCOUNT_THERE),
    ...triesOf(`sign-in-code:${userId}`, CODES_BY_ACCOUNT),
  ]
  const wait = await countTries(limiter, tries)
  if (wait) return wait
  if (!(await useCode(db, seal, userId, code, now))) return { kind: 'refused' }
  await forgiveTries(limiter, tries)
  return { kind: 'in', userId }
}

type Try = { key: string; limit: Limit }

function triesOf(key: string, limits: Limit[]): Try[] {
  return limits.map((limit) => ({ key: `${key}:${limit.windowMs}`, limit }))
}

/** Counted before the outcome is known, so that a hundred guesses at once are a hundred. */
async function countTries(limiter: Limiter, tries: Try[]): Promise<Wait | undefined> {
  for (const [i, { key, limit }] of tries.entries()) {
    const { exceeded, retryAfterMs } = await limiter.hit(key, limit)
    if (!exceeded) continue
    await forgiveTries(limiter, tries.slice(0, i))
    return { kind: 'wait', retryAfterMs }
  }
  return undefined
}

async function forgiveTries(limiter: Limiter, tries: Try[]) {
  for (const { key } of tries) await limiter.forgive(key)
}

type Known = { id: string; passwordHash: string }

/** Only now is the password at hand to be hashed by today's parameters. */
async function renewHash(db: Database, { id, passwordHash: old }: Known, password: string) {
  if (!isOutdatedHash(old)) return old
  const passwordHash = await hashPassword(password)
  await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, id), eq(users.passwordHash, old)))
  return passwordHash
}

function writeTicket({ id, passwordHash }: Known, { seal, now }: SignInNeeds) {
  const until = now.getTime() + TICKET_MS
  const ticket = [TICKET_FOR, id, until, markOf(passwordHash)].join(' ')
  return seal.close(ticket).toString('base64url')
}

function readTicket(ticket: string, { seal, now }: SignInNeeds) {
  try {
    const [use, userId, until, mark] = seal.open(Buffer.from(ticket, 'base64url')).split(' ')
    const stands = use === TICKET_FOR && Number(until) > now.getTime()
    return stands && userId && isUuid(userId) ? { userId, mark } : undefined
  } catch {
    return undefined
  }
}

/** Changes with the password: who changes it sends away whoever knew the old one. */
function markOf(passwordHash: string) {
  return digest(passwordHash)
}

function digest(text: string) {
  return createHash('sha256').update(text).digest('base64url')
}
