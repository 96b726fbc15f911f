// The queue is the table of mails itself. A mail is claimed by pushing its due time past a lease; whoever
// dies holding it lets the lease run out. The attempt's number fences what is written about it, so that
// whoever comes late changes nothing.
import type { Database } from '../database/connect.ts'
import { and, eq, inArray, isNotNull, sql } from '../database/drizzle.ts'
import { companies, mails } from '../database/tables.ts'

/** Longer than an attempt's deadline by what it may take to record its outcome. */
export const LEASE_MS = 60_000

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long to wait after the nth failed attempt. After the one that has none it is given up. */
export const RETRY_DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
]

const MAX_FAILURE = 500

export type MailRow = typeof mails.$inferSelect
export type Claimed = MailRow & { company: typeof companies.$inferSelect | null }

/** Claims up to `limit` mails that are due, the longest due first, with the company as it is now. */
export async function claimMails(db: Database, now: Date, limit: number): Promise<Claimed[]> {
  const at = now.toISOString()
  const due = sql`(select id from mails where due_at <= ${at} order by due_at limit ${limit} for update skip locked)`
  const claimed = await db
    .update(mails)
    .set({
      attempts: sql`attempts + 1`,
      dueAt: new Date(now.getTime() + LEASE_MS).toISOString(),
    })
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
  return claimed.map((mail) => ({ ...mail, company: byId.get(mail.companyId ?? '') ?? null }))
}

/** What the mail told is not kept once it is sent. */
export async function recordSent(db: Database, mail: MailRow, now: Date) {
  const sent = { sentAt: now.toISOString(), dueAt: null, failure: null, data: {} }
  await db.update(mails).set(sent).where(isHeld(mail))
}

/** Tried again later, unless that is useless or was the last time; then it is over. */
export async function recordFailure(
  db: Database,
  mail: MailRow,
  { reason, final, now }: { reason: string; final: boolean; now: Date },
) {
  const delayMs = final ? undefined : RETRY_DELAYS_MS[mail.attempts - 1]
  const over = delayMs === undefined
  await db
    .update(mails)
    .set({
      failure: reason.slice(0, MAX_FAILURE),
      dueAt: over ? null : new Date(now.getTime() + delayMs).toISOString(),
      ...(over && { data: {} }),
    })
    .where(isHeld(mail))
  return over
}

/** As if this attempt had never been. */
export async function giveBack(db: Database, mail: MailRow, now: Date) {
  await db
    .update(mails)
    .set({ attempts: mail.attempts - 1, dueAt: now.toISOString() })
    .where(isHeld(mail))
}

function isHeld({ id, attempts }: MailRow) {
  return and(eq(mails.id, id), eq(mails.attempts, attempts), isNotNull(mails.dueAt))
}
