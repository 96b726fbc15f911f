// The audit log of a company, for both environments. Entries are added and never changed, with two exceptions:
// failed sign-ins of an hour are counted in one entry (users/failed-sign-in.ts), and personal data is erased with
// the person.

import type { Database, Db, Transaction } from '../database/connect.ts'
import { and, desc, eq, lt, sql } from '../database/drizzle.ts'
import { isUuid, newId } from '../database/id.ts'
import { auditEntries } from '../database/tables.ts'
import { unmapAddress } from '../http/ip.ts'
import { getRetentionStart, type PurgeOptions, purgeAgedRows } from '../queue/purge.ts'
import { getKeys } from '../record.ts'
import { findRealId, realIdSql } from './company.ts'
import { actorTexts, auditTexts } from './texts.ts'

export type AuditAction = keyof typeof auditTexts
export const AUDIT_ACTIONS: readonly AuditAction[] = getKeys(auditTexts)

/** About people, who belong to both environments of the company: where they were when they did it says nothing. */
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
  /** The id of an act that may be repeated after a crash: the same id is written once. */
  id?: string
  /** The environment in which it was done. */
  companyId: string
  /** Their e-mail, or OPERATOR. */
  actor: string
  userId?: string | undefined
  action: AuditAction
  subjectId?: string | undefined
  /** How people know what it was done to. */
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
  /** The id of the last entry of the page before. */
  before?: string | undefined
  limit: number
}

/** Up to `limit`, the newest first. */
export async function listAudit(
  db: Db,
  companyId: string,
  { action, userId, before, limit }: AuditQuery,
): Promise<AuditEntry[]> {
  if ([userId, before].some((id) => id !== undefined && !isUuid(id))) return []
  // Looked up before, not inside the query: of an id that is not known yet Postgres plans as for the
  // company that has the most entries, and walks past everybody's to find the few of another.
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
  // The column takes any text; only recordAudit writes it.
  return entries as AuditEntry[]
}

/** Erases the changed values of a customer who is anonymized; the entries stay. */
export async function eraseCustomerChanges(tx: Transaction, companyId: string, customerId: string) {
  const { action, subjectId } = auditEntries
  await tx
    .update(auditEntries)
    .set({ details: {} })
    .where(
      and(
        eq(auditEntries.companyId, realIdSql(companyId)),
        eq(action, 'customer_changed' satisfies AuditAction),
        eq(subjectId, customerId.toLowerCase()),
      ),
    )
}

/** Deletes one batch of entries that are older than their retention. */
export async function purgeAuditEntries(
  db: Database,
  now: Date,
  { retention, after }: PurgeOptions,
) {
  const start = getRetentionStart(now, retention.auditDays)
  return purgeAgedRows(db, auditEntries, { start, after })
}
