// Customers by what was typed: a document, an e-mail, or words of the name.
import type { CustomerRow } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import { CustomerFilters } from '../../customers/schema.ts'
import { parseTaxId } from '../../customers/tax-id.ts'
import type { Database } from '../../database/connect.ts'
import { PageQuery } from '../../http/pagination.ts'

const MOST = 10

/** Undefined for what nobody is called. */
export function peopleFilter(word: string): CustomerFilters | undefined {
  const taxId = parseTaxId(word)
  if (taxId) return { taxId }
  const { data } = CustomerFilters.safeParse(word.includes('@') ? { email: word } : { name: word })
  return data
}

/** The newest few of them. */
export async function findPeople(
  db: Database,
  companyId: string,
  word: string,
): Promise<CustomerRow[]> {
  const filter = peopleFilter(word)
  if (!filter) return []
  const page = { ...PageQuery.parse({}), limit: MOST }
  const people = await listCustomers(db, companyId, { ...page, ...filter })
  return people.slice(0, MOST)
}
