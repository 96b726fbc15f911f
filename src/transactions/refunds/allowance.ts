// How much live money a user may refund without confirming the password again: the sum since then counts, since many
// small refunds are a large one.

import type { Db, Transaction } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { REFUND_ALLOWANCE_LOCK } from '../../database/locks.ts'
import { auditEntries, refunds } from '../../database/tables.ts'
import { AppError } from '../../http/errors.ts'
import { refundTexts } from './texts.ts'

export type RefundAllowance = { userId: string; since: Date; maxCents: number }

/** Refunds above the allowance; failed ones count too. */
export const ALLOWANCE_EXCEEDED = 'allowance_exceeded'

/** Sums the refunds that the user has requested so far. */
export async function sumRequestedRefunds(
  db: Db,
  { userId, since }: Pick<RefundAllowance, 'userId' | 'since'>,
): Promise<number> {
  const { rows } = await db.execute<{ cents: number }>(sql`
    with asked as materialized (
      select subject_id, created_at from ${auditEntries}
      where company_id = (select company_id from users where id = ${userId})
        and user_id = ${userId} and action = 'refund_asked' and not test_mode
        and created_at >= ${since.toISOString()}
    )
    select coalesce(sum(amount_cents), 0)::float8 as cents from ${refunds}
    where (transaction_id, created_at) in (select subject_id::uuid, created_at from asked)`)
  return requireFound(rows[0]).cents
}

/** Throws 403. Simultaneous refunds of the same user wait here for each other. */
export async function assertAllowance(
  tx: Transaction,
  { userId, since, maxCents }: RefundAllowance,
  amountCents: number,
) {
  const userKey = sql`hashtext(${userId})`
  await tx.execute(sql`select pg_advisory_xact_lock(${REFUND_ALLOWANCE_LOCK}, ${userKey})`)
  const before = await sumRequestedRefunds(tx, { userId, since })
  if (before + amountCents <= maxCents) return
  throw new AppError(403, ALLOWANCE_EXCEEDED, refundTexts.allowanceExceeded)
}
