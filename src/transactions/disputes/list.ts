// A company's disputes: one, a page of them, those of one payment.
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, getTableColumns, gte, lt, lte } from '../../database/drizzle.ts'
import { isUuid } from '../../database/id.ts'
import { disputes, transactions } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import type { PageQuery } from '../../http/pagination.ts'
import type { DisputeFilters, DisputeRow } from './schema.ts'
import { disputeTexts } from './texts.ts'

/** Of one payment; a bank comes up with no more. */
const MAX_PAYMENT_DISPUTES = 100

/** With who paid it, for lists that people read. */
export type ListedDispute = Awaited<ReturnType<typeof listDisputes>>[number]

/** Up to `limit + 1`, newest first, from below `cursor`. */
export async function listDisputes(
  db: Database,
  companyId: string,
  {
    limit,
    cursor,
    status,
    kind,
    transactionId,
    createdFrom,
    createdTo,
  }: PageQuery & DisputeFilters,
) {
  return db
    .select({ ...getTableColumns(disputes), payerName: transactions.payerName })
    .from(disputes)
    .innerJoin(transactions, eq(transactions.id, disputes.transactionId))
    .where(
      and(
        eq(disputes.companyId, companyId),
        lt(disputes.id, cursor),
        status ? eq(disputes.status, status) : undefined,
        kind ? eq(disputes.kind, kind) : undefined,
        transactionId ? eq(disputes.transactionId, transactionId) : undefined,
        createdFrom ? gte(disputes.createdAt, createdFrom) : undefined,
        createdTo ? lte(disputes.createdAt, createdTo) : undefined,
      ),
    )
    .orderBy(desc(disputes.id))
    .limit(limit + 1)
}

/** The oldest first. */
export async function listPaymentDisputes(
  db: Database,
  transactionId: string,
): Promise<DisputeRow[]> {
  return db
    .select()
    .from(disputes)
    .where(eq(disputes.transactionId, transactionId))
    .orderBy(disputes.id)
    .limit(MAX_PAYMENT_DISPUTES)
}

/** The company's own, or 404. */
export async function requireDispute(
  db: Database,
  companyId: string,
  id: string,
): Promise<DisputeRow> {
  const [row] = isUuid(id)
    ? await db
        .select()
        .from(disputes)
        .where(and(eq(disputes.id, id), eq(disputes.companyId, companyId)))
    : []
  if (!row) throw notFoundError(disputeTexts.notFound)
  return row
}
