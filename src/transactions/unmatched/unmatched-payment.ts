// Pix without a charge, for their company: open until each is booked on a payment or refunded.
import type { Database, Db, Transaction } from '../../database/connect.ts'
import { and, asc, desc, eq, getTableColumns, isNull, lt, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { isUuid } from '../../database/id.ts'
import { incomingPayments, transactions, unmatchedPayments } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { recordEvent } from '../../webhooks/events/event.ts'
import { selectListedTransactions } from '../list/listed.ts'
import { serializeUnmatched, type UnmatchedRow } from './schema.ts'
import { unmatchedTexts } from './texts.ts'

const MAX_PROPOSED = 10

/** Lists up to `limit + 1` below `cursor`, newest first. */
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

/** Throws 404 when the company has no such Pix. */
export async function requireUnmatched(
  db: Db,
  companyId: string,
  id: string,
): Promise<UnmatchedRow> {
  const [row] = isUuid(id) ? await selectOwn(db, companyId, id) : []
  if (!row) throw notFoundError(unmatchedTexts.notFound)
  return row
}

/** Locks the row until the transaction ends. */
export async function lockUnmatched(tx: Transaction, companyId: string, id: string) {
  const [row] = await selectOwn(tx, companyId, id).for('update')
  return requireFound(row)
}

export async function changeUnmatched(
  tx: Transaction,
  id: string,
  changes: Partial<Pick<UnmatchedRow, 'transactionId' | 'refundRequestedAt'>>,
  now: Date,
): Promise<UnmatchedRow> {
  const [row] = await tx
    .update(unmatchedPayments)
    .set({ ...changes, updatedAt: now.toISOString() })
    .where(eq(unmatchedPayments.id, id))
    .returning()
  return requireFound(row)
}

type Publication = {
  testMode: boolean
  now: Date
  /** The payment that it was matched with, and its link. */
  about?: Record<string, unknown>
}

/** Writes its event, in the transaction that makes it true. */
export async function publishUnmatched(
  tx: Transaction,
  what: 'unmatched' | 'matched' | 'refunded',
  row: UnmatchedRow,
  { testMode, now, about = {} }: Publication,
) {
  const { companyId } = row
  const data = { ...about, incomingPayment: serializeUnmatched(row, testMode) }
  await recordEvent(tx, { companyId, type: `incoming_payment.${what}`, testMode, data, now })
}

/** Lists unpaid payments of the same amount, oldest first: the Pix may be meant for one of them. */
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

/** The payment on which its own charge has booked the Pix meanwhile. */
const BOOKED_ON = sql`(select booked.transaction_id from ${incomingPayments} booked
  where booked.company_id = ${unmatchedPayments.companyId}
    and booked.provider = ${unmatchedPayments.provider}
    and booked.end_to_end_id = ${unmatchedPayments.endToEndId})`

/** A Pix that its charge has booked belongs to that payment, as if the company had matched it. */
function selectOwn(db: Db, companyId: string, id: string) {
  const isOwn = and(eq(unmatchedPayments.id, id), eq(unmatchedPayments.companyId, companyId))
  const transactionId = sql<
    string | null
  >`coalesce(${unmatchedPayments.transactionId}, ${BOOKED_ON})`
  return db
    .select({ ...getTableColumns(unmatchedPayments), transactionId })
    .from(unmatchedPayments)
    .where(isOwn)
}

function isOpenOf(companyId: string) {
  return and(
    eq(unmatchedPayments.companyId, companyId),
    isNull(unmatchedPayments.transactionId),
    sql`${unmatchedPayments.refundedCents} < ${unmatchedPayments.amountCents}`,
    sql`${BOOKED_ON} is null`,
  )
}
