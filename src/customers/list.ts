import type { Database } from '../database/connect.ts'
import { and, eq, gte, isNull, lte, sql } from '../database/drizzle.ts'
import { customers } from '../database/tables.ts'
import type { PageQuery } from '../http/pagination.ts'
import { buildConditions, buildOrderBy, countRows, isAfter, streamPages } from '../lists/page.ts'
import { matchesSearch, type Search } from '../lists/words.ts'
import type { CustomerRow } from './customer.ts'
import type { CustomerFilters } from './schema.ts'

/** Filters of the dashboard only. */
type CustomerListFilters = CustomerFilters & {
  /** Searches name, document, e-mail, phone and the day of creation. */
  search?: Search | undefined
}

const NEWEST_FIRST = { id: customers.id, isDescending: true }

/** Lists up to `limit + 1` customers below `cursor`, newest first. */
export async function listCustomers(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: PageQuery & CustomerListFilters,
): Promise<CustomerRow[]> {
  return db
    .select()
    .from(customers)
    .where(and(buildCustomerConditions(companyId, filters), isAfter(cursor, NEWEST_FIRST)))
    .orderBy(...buildOrderBy(NEWEST_FIRST))
    .limit(limit + 1)
}

export function streamCustomers(db: Database, companyId: string, filters: CustomerListFilters) {
  return streamPages((page) => listCustomers(db, companyId, { ...page, ...filters }))
}

export function countCustomers(db: Database, companyId: string) {
  return countRows(db, customers, buildCustomerConditions(companyId, {}))
}

function buildCustomerConditions(companyId: string, filters: CustomerListFilters) {
  const { createdAt } = customers
  const conditions = buildConditions<CustomerListFilters>(
    {
      taxId: (taxId) => eq(customers.taxId, taxId),
      email: (email) => sql`lower(${customers.email}) = lower(${email})`,
      createdFrom: (at) => gte(createdAt, at),
      createdTo: (at) => lte(createdAt, at),
      /** Whole words, in any order. */
      name: (name) => sql`name_words(${name}) <@ name_words(${customers.name})`,
      search: (search) => matchesSearch(customers, companyId, search, createdAt),
    },
    filters,
  )
  return and(eq(customers.companyId, companyId), isNull(customers.anonymizedAt), ...conditions)
}
