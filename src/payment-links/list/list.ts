import { listIdsSql } from '../../customers/customer.ts'
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, inArray, ne, sql } from '../../database/drizzle.ts'
import { paymentLinks } from '../../database/tables.ts'
import type { PageQuery } from '../../http/pagination.ts'
import {
  buildOrderBy,
  countRows,
  isAfter,
  isFirstPage,
  type ListOrder,
  streamPages,
} from '../../lists/page.ts'
import type { LinkRow } from '../payment-link.ts'
import { buildLinkConditions, type LinkListFilters } from './conditions.ts'

export type LinkSort = { by: 'createdAt' | 'amountCents'; isDescending: boolean }

const NEWEST_FIRST: LinkSort = { by: 'createdAt', isDescending: true }

/** Lists up to `limit + 1` links after the one that `cursor` names. */
export async function listPaymentLinks(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: PageQuery & LinkListFilters,
  now: Date,
  sort = NEWEST_FIRST,
): Promise<LinkRow[]> {
  const wanted = buildLinkConditions(companyId, await resolveName(db, companyId, filters), now)
  const { amountCents, id } = paymentLinks
  const { isDescending } = sort
  const order: ListOrder = {
    id,
    isDescending,
    ...(sort.by === 'amountCents' && { key: amountCents }),
  }
  const isPast = order.key ? isPastAmount(companyId, cursor, sort) : isAfter(cursor, order)
  return db
    .select()
    .from(paymentLinks)
    .where(and(wanted, isPast))
    .orderBy(...buildOrderBy(order))
    .limit(limit + 1)
}

export function streamPaymentLinks(
  db: Database,
  companyId: string,
  filters: LinkListFilters,
  now: Date,
  sort = NEWEST_FIRST,
): AsyncGenerator<LinkRow[]> {
  return streamPages((page) => listPaymentLinks(db, companyId, { ...filters, ...page }, now, sort))
}

export async function countPaymentLinks(
  db: Database,
  companyId: string,
  filters: LinkListFilters,
  now: Date,
) {
  const named = await resolveName(db, companyId, filters)
  return countRows(db, paymentLinks, buildLinkConditions(companyId, named, now))
}

/** Links with one amount are sorted by id. */
function isPastAmount(companyId: string, cursor: string, { isDescending }: LinkSort) {
  if (isFirstPage(cursor)) return undefined
  const { amountCents, id } = paymentLinks
  return sql`(${amountCents}, ${id}) ${sql.raw(isDescending ? '<' : '>')} (
    select last.amount_cents, last.id from payment_links last
    where last.id = ${cursor} and last.company_id = ${companyId})`
}

/** A whole slug or reference finds only its links; other text is a part of a title. */
async function resolveName(db: Database, companyId: string, { q, ...filters }: LinkListFilters) {
  if (q === undefined) return filters
  const { slug, externalReference } = paymentLinks
  const isOf = (column: typeof slug | typeof externalReference) =>
    db
      .select({ slug })
      .from(paymentLinks)
      .where(and(eq(paymentLinks.companyId, companyId), eq(column, q)))
      .limit(1)
  const [[named], [referenced]] = await Promise.all([isOf(slug), isOf(externalReference)])
  if (named) return { ...filters, slug: q }
  const isReference = referenced && (filters.externalReference ?? q) === q
  return isReference ? { ...filters, externalReference: q } : { ...filters, q }
}

/** Lists up to `limit` links for this customer, newest first, without archived ones. */
export async function listCustomerLinks(
  db: Database,
  companyId: string,
  customerId: string,
  limit: number,
): Promise<LinkRow[]> {
  return db
    .select()
    .from(paymentLinks)
    .where(
      and(
        inArray(paymentLinks.linkedCustomerId, listIdsSql(customerId)),
        eq(paymentLinks.companyId, companyId),
        ne(paymentLinks.status, 'archived'),
      ),
    )
    .orderBy(desc(paymentLinks.id))
    .limit(limit)
}
