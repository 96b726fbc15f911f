// A company's customers, a page at a time.

import type { Database } from '../database/connect.ts'
import { and, desc, eq, gt, inArray, isNull, lt, orm, type SQL, sql } from '../database/drizzle.ts'
import { buildMinUuid, MIN_UUID } from '../database/id.ts'
import { DAY_MS, HOUR_MS } from '../database/instant.ts'
import { memoizeByDb } from '../database/memoize.ts'
import { customers, customerWords } from '../database/tables.ts'
import type { PageQuery } from '../http/pagination.ts'
import { getKeys } from '../record.ts'
import type { CustomerRow } from './customer.ts'
import type { CustomerFilters } from './schema.ts'

/**
 * Up to `limit + 1` customers, newest first, from below `cursor`. Each combination of filters is built
 * and planned once.
 */
export async function listCustomers(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: PageQuery & CustomerFilters,
): Promise<CustomerRow[]> {
  const given = getKeys(FILTER_CONDITIONS).filter((name) => filters[name] !== undefined)
  const bounds = toCustomerIdBounds(cursor, filters)
  return customerListQuery(db)(given).execute({
    ...filters,
    ...bounds,
    companyId,
    limit: limit + 1,
  })
}

/** Those of these ids that there are, the newest first. */
export async function listCustomersByIds(
  db: Database,
  companyId: string,
  ids: string[],
): Promise<CustomerRow[]> {
  if (ids.length === 0) return []
  const ours = and(eq(customers.companyId, companyId), isNull(customers.anonymizedAt))
  return db
    .select()
    .from(customers)
    .where(and(ours, inArray(customers.id, ids)))
    .orderBy(desc(customers.id))
}

/**
 * An id begins with the time it was made at, in milliseconds. A request that was repeated after a crash
 * may give a customer the id that it was to have a day earlier; what is exact is `created_at`.
 */
const CUSTOMER_ID_SKEW_MS = DAY_MS + HOUR_MS

function toCustomerIdBounds(cursor: string, { createdFrom, createdTo }: CustomerFilters) {
  const above = createdFrom ? buildMinUuid(Date.parse(createdFrom) - CUSTOMER_ID_SKEW_MS) : MIN_UUID
  const end = createdTo ? buildMinUuid(Date.parse(createdTo) + CUSTOMER_ID_SKEW_MS) : cursor
  return { above, below: end < cursor ? end : cursor }
}

const toPlaceholder = (name: string) => sql.placeholder(name)

const FILTER_CONDITIONS: Record<keyof CustomerFilters, () => SQL> = {
  taxId: () => sql`${customers.taxId} = ${toPlaceholder('taxId')}`,
  email: () => sql`lower(${customers.email}) = lower(${toPlaceholder('email')})`,
  createdFrom: () => sql`${customers.createdAt} >= ${toPlaceholder('createdFrom')}`,
  createdTo: () => sql`${customers.createdAt} <= ${toPlaceholder('createdTo')}`,
  name: () => sql`${customerWords.companyId} = ${toPlaceholder('companyId')}
    and ${customerWords.word} = (
      select word from unnest(name_words(${toPlaceholder('name')})) as word
      order by length(word) desc limit 1
    )
    and (select name_words(${toPlaceholder('name')})) <@ array(
      select other.word from customer_words other
      where other.company_id = ${toPlaceholder('companyId')} and other.customer_id = ${customers.id}
        and other.word = any((select name_words(${toPlaceholder('name')}))::text[])
    )`,
}

const customerListQuery = memoizeByDb((db: Database) => {
  const built = new Map<string, ReturnType<typeof prepareCustomerList>>()
  return (conditions: (keyof CustomerFilters)[]) => {
    const name = `customers_${conditions.join('_')}`
    const known = built.get(name) ?? prepareCustomerList(db, name, conditions)
    built.set(name, known)
    return known
  }
})

function prepareCustomerList(db: Database, name: string, conditions: (keyof CustomerFilters)[]) {
  const byWord = conditions.includes('name')
  // Postgres carries no `<` over a join: the order is that of the table that is scanned.
  const id = byWord ? customerWords.customerId : customers.id
  const all = db.select(orm.getTableColumns(customers)).from(customers).$dynamic()
  const from = byWord
    ? all.innerJoin(customerWords, eq(customerWords.customerId, customers.id))
    : all
  return from
    .where(
      and(
        eq(customers.companyId, toPlaceholder('companyId')),
        isNull(customers.anonymizedAt),
        lt(id, toPlaceholder('below')),
        gt(id, toPlaceholder('above')),
        ...conditions.map((condition) => FILTER_CONDITIONS[condition]()),
      ),
    )
    .orderBy(desc(id))
    .limit(toPlaceholder('limit'))
    .prepare(name)
}
