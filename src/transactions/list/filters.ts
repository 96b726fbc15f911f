// The filters of a list of transactions, and its order.

import { resolveMergedSql } from '../../customers/customer.ts'
import { and, eq, gte, lte, orm, type SQL, sql } from '../../database/drizzle.ts'
import { buildMaxUuid, buildMinUuid } from '../../database/id.ts'
import { incomingPayments, transactions } from '../../database/tables.ts'
import { buildPosition } from '../../http/pagination.ts'
import { buildConditions, type ListOrder } from '../../lists/page.ts'
import { matchesSearch, type Search } from '../../lists/words.ts'
import { HAS_SURPLUS_LEFT, IS_HELD, IS_OPEN_DUPLICATE } from '../../reports/summary.ts'
import type { TransactionFilters } from '../schema.ts'
import { TRANSACTION_ID_SKEW_MS } from '../transaction.ts'

/** Filters of the dashboard only. */
export type TransactionListFilters = TransactionFilters & {
  id?: string | undefined
  /** By the day that people look for a payment on (EFFECTIVE_AT). */
  effectiveFrom?: string | undefined
  effectiveTo?: string | undefined
  /** Those that need a decision: held (isAmountMismatch), paid twice, or with a surplus to refund. */
  held?: true | undefined
  /** Searches the payer, the title, and the day that people look for a payment on. */
  search?: Search | undefined
}

const { approvedAt, createdAt, updatedAt } = transactions

/** When it was paid or, for an unpaid one, when it was begun. */
const EFFECTIVE_AT = sql`coalesce(${approvedAt}, ${createdAt})`

export function buildTransactionConditions(
  companyId: string,
  filters: TransactionListFilters,
): SQL | undefined {
  const { id, metadata, tags } = transactions
  const conditions = buildConditions<TransactionListFilters>(
    {
      id: (value) => eq(id, value),
      externalReference: (value) => eq(transactions.externalReference, value),
      customerId: (value) => eq(transactions.customerId, resolveMergedSql(value)),
      paymentLinkId: (value) => eq(transactions.paymentLinkId, value),
      status: (value) => eq(transactions.status, value),
      method: (value) => eq(transactions.method, value),
      // The order of ids is the order of their instants, and of the list.
      createdFrom: (at) =>
        and(gte(createdAt, at), gte(id, buildMinUuid(Date.parse(at) - TRANSACTION_ID_SKEW_MS))),
      createdTo: (at) =>
        and(lte(createdAt, at), lte(id, buildMaxUuid(Date.parse(at) + TRANSACTION_ID_SKEW_MS))),
      approvedFrom: (at) => gte(approvedAt, at),
      approvedTo: (at) => lte(approvedAt, at),
      updatedFrom: (at) => gte(updatedAt, at),
      updatedTo: (at) => lte(updatedAt, at),
      effectiveFrom: (at) => gte(EFFECTIVE_AT, at),
      effectiveTo: (at) => lte(EFFECTIVE_AT, at),
      metadata: (pairs) => sql`${metadata} @> ${JSON.stringify(pairs)}::jsonb`,
      tag: (wanted) => (wanted.length > 0 ? orm.arrayContains(tags, wanted) : undefined),
      search: (search) => matchesSearch(transactions, companyId, search, EFFECTIVE_AT),
      held: () => sql`${id} in (${selectIdsToCheck(companyId)})`,
    },
    filters,
  )
  return and(eq(transactions.companyId, companyId), ...conditions)
}

/** Held and duplicate payments and surpluses are few, and each kind has an index of its own. */
function selectIdsToCheck(companyId: string): SQL {
  return sql`
    select id from ${transactions} where company_id = ${companyId} and ${IS_HELD}
    union
    select id from ${transactions} where company_id = ${companyId} and ${IS_OPEN_DUPLICATE}
    union
    select transaction_id from ${incomingPayments}
    where company_id = ${companyId} and ${HAS_SURPLUS_LEFT}
      and exists (select from transactions paid where paid.id = transaction_id and paid.approved_at is not null)`
}

type SortInstant = 'approvedAt' | 'updatedAt' | 'effectiveAt'

/** Returns the instant by which the list is sorted; undefined when it is sorted by id. */
export function getSortInstant(filters: TransactionListFilters): SortInstant | undefined {
  const { approvedFrom, approvedTo, updatedFrom, updatedTo } = filters
  const { effectiveFrom, effectiveTo, search } = filters
  if ((approvedFrom ?? approvedTo) !== undefined) return 'approvedAt'
  if ((updatedFrom ?? updatedTo) !== undefined) return 'updatedAt'
  return (effectiveFrom ?? effectiveTo ?? search?.day) === undefined ? undefined : 'effectiveAt'
}

const INSTANT_KEYS = { approvedAt, updatedAt, effectiveAt: EFFECTIVE_AT }

/** Newest first. */
export function getListOrder(filters: TransactionListFilters): ListOrder {
  const instant = getSortInstant(filters)
  const key = instant && INSTANT_KEYS[instant]
  return { id: transactions.id, isDescending: true, ...(key && { key }) }
}

type SortedRow = { id: string; approvedAt: string | null; updatedAt: string; createdAt: string }

/** Returns a transaction's position in the list with these filters. */
export function createPositionReader(filters: TransactionListFilters) {
  const instant = getSortInstant(filters)
  return (row: SortedRow) => {
    const effectiveAt = row.approvedAt ?? row.createdAt
    return buildPosition(instant ? { ...row, effectiveAt }[instant] : null, row.id)
  }
}
