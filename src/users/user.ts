// The users of a company. An e-mail belongs to one user of one company; a company always has an owner.

import type { Database, Db, Transaction } from '../database/connect.ts'
import { and, asc, eq, type SQL } from '../database/drizzle.ts'
import type { Role } from '../database/enums.ts'
import { isUuid, newId } from '../database/id.ts'
import { companies, invitations, passwordResets, users } from '../database/tables.ts'
import { AppError, notFoundError } from '../http/errors.ts'
import { EMAIL_MAX_LENGTH } from '../http/fields.ts'
import { removeUnseen } from '../payer-rules.js'
import { hashNewPassword, hashPassword, verifyPassword } from './password.ts'
import { hasRight } from './roles.ts'
import { revokeOtherSessions } from './session.ts'
import { userTexts } from './texts.ts'

type NewUser = { companyId: string; email: string; role: Role }
type UserKey = { companyId: string; userId: string }

export async function createUser(db: Db, { password, ...user }: NewUser & { password: string }) {
  return insertUser(db, { ...user, passwordHash: await hashPassword(password) })
}

/** Inserts a user with a password that is already hashed, so that the transaction does not wait for that. */
export async function insertUser(db: Db, user: NewUser & { passwordHash: string }) {
  const [made] = await db
    .insert(users)
    .values({ ...user, id: newId(), email: normalizeEmail(user.email) })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id })
  if (!made) return { kind: 'emailTaken' as const }
  return { kind: 'created' as const, id: made.id }
}

export async function hasUsers(db: Db) {
  const found = await db.select({ id: users.id }).from(users).limit(1)
  return found.length > 0
}

export async function findUserByEmail(db: Db, email: string) {
  const key = normalizeEmail(email)
  // Postgres refuses NUL.
  if (key.length > EMAIL_MAX_LENGTH || key.includes('\0')) return undefined
  const [user] = await db.select().from(users).where(eq(users.email, key))
  return user
}

/** The form in which an e-mail is stored and compared. */
export function normalizeEmail(email: string) {
  return removeUnseen(email).trim().toLowerCase()
}

export async function listUsers(db: Db, companyId: string) {
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      role: users.role,
      totpEnabledAt: users.totpEnabledAt,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(eq(users.companyId, companyId))
    .orderBy(asc(users.id))
  return rows.map(({ totpEnabledAt, ...user }) => ({
    ...user,
    totpEnabled: totpEnabledAt !== null,
  }))
}

/** Invitations by a person who may no longer invite; they would give that person access again. */
export type WithdrawnInvitations = { withdrawn: { id: string; email: string }[] }

/** Undefined when the person has another role than `before`, or is gone; throws 409 when no owner would be left. */
export async function updateUserRole(
  db: Database,
  { companyId, userId, before, role }: UserKey & { before: Role; role: Role },
) {
  return db.transaction(async (tx) => {
    if (role !== 'owner') await requireAnotherOwner(tx, { companyId, userId })
    const [changed] = await tx
      .update(users)
      .set({ role })
      .where(and(buildUserCondition({ companyId, userId }), eq(users.role, before)))
      .returning({ id: users.id, email: users.email, role: users.role })
    if (!changed) return undefined
    const isInviting = hasRight(role, 'team')
    const withdrawn = isInviting ? [] : await withdrawInvitationsBy(tx, companyId, changed.email)
    return { ...changed, withdrawn }
  })
}

/** Removes a user and ends the sessions. Throws 404, or 409 when the company would have no owner left. */
export async function removeUser(db: Database, one: UserKey) {
  return db.transaction(async (tx) => {
    await requireAnotherOwner(tx, one)
    const [removed] = await tx
      .delete(users)
      .where(buildUserCondition(one))
      .returning({ id: users.id, email: users.email, role: users.role })
    if (!removed) throw notFoundError(userTexts.notFound)
    return { ...removed, withdrawn: await withdrawInvitationsBy(tx, one.companyId, removed.email) }
  })
}

/** Checks the password again before a sensitive change. */
export async function verifyUserPassword(db: Database, userId: string, password: string) {
  const [user] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
  return verifyPassword(password, user?.passwordHash, 'known')
}

type PasswordChange = {
  userId: string
  current: string
  password: string
  /** The session to keep; all others of the person end. */
  keep?: string | null
}

/** Throws 422 for a new password that breaks the rules. */
export async function changePassword(db: Database, change: PasswordChange) {
  const { userId, current, password, keep = null } = change
  const [user] = await db
    .select({
      email: users.email,
      passwordHash: users.passwordHash,
      companyName: companies.name,
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(eq(users.id, userId))
  if (!user || !(await verifyPassword(current, user.passwordHash, 'known'))) {
    return { kind: 'wrongPassword' as const }
  }
  const passwordHash = await hashNewPassword(password, user)
  return db.transaction(async (tx) => {
    const unchanged = and(eq(users.id, userId), eq(users.passwordHash, user.passwordHash))
    const { kind } = await replacePassword(tx, unchanged, passwordHash, keep)
    return { kind: kind === 'replaced' ? 'changed' : 'wrongPassword' } as const
  })
}

type PasswordReplacement =
  | { kind: 'replaced'; id: string; email: string; companyId: string }
  | { kind: 'notFound' }

/** Sets any password, for operators, and ends all sessions of the person. */
export async function setPassword(db: Database, email: string, password: string) {
  const passwordHash = await hashPassword(password)
  return db.transaction((tx) =>
    replacePassword(tx, eq(users.email, normalizeEmail(email)), passwordHash),
  )
}

/** Stores the password, and ends other sessions than `keep` and links that were sent for the old password. */
export async function replacePassword(
  tx: Transaction,
  who: SQL | undefined,
  passwordHash: string,
  keep: string | null = null,
): Promise<PasswordReplacement> {
  const [user] = await tx
    .update(users)
    .set({ passwordHash })
    .where(who)
    .returning({ id: users.id, email: users.email, companyId: users.companyId })
  if (!user) return { kind: 'notFound' }
  await revokeOtherSessions(tx, { userId: user.id, keep })
  await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id))
  return { kind: 'replaced', ...user }
}

/** Makes changes of owners take turns: when two leave at the same time, the second one is the last owner. */
async function requireAnotherOwner(tx: Transaction, { companyId, userId }: UserKey) {
  const owners = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, companyId), eq(users.role, 'owner')))
    .orderBy(asc(users.id))
    .for('update')
  const [owner, another] = owners
  if (owner?.id === userId && !another) {
    throw new AppError(409, 'last_owner', userTexts.lastOwner)
  }
}

async function withdrawInvitationsBy(tx: Transaction, companyId: string, invitedBy: string) {
  return tx
    .delete(invitations)
    .where(and(eq(invitations.companyId, companyId), eq(invitations.invitedBy, invitedBy)))
    .returning({ id: invitations.id, email: invitations.email })
}

function buildUserCondition({ companyId, userId }: UserKey) {
  if (!isUuid(userId)) throw notFoundError(userTexts.notFound)
  return and(eq(users.id, userId), eq(users.companyId, companyId))
}
