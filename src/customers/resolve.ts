import type { Db, Transaction } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { newId } from '../database/id.ts'
import { customers } from '../database/tables.ts'
import { type CustomerRow, withWords } from './customer.ts'

/** A person is identified by the document, or by the e-mail when there is no document. */
export type Person = { name: string; email: string | null; taxId: string | null }

/** `key` is equal for people who are one customer. `id` and `name` are null for unknown people. */
type FoundPerson = { key: string; id: string | null; name: string | null }

/**
 * Returns the id of the company's customer for each person; known customers are not changed. The caller must run this
 * once at a time for a company, because an e-mail has no unique index.
 */
export async function resolveCustomers(
  tx: Transaction,
  companyId: string,
  people: readonly Person[],
  now: Date,
): Promise<string[]> {
  const found = await findKnownCustomers(tx, companyId, people)
  const missing = new Map<string, CustomerRow>()
  for (const [i, { key, id }] of found.entries()) {
    const person = requireFound(people[i])
    if (id === null && !missing.has(key)) missing.set(key, buildCustomerRow(companyId, person, now))
  }
  if (missing.size === 0) return found.map(({ id }) => requireFound(id))
  await tx
    .insert(customers)
    .values([...missing.values()].map(withWords))
    .onConflictDoNothing({ target: [customers.companyId, customers.taxId] })
  // Reads again, since the API may have created a customer with the same document meanwhile.
  const all = await findKnownCustomers(tx, companyId, people)
  return all.map(({ id }) => requireFound(id))
}

/**
 * Finds the customer of each person. The database compares e-mails, since its lower case differs from JavaScript's for
 * some letters; when several customers have an e-mail, the first one is returned.
 */
export async function findKnownCustomers(
  db: Db,
  companyId: string,
  people: readonly Person[],
): Promise<FoundPerson[]> {
  const given = people.map(({ email, taxId }, at) => ({ at, email, taxId }))
  const { rows } = await db.execute<FoundPerson>(sql`
    select coalesce("taxId", lower(given.email)) as key, known.id, known.name
    from json_to_recordset(${JSON.stringify(given)}::json) as given (at int, email text, "taxId" text)
    left join lateral (
      (select id, name from customers where company_id = ${companyId} and tax_id = "taxId")
      union all
      (select id, name from customers
        where company_id = ${companyId} and "taxId" is null and lower(email) = lower(given.email)
          and anonymized_at is null
        order by id limit 1)
    ) known on true
    order by at`)
  return rows
}

function buildCustomerRow(
  companyId: string,
  { name, email, taxId }: Person,
  now: Date,
): CustomerRow {
  const at = now.toISOString()
  return {
    id: newId(),
    companyId,
    name,
    email,
    taxId,
    phone: null,
    anonymizedAt: null,
    mergedInto: null,
    createdAt: at,
    updatedAt: at,
  }
}
