// Pix that came in for no charge, as their company finds them: open until each is booked on a payment or given back.
import type { Database, Db, Transaction } from '../../database/connect.ts'
import { and, asc, desc, eq, isNull, lt, sql } from '../../database/drizzle.ts'
import { isUuid } from '../../database/id.ts'
import { incomingPayments, transactions, unmatchedPayments } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { selectListedTransactions } from '../list/listed.ts'
import { unmatchedTexts } from './texts.ts'

export type UnmatchedRow = typeof unmatchedPayments.$inferSelect

const MAX_PROPOSED = 10

/** Up to `limit + 1`, newest first, from below `cursor`. */
export async function listUnmatched(
  db: Database,
  companyId: string,
  { limit, cursor }: PageQuery,
): Promise<UnmatchedRow[]> {
  return db
    .select()
    .from(unmatchedPayments)
    .where(and(isOpenOf(companyId), lt(unmatchedPayments.id, cursor)))
    .orderBy(desc(unmatchedPayments.id))
    .limit(limit + 1)
}

export async function countUnmatched(db: Db, companyId: string) {
  return db.$count(unmatchedPayments, isOpenOf(companyId))
}

/** The company's own, or 404. */
export async function requireUnmatched(
  db: Db,
  companyId: string,
  id: string,
): Promise<UnmatchedRow> {
  const [row] = isUuid(id)
    ? await db.select().from(unmatchedPayments).where(isOwn(companyId, id))
    : []
  if (!row) throw notFoundError(unmatchedTexts.notFound)
  return row
}

/** The same, and nobody else's until the end of the transaction. */
export async function lockUnmatched(tx: Transaction, companyId: string, id: string) {
  const [row] = await tx.select().from(unmatchedPayments).where(isOwn(companyId, id)).for('update')
  if (!row) throw notFoundError(unmatchedTexts.notFound)
  return row
}

/** Payments of the same amount that nobody has paid by now, the oldest first: one of them may be what it was for. */
export async function listProposedPayments(db: Database, row: UnmatchedRow) {
  return selectListedTransactions(db)
    .where(
      and(
        eq(transactions.companyId, row.companyId),
        eq(transactions.totalCents, row.amountCents),
        eq(transactions.provider, row.provider),
        eq(transactions.method, 'pix'),
        isNull(transactions.approvedAt),
        sql`${transactions.status} in ('pending', 'expired')`,
      ),
    )
    .orderBy(asc(transactions.id))
    .limit(MAX_PROPOSED)
}

function isOwn(companyId: string, id: string) {
  return and(eq(unmatchedPayments.id, id), eq(unmatchedPayments.companyId, companyId))
}

/** What was booked by its charge after all is open no more. */
function isOpenOf(companyId: string) {
  return and(
    eq(unmatchedPayments.companyId, companyId),
    isNull(unmatchedPayments.transactionId),
    sql`${unmatchedPayments.refundedCents} < ${unmatchedPayments.amountCents}`,
    sql`not exists (select from ${incomingPayments} booked
      where booked.company_id = ${unmatchedPayments.companyId}
        and booked.provider = ${unmatchedPayments.provider}
        and booked.end_to_end_id = ${unmatchedPayments.endToEndId})`,
  )
}
