// Invites a person to a company by a link that an owner sends. It works once, within seven days, for one e-mail.

import type { Database, Db } from '../database/connect.ts'
import { and, desc, eq, gt, ne, sql } from '../database/drizzle.ts'
import type { Role } from '../database/enums.ts'
import { isUuid, newId } from '../database/id.ts'
import { addDelay } from '../database/instant.ts'
import { companies, invitations } from '../database/tables.ts'
import { AppError } from '../http/errors.ts'
import { INVITATION_VALID_MS } from '../mail/outbox.ts'
import { hashNewPassword } from './password.ts'
import { hashToken, newSecretToken } from './session.ts'
import { userTexts } from './texts.ts'
import { findUserByEmail, insertUser, normalizeEmail } from './user.ts'

const MAX_OPEN_INVITATIONS = 50

type NewInvitation = { companyId: string; email: string; role: Role; invitedBy: string }

/**
 * Returns the token, which is not shown again. A second invitation of the same person replaces the first. Throws 409
 * when the e-mail belongs to a user of any company, or when too many people are invited.
 */
export async function createInvitation(db: Database, invitation: NewInvitation, now: Date) {
  const { companyId, role, invitedBy } = invitation
  const email = normalizeEmail(invitation.email)
  if (await findUserByEmail(db, email)) {
    throw new AppError(409, 'cannot_invite', userTexts.cannotInvite)
  }
  const [id, token] = [newId(), newSecretToken()]
  await db.transaction(async (tx) => {
    // The lock makes invitations of a company take turns, so that the limit holds; payments don't wait for it.
    await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.id, companyId))
      .for('no key update')
    const open = and(buildOpenInvitationCondition(now), eq(invitations.companyId, companyId))
    const others = await tx.$count(invitations, and(open, ne(invitations.email, email)))
    if (others >= MAX_OPEN_INVITATIONS) {
      const message = userTexts.tooManyInvitations(MAX_OPEN_INVITATIONS)
      throw new AppError(409, 'too_many_invitations', message)
    }
    const values = {
      ...{ id, companyId, email, role, invitedBy, tokenHash: hashToken(token) },
      createdAt: now.toISOString(),
      expiresAt: addDelay(now, INVITATION_VALID_MS),
    }
    await tx
      .insert(invitations)
      .values(values)
      .onConflictDoUpdate({ target: [invitations.companyId, invitations.email], set: values })
  })
  return { id, token }
}

/** Lists invitations, newest first; an `expired` one may be sent again. */
export async function listInvitations(db: Db, companyId: string, now: Date) {
  return db
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      invitedBy: invitations.invitedBy,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
      expired: sql<boolean>`${invitations.expiresAt} <= ${now.toISOString()}`,
    })
    .from(invitations)
    .where(eq(invitations.companyId, companyId))
    .orderBy(desc(invitations.id))
}

export async function withdrawInvitation(
  db: Db,
  { companyId, id }: { companyId: string; id: string },
): Promise<{ kind: 'withdrawn'; email: string } | { kind: 'notFound' }> {
  if (!isUuid(id)) return { kind: 'notFound' }
  const [withdrawn] = await db
    .delete(invitations)
    .where(and(eq(invitations.id, id), eq(invitations.companyId, companyId)))
    .returning({ email: invitations.email })
  return withdrawn ? { kind: 'withdrawn', ...withdrawn } : { kind: 'notFound' }
}

/** Undefined when the link no longer works. */
export async function findInvitation(db: Db, token: string, now: Date) {
  const [invitation] = await db
    .select({ companyName: companies.name, email: invitations.email, role: invitations.role })
    .from(invitations)
    .innerJoin(companies, eq(companies.id, invitations.companyId))
    .where(buildOpenTokenCondition(token, now))
  return invitation
}

type AcceptResult =
  | { kind: 'accepted'; id: string; companyId: string; email: string; role: Role }
  | { kind: 'expired' }
  /** The e-mail belongs to a user meanwhile. */
  | { kind: 'emailTaken' }

export async function acceptInvitation(
  db: Database,
  { token, password }: { token: string; password: string },
  now: Date,
): Promise<AcceptResult> {
  const invitation = await findInvitation(db, token, now)
  if (!invitation) return { kind: 'expired' }
  const passwordHash = await hashNewPassword(password, invitation)
  return db.transaction(async (tx) => {
    const [used] = await tx
      .delete(invitations)
      .where(buildOpenTokenCondition(token, now))
      .returning()
    if (!used) return { kind: 'expired' }
    const { companyId, email, role } = used
    const made = await insertUser(tx, { companyId, email, role, passwordHash })
    if (made.kind === 'emailTaken') return made
    return { kind: 'accepted', id: made.id, companyId, email, role }
  })
}

function buildOpenTokenCondition(token: string, now: Date) {
  return and(eq(invitations.tokenHash, hashToken(token)), buildOpenInvitationCondition(now))
}

function buildOpenInvitationCondition(now: Date) {
  return gt(invitations.expiresAt, now.toISOString())
}
