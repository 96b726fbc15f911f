// Customers by what was typed: a document, an e-mail, or words of the name.
import type { CustomerRow } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import { CustomerFilters } from '../../customers/schema.ts'
import { parseTaxId } from '../../customers/tax-id.ts'
import type { Database } from '../../database/connect.ts'
import { PageQuery } from '../../http/pagination.ts'

const MAX_MATCHES = 10

/** Undefined for what nobody is called. */
export function parseCustomerSearch(word: string): CustomerFilters | undefined {
  const taxId = parseTaxId(word)
  if (taxId) return { taxId }
  const { data } = CustomerFilters.safeParse(word.includes('@') ? { email: word } : { name: word })
  return data
}

/** The newest few of them. */
export async function searchCustomers(
  db: Database,
  companyId: string,
  word: string,
): Promise<CustomerRow[]> {
  const filter = parseCustomerSearch(word)
  if (!filter) return []
  const page = { ...PageQuery.parse({}), limit: MAX_MATCHES }
  const people = await listCustomers(db, companyId, { ...page, ...filter })
  return people.slice(0, MAX_MATCHES)
}
