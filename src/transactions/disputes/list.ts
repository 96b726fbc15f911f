// A company's disputes: one, a page, those of one payment.
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, getTableColumns, gte, lt, lte } from '../../database/drizzle.ts'
import { isUuid } from '../../database/id.ts'
import { disputes, transactions } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import type { PageQuery } from '../../http/pagination.ts'
import type { DisputeFilters, DisputeRow } from './schema.ts'
import { disputeTexts } from './texts.ts'

/** More than one payment ever has. */
const MAX_PAYMENT_DISPUTES = 100
/** More than one company ever has open. */
const MAX_OPEN_DISPUTES = 1_000

/** Lists up to `limit + 1` disputes below `cursor`, newest first. */
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

/** Lists what the deadlines of a company's open disputes depend on. */
export async function listOpenDisputes(db: Database, companyId: string) {
  const { status, kind, respondBy, openedAt } = disputes
  return db
    .select({ status, kind, respondBy, openedAt })
    .from(disputes)
    .where(and(eq(disputes.companyId, companyId), eq(status, 'open')))
    .limit(MAX_OPEN_DISPUTES)
}

/** Oldest first. */
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

/** Throws 404 when the company has no such dispute. */
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
