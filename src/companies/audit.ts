// The audit log of a company, for both environments. Entries never change, with two exceptions: the failed sign-ins of
// an hour share one entry (users/sign-in.ts), and personal data is erased with the person.

import type { Database, Db, Transaction } from '../database/connect.ts'
import { and, desc, eq, inArray, lt, sql } from '../database/drizzle.ts'
import { isUuid, newId } from '../database/id.ts'
import { auditEntries } from '../database/tables.ts'
import { unmapAddress } from '../http/ip.ts'
import { getRetentionStart, type PurgeOptions, purgeAgedRows } from '../queue/purge.ts'
import { getKeys } from '../record.ts'
import { findRealId, realIdSql } from './company.ts'
import { actorTexts, auditTexts } from './texts.ts'

export type AuditAction = keyof typeof auditTexts
export const AUDIT_ACTIONS: readonly AuditAction[] = getKeys(auditTexts)

/** Actions about people, who belong to both environments, so the environment of the actor is not shown. */
export const PEOPLE_ACTIONS: ReadonlySet<AuditAction> = new Set([
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'session_closed',
  'password_changed',
  'password_reset',
  'totp_enabled',
  'totp_disabled',
  'recovery_codes_renewed',
  'user_invited',
  'invitation_withdrawn',
  'user_joined',
  'user_removed',
  'role_changed',
])

export const OPERATOR = actorTexts.operator

export type NewAuditEntry = {
  /** The id of an action that may be repeated after a crash: an id is written once. */
  id?: string
  /** The environment in which it was done. */
  companyId: string
  /** The person's e-mail, or OPERATOR. */
  actor: string
  userId?: string | undefined
  action: AuditAction
  subjectId?: string | undefined
  /** The name by which people know the subject. */
  subject?: string | undefined
  details?: Record<string, string> | undefined
  address?: string | undefined
  now: Date
}

export type AuditEntry = typeof auditEntries.$inferSelect & { action: AuditAction }

export async function recordAudit(db: Db, entry: NewAuditEntry) {
  const { companyId, actor, userId, action, subjectId, subject, details = {}, now } = entry
  const address = entry.address && unmapAddress(entry.address)
  await db
    .insert(auditEntries)
    .values({
      ...{ id: entry.id ?? newId(), actor, userId, action, subjectId, subject, details, address },
      companyId: realIdSql(companyId),
      testMode: sql`(select test_mode from companies where id = ${companyId})`,
      createdAt: now.toISOString(),
    })
    .onConflictDoNothing()
}

type AuditQuery = {
  action?: AuditAction | undefined
  userId?: string | undefined
  /** The id of the last entry of the previous page. */
  before?: string | undefined
  limit: number
}

/** Lists up to `limit` entries, newest first. */
export async function listAudit(
  db: Db,
  companyId: string,
  { action, userId, before, limit }: AuditQuery,
): Promise<AuditEntry[]> {
  if ([userId, before].some((id) => id !== undefined && !isUuid(id))) return []
  // The id is read before the query: for an id that it does not know Postgres plans as for the company with the most
  // entries, and would read past all of them.
  const realId = await findRealId(db, companyId)
  if (realId === undefined) return []
  const entries = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, realId),
        action ? eq(auditEntries.action, action) : undefined,
        userId ? eq(auditEntries.userId, userId) : undefined,
        before ? lt(auditEntries.id, before) : undefined,
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(limit)
  // The column accepts any text; only recordAudit writes it.
  return entries as AuditEntry[]
}

/** Erases what the entries tell of a customer who is anonymized, by all ids of the customer; the entries stay. */
export async function eraseCustomerChanges(tx: Transaction, companyId: string, ids: string[]) {
  const { action, subjectId } = auditEntries
  await tx
    .update(auditEntries)
    .set({ details: {} })
    .where(
      and(
        eq(auditEntries.companyId, realIdSql(companyId)),
        inArray(action, ['customer_changed', 'customer_merged'] satisfies AuditAction[]),
        inArray(subjectId, ids),
      ),
    )
}

export async function purgeAuditEntries(
  db: Database,
  now: Date,
  { retention, after }: PurgeOptions,
) {
  const start = getRetentionStart(now, retention.auditDays)
  return purgeAgedRows(db, auditEntries, { start, after })
}
