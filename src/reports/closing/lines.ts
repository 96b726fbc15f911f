// The lines of a month, one for each movement of the book of money, in the order of time.

import type { Database } from '../../database/connect.ts'
import { and, eq, getTableColumns, sql } from '../../database/drizzle.ts'
import { movements, paymentLinks, transactions } from '../../database/tables.ts'
import { buildPlace, type PageQuery } from '../../http/pagination.ts'
import { buildOrderBy, isAfter, streamPages } from '../../lists/page.ts'
import { isWithin } from '../revenue.ts'
import { getMonthDays } from './month.ts'

export type ClosingLine = Awaited<ReturnType<typeof listClosingLines>>[number]

const ORDER = { id: movements.id, key: movements.movedAt, isDescending: false }

/** Lists up to `limit + 1` lines, oldest first. */
export async function listClosingLines(
  db: Database,
  companyId: string,
  month: string,
  { limit, cursor }: PageQuery,
) {
  const rows = await db
    .select({
      ...getTableColumns(movements),
      slug: paymentLinks.slug,
      linkTitle: sql<string>`coalesce(${transactions.linkTitle}, ${paymentLinks.title})`,
      payerName: transactions.payerName,
      payerTaxId: transactions.payerTaxId,
      payerEmail: transactions.payerEmail,
      externalReference: transactions.externalReference,
      installments: transactions.installments,
      discountCents: sql<number>`case ${movements.kind} when 'sale' then ${transactions.discountCents} else 0 end`,
      customFields: transactions.customFields,
      expectedOn: sql<
        string | null
      >`case when ${transactions.payoutParts} = 1 and ${movements.kind} = 'sale' then ${transactions.expectedOn}::text end`,
      pixTxid: transactions.pixTxid,
      endToEndId: transactions.pixEndToEndId,
      pixInstitution: transactions.pixInstitution,
      providerReference: transactions.providerReference,
      hasFee: sql<boolean>`${transactions.feeCents} is not null`,
    })
    .from(movements)
    .innerJoin(transactions, eq(transactions.id, movements.transactionId))
    .innerJoin(paymentLinks, eq(paymentLinks.id, movements.paymentLinkId))
    .where(
      and(
        eq(movements.companyId, companyId),
        isWithin(getMonthDays(month)),
        isAfter(cursor, ORDER),
      ),
    )
    .orderBy(...buildOrderBy(ORDER))
    .limit(limit + 1)
  return rows.map((row) => ({ ...row, ...splitAmounts(row) }))
}

export function streamClosingLines(db: Database, companyId: string, month: string) {
  return streamPages((place) => listClosingLines(db, companyId, month, place), getLinePlace)
}

export function getLinePlace({ movedAt, id }: Pick<ClosingLine, 'movedAt' | 'id'>) {
  return buildPlace(movedAt, id)
}

type Amounts = Pick<
  typeof movements.$inferSelect,
  'kind' | 'cents' | 'interestCents' | 'feeCents'
> & { discountCents: number; hasFee: boolean }

/**
 * Splits the amounts of a line into the columns of the month's sums. Money above a sale has a column of its own. The
 * fee of a sale is null when unknown; a fee that became known later is a line of its own.
 */
function splitAmounts({ kind, cents, interestCents, discountCents, feeCents, hasFee }: Amounts) {
  const isSurplus = kind === 'surplus' || kind === 'surplus_refund'
  const totalCents = isSurplus ? 0 : cents
  const knownFeeCents = feeCents ?? (hasFee ? 0 : null)
  return {
    priceCents: kind === 'sale' ? cents - interestCents + discountCents : 0,
    interestCents,
    totalCents,
    surplusCents: isSurplus ? cents : 0,
    feeCents: knownFeeCents,
    netCents: knownFeeCents === null ? null : totalCents - knownFeeCents,
  }
}
