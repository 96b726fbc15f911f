// A company's customers in the order of their names, and how many there are, for people.

import type { Database } from '../database/connect.ts'
import { and, eq, isNull, sql } from '../database/drizzle.ts'
import { MAX_UUID } from '../database/id.ts'
import { customers } from '../database/tables.ts'
import { type CountResult, MAX_COUNTED, type PageQuery } from '../http/pagination.ts'
import type { CustomerRow } from './customer.ts'

/** Up to `limit + 1`, on from the customer that `cursor` names: namesakes are in the order of their ids. */
export async function listCustomersByName(
  db: Database,
  companyId: string,
  { limit, cursor, isDescending }: PageQuery & { isDescending: boolean },
): Promise<CustomerRow[]> {
  // As its index has it: á by a and A by a.
  const key = sql`fold(name) collate "C"`
  const [past, way] = isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const last = sql`(select ${key}, id from customers
    where id = ${cursor} and company_id = ${companyId})`
  return db
    .select()
    .from(customers)
    .where(
      and(
        isPresent(companyId),
        cursor === MAX_UUID ? undefined : sql`(${key}, id) ${past} ${last}`,
      ),
    )
    .orderBy(sql`${key} ${way}`, sql`id ${way}`)
    .limit(limit + 1)
}

export async function countCustomers(db: Database, companyId: string): Promise<CountResult> {
  const some = db
    .select({ id: customers.id })
    .from(customers)
    .where(isPresent(companyId))
    .limit(MAX_COUNTED + 1)
  const count = await db.$count(some.as('some'))
  return count > MAX_COUNTED ? { kind: 'partial', count: MAX_COUNTED } : { kind: 'exact', count }
}

function isPresent(companyId: string) {
  return and(eq(customers.companyId, companyId), isNull(customers.anonymizedAt))
}
