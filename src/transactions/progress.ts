// A payment's row while its verdict is out, and when it is checked next, also after that.

import type { Database } from '../database/connect.ts'
import { and, eq, inArray, type SQL, sql } from '../database/drizzle.ts'
import { OPEN_STATUSES } from '../database/enums.ts'
import { transactions } from '../database/tables.ts'
import type { ChargeOutcome } from '../providers/provider.ts'
import { countCheck, getNextCheckAt } from './check-schedule.ts'
import { reloadTransaction, type TransactionRow } from './transaction.ts'

type OpenPaymentChanges = Omit<Partial<TransactionRow>, 'checkAt'> & {
  checkAt: string | null | SQL
}

/**
 * Asks again later, the more rarely the longer it takes. The provider's name for the charge is kept: its
 * notifications may know no other.
 */
export async function rescheduleCheck(
  db: Database,
  row: TransactionRow,
  now: Date,
  providerReference = row.providerReference,
) {
  const next = sql`${getNextCheckAt(row, now)}::timestamptz`
  // A notification that came while we were asking has brought the next check forward.
  const checkAt = sql`case when check_at is not distinct from ${row.checkAt}::timestamptz
    then ${next} else least(check_at, ${next}) end`
  return updateOpenPayment(db, row, {
    providerReference,
    checkAt,
    checks: countCheck(row),
  })
}

export async function recordChallenge(
  db: Database,
  row: TransactionRow,
  { reference, challengeUrl, expiresAt }: ChargeOutcome & { status: 'awaiting_authentication' },
  now: Date,
) {
  // Written again it would look changed to the page that shows it, and the payer would start over.
  if (row.challengeUrl === challengeUrl) return rescheduleCheck(db, row, now)
  const challenged = { ...row, status: 'awaiting_authentication' as const, expiresAt, checks: 0 }
  return updateOpenPayment(db, row, {
    status: challenged.status,
    providerReference: reference,
    challengeUrl,
    expiresAt,
    checkAt: getNextCheckAt(challenged, now),
    checks: 0,
    updatedAt: now.toISOString(),
  })
}

/** Nothing is asked of the payer any more: who saw the challenge again would take it for undone, and pay once more. */
export async function recordChallengeAnswered(
  db: Database,
  row: TransactionRow,
  providerReference: string,
  now: Date,
) {
  const answered = { ...row, status: 'processing' as const, expiresAt: null, checks: 0 }
  return updateOpenPayment(db, row, {
    status: answered.status,
    providerReference,
    ...{ challengeUrl: null, expiresAt: null },
    checkAt: getNextCheckAt(answered, now),
    checks: 0,
    updatedAt: now.toISOString(),
  })
}

/** Schedules the next check of a payment that was just checked, unless somebody has done so since. */
export async function setNextCheck(db: Database, asked: TransactionRow, checkAt: string | null) {
  if (asked.checkAt === checkAt) return
  await db
    .update(transactions)
    .set({ checkAt })
    .where(
      and(
        eq(transactions.id, asked.id),
        sql`${transactions.checkAt} is not distinct from ${asked.checkAt}::timestamptz`,
      ),
    )
}

/** Brings the next check of a payment forward, unless it is scheduled as early already. */
export async function scheduleCheckBefore(db: Database, id: string, checkAt: string) {
  await db
    .update(transactions)
    .set({ checkAt })
    .where(
      and(
        eq(transactions.id, id),
        sql`(${transactions.checkAt} is null or ${transactions.checkAt} > ${checkAt}::timestamptz)`,
      ),
    )
}

/** Changes a card payment or Pix whose verdict is still out; otherwise answers what it has become. */
async function updateOpenPayment(db: Database, row: TransactionRow, changes: OpenPaymentChanges) {
  const [changed] = await db
    .update(transactions)
    .set(changes)
    .where(and(eq(transactions.id, row.id), inArray(transactions.status, OPEN_STATUSES)))
    .returning()
  return changed ?? (await reloadTransaction(db, row.id))
}

// The code that a Pix payment is paid by, kept as the provider gave it.

type PendingPix = ChargeOutcome & { status: 'pending' }

/** Changes nothing where the payment is no longer pending. */
export async function recordPixCode(
  db: Database,
  row: TransactionRow,
  pending: PendingPix,
  now: Date,
) {
  const code = buildPixCode(row, pending, now)
  await db
    .update(transactions)
    .set(code)
    .where(and(eq(transactions.id, row.id), eq(transactions.status, 'pending')))
  return { ...row, ...code }
}

export function buildPixCode(
  row: TransactionRow,
  { reference, pixBrCode, expiresAt: openUntil }: PendingPix,
  now: Date,
) {
  // We have asked for a time of ours; a code that the provider gives less is told as it has it.
  const isSooner = row.expiresAt && openUntil > now.toISOString() && openUntil < row.expiresAt
  const expiresAt = row.expiresAt && !isSooner ? row.expiresAt : openUntil
  return {
    providerReference: reference,
    pixBrCode,
    expiresAt,
    checkAt: getNextCheckAt({ ...row, pixBrCode, expiresAt, checks: 0 }, now),
    checks: 0,
    updatedAt: now.toISOString(),
  }
}
