// The outbox as a queue: which mails are due, and what has become of them.
import type { Database } from '../database/connect.ts'
import { inArray, sql } from '../database/drizzle.ts'
import { HOUR_MS, MINUTE_MS } from '../database/instant.ts'
import { runNamedStatement } from '../database/statement.ts'
import { companies, mails } from '../database/tables.ts'
import { selectDueIds } from '../queue/claim.ts'
import { type Claim, getLeaseEnd, ownsLease, type QueueTable } from '../queue/lease.ts'
import { getNextAttemptAt } from '../queue/retry.ts'
import type { MailRow } from './outbox.ts'

export const MAIL_QUEUE: QueueTable = { name: 'mails', leaseColumn: 'due_at' }

/** How long to wait after the nth failed attempt. After the one that has none it is given up. */
export const MAIL_RETRY_DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
]

const MAX_MAIL_FAILURE_LENGTH = 500

export type ClaimedMail = MailRow & Claim & { company: typeof companies.$inferSelect | null }

/** Claims up to `limit` mails that are due, the longest due first, with the company as it is now. */
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

/** What the mail said is not kept once it is sent. */
export async function recordMailSent(db: Database, { id, attempt }: Claim, now: Date) {
  await runNamedStatement(db, 'record_mail_sent', RECORD_SENT_SQL, [id, attempt, now.toISOString()])
}

type MailFailureResult = { kind: 'rescheduled' } | { kind: 'givenUp' }

/** Tried again later, unless that is useless or was the last time. */
export async function recordMailFailure(
  db: Database,
  { id, attempt }: Claim,
  { reason, isFinal, now }: { reason: string; isFinal: boolean; now: Date },
): Promise<MailFailureResult> {
  const dueAt = isFinal ? null : getNextAttemptAt(MAIL_RETRY_DELAYS_MS, attempt, now)
  const values = [
    id,
    attempt,
    reason.slice(0, MAX_MAIL_FAILURE_LENGTH),
    dueAt?.toISOString() ?? null,
  ]
  await runNamedStatement(db, 'record_mail_failure', RECORD_FAILURE_SQL, values)
  return { kind: dueAt === null ? 'givenUp' : 'rescheduled' }
}

const RECORD_SENT_SQL = `
update mails set sent_at = $3, due_at = null, failure = null, data = '{}'
where ${ownsLease(MAIL_QUEUE)}`

const RECORD_FAILURE_SQL = `
update mails
set failure = $3, due_at = $4::timestamptz,
  data = case when $4::timestamptz is null then '{}' else data end
where ${ownsLease(MAIL_QUEUE)}`
