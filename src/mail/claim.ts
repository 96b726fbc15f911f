// The outbox as a queue: claims due mails, and records the results of attempts.
import type { Database } from '../database/connect.ts'
import { eq, inArray, sql } from '../database/drizzle.ts'
import { MAIL_UNREACHABLE } from '../database/enums.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../database/instant.ts'
import { companies, linkRecipients, mails } from '../database/tables.ts'
import {
  type Claim,
  getLeaseEnd,
  ownsLease,
  type QueueTable,
  selectDueIds,
} from '../queue/lease.ts'
import type { MailRow } from './outbox.ts'

export const MAIL_QUEUE: QueueTable = { name: 'mails', leaseColumn: 'due_at' }

/**
 * Why an attempt failed: the server refused the mail for good, what the mail says is no longer true, the server put this
 * mail off, or no mail can be sent for now.
 */
export type MailFailureKind = 'rejected' | 'over' | 'deferred' | 'unreachable'

/** What the mail says is no longer true, so it is not sent. */
export class MailOverError extends Error {}

/** RFC 5321 (4.5.4.1) asks for at least four to five days, since an outage may last a weekend. */
export const MAIL_LIFETIME_MS = 5 * DAY_MS

/** A mail waits as long again as it has waited in all, within these limits. */
export const FIRST_RETRY_MS = MINUTE_MS
const MAX_RETRY_MS = { deferred: 6 * HOUR_MS, unreachable: 15 * MINUTE_MS }

const MAX_MAIL_FAILURE_LENGTH = 500

export type ClaimedMail = MailRow & Claim & { company: typeof companies.$inferSelect | null }

/** Claims up to `limit` due mails, longest due first, with the company's current data. */
export async function claimMails(db: Database, now: Date, limit: number): Promise<ClaimedMail[]> {
  const due = selectDueIds(mails, mails.dueAt, now, sql`order by due_at limit ${limit}`)
  const claimed = await db
    .update(mails)
    .set({ attempts: sql`attempts + 1`, dueAt: getLeaseEnd(now) })
    .where(inArray(mails.id, due))
    .returning()
  const ids = new Set(claimed.flatMap(({ companyId }) => companyId ?? []))
  const found =
    ids.size > 0
      ? await db
          .select()
          .from(companies)
          .where(inArray(companies.id, [...ids]))
      : []
  const byId = new Map(found.map((company) => [company.id, company]))
  return claimed.map((mail) => {
    return { ...mail, attempt: mail.attempts, company: byId.get(mail.companyId ?? '') ?? null }
  })
}

/** Deletes the content of the mail, which is not kept after sending. */
export async function recordMailSent(db: Database, claim: Claim, now: Date) {
  await db
    .update(mails)
    .set({ sentAt: now.toISOString(), dueAt: null, failure: null, data: {} })
    .where(ownsLease(MAIL_QUEUE, claim))
}

type MailFailureResult = { kind: 'rescheduled' } | { kind: 'givenUp' }

type MailFailure = { kind: MailFailureKind; reason: string; now: Date }

/**
 * Schedules the next attempt, or gives the mail up when trying again is useless or the mail is too old. When the
 * address of a link's recipient is refused, the recipient is marked and gets no further mails about the link
 * (payment-links/sending).
 */
export async function recordMailFailure(
  db: Database,
  { createdAt, ...claim }: Claim & Pick<MailRow, 'createdAt'>,
  { kind, reason, now }: MailFailure,
): Promise<MailFailureResult> {
  const isFinal = kind === 'rejected' || kind === 'over'
  const dueAt = isFinal ? null : getNextMailAttempt(MAX_RETRY_MS[kind], createdAt, now)
  const failure =
    kind === 'unreachable' ? MAIL_UNREACHABLE : reason.slice(0, MAX_MAIL_FAILURE_LENGTH)
  const changes = dueAt === null ? { dueAt, data: {} } : { dueAt: dueAt.toISOString() }
  const [failed] = await db
    .update(mails)
    .set({ failure, ...changes })
    .where(ownsLease(MAIL_QUEUE, claim))
    .returning({ subjectId: mails.subjectId })
  if (kind === 'rejected' && failed?.subjectId) {
    const refusedAt = now.toISOString()
    await db
      .update(linkRecipients)
      .set({ refusedAt })
      .where(eq(linkRecipients.id, failed.subjectId))
  }
  return { kind: dueAt === null ? 'givenUp' : 'rescheduled' }
}

function getNextMailAttempt(maxMs: number, createdAt: string, now: Date) {
  const ageMs = now.getTime() - Date.parse(createdAt)
  if (ageMs >= MAIL_LIFETIME_MS) return null
  return new Date(now.getTime() + Math.min(Math.max(ageMs, FIRST_RETRY_MS), maxMs))
}
