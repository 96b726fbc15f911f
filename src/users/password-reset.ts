// Resets a lost password by a link that works once, within an hour. Two-factor authentication, if on, still asks for
// its code.

import type { Database, Db } from '../database/connect.ts'
import { and, eq, gt } from '../database/drizzle.ts'
import { addDelay } from '../database/instant.ts'
import { companies, passwordResets, users } from '../database/tables.ts'
import { RESET_VALID_MS } from '../mail/outbox.ts'
import { hashNewPassword } from './password.ts'
import { hashToken, newSecretToken } from './session.ts'
import { findUserByEmail, replacePassword } from './user.ts'

type CreateResetResult =
  | { kind: 'created'; token: string; userId: string; email: string; companyId: string }
  /** No user has this e-mail; the caller must not show that to strangers. */
  | { kind: 'unknownEmail' }

/** Creates a link; earlier links of the same person stop working. */
export async function createPasswordReset(
  db: Database,
  email: string,
  now: Date,
): Promise<CreateResetResult> {
  const token = newSecretToken()
  return db.transaction(async (tx) => {
    const found = await findUserByEmail(tx, email)
    if (!found) return { kind: 'unknownEmail' }
    // The lock makes requests of a person take turns, so that only one link works.
    const [user] = await tx
      .select({ userId: users.id, email: users.email, companyId: users.companyId })
      .from(users)
      .where(eq(users.id, found.id))
      .for('no key update')
    if (!user) return { kind: 'unknownEmail' }
    const { userId } = user
    const expiresAt = addDelay(now, RESET_VALID_MS)
    await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
    await tx.insert(passwordResets).values({ tokenHash: hashToken(token), userId, expiresAt })
    return { kind: 'created', token, ...user }
  })
}

export async function isResetToken(db: Db, token: string, now: Date) {
  return (await findPasswordReset(db, token, now)) !== undefined
}

type CompleteResetResult =
  | { kind: 'completed'; id: string; email: string; companyId: string }
  | { kind: 'expired' }

/** Sets the password and ends all sessions of the person. Throws 422 for a password that breaks the rules. */
export async function completePasswordReset(
  db: Database,
  { token, password }: { token: string; password: string },
  now: Date,
): Promise<CompleteResetResult> {
  const reset = await findPasswordReset(db, token, now)
  if (!reset) return { kind: 'expired' }
  const passwordHash = await hashNewPassword(password, reset)
  return db.transaction(async (tx) => {
    const used = await tx
      .delete(passwordResets)
      .where(buildOpenResetCondition(token, now))
      .returning({ userId: passwordResets.userId })
    if (used.length === 0) return { kind: 'expired' }
    const replaced = await replacePassword(tx, eq(users.id, reset.userId), passwordHash)
    if (replaced.kind === 'notFound') return { kind: 'expired' }
    return { ...replaced, kind: 'completed' }
  })
}

async function findPasswordReset(db: Db, token: string, now: Date) {
  const [reset] = await db
    .select({ userId: users.id, email: users.email, companyName: companies.name })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(buildOpenResetCondition(token, now))
  return reset
}

function buildOpenResetCondition(token: string, now: Date) {
  return and(
    eq(passwordResets.tokenHash, hashToken(token)),
    gt(passwordResets.expiresAt, now.toISOString()),
  )
}
