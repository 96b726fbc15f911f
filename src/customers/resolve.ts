// The customers of many things that are made at once, such as the links of a file: those that the company
// knows, and the others made.

import type { Transaction } from '../database/connect.ts'
import { requireFound } from '../database/found.ts'
import { newId } from '../database/id.ts'
import { runNamedStatement } from '../database/statement.ts'
import { customers } from '../database/tables.ts'
import { buildCustomerLookup, type CustomerRow } from './customer.ts'

/** By the document where there is one, by the e-mail where there is none. */
export type Person = { name: string; email: string | null; taxId: string | null }

const MAX_LOOKUPS = 3
const LOOKUP_SQL = `with ${buildCustomerLookup('$1')} select wanted, found from customer`

/**
 * The id of the company's customer for each. Who is known stays as they are. Whoever calls it for a company
 * must be the only one at that moment: nothing else keeps an e-mail from being made a customer twice.
 */
export async function resolveCustomers(
  tx: Transaction,
  companyId: string,
  people: readonly Person[],
  now: Date,
): Promise<string[]> {
  const byTaxId = await resolveByTaxId(tx, companyId, people, now)
  const byEmail = await resolveByEmail(tx, companyId, people, now)
  return people.map((person) =>
    requireFound(person.taxId ? byTaxId.get(person.taxId) : byEmail.get(getTypedEmail(person))),
  )
}

async function resolveByTaxId(
  tx: Transaction,
  companyId: string,
  people: readonly Person[],
  now: Date,
) {
  const known = new Map<string, string>()
  const createdAt = now.toISOString()
  const named = people.flatMap(({ taxId, ...person }) =>
    taxId ? { ...person, taxId, companyId, phone: null, id: newId(), createdAt } : [],
  )
  // Again only where somebody else made one of them while the statement ran.
  for (let left = named, tries = 0; left.length > 0 && tries < MAX_LOOKUPS; tries++) {
    const rows = await runNamedStatement<{ wanted: string; found: string | null }>(
      tx,
      'resolve_customers',
      LOOKUP_SQL,
      [JSON.stringify(left)],
    )
    const found = new Map(rows.map((row) => [row.wanted, row.found]))
    for (const { id, taxId } of left) {
      const customerId = found.get(id)
      if (customerId) known.set(taxId, customerId)
    }
    left = left.filter(({ taxId }) => !known.has(taxId))
  }
  return known
}

async function resolveByEmail(
  tx: Transaction,
  companyId: string,
  people: readonly Person[],
  now: Date,
) {
  const named = people.filter(({ taxId }) => !taxId)
  const idByTyped = new Map<string, string>()
  if (named.length === 0) return idByTyped
  const looked = await lookUpEmails(tx, companyId, [...new Set(named.map(getTypedEmail))])
  const idByEmail = new Map(looked.flatMap(({ email, id }) => (id ? [[email, id] as const] : [])))
  const emailByTyped = new Map(looked.map(({ typed, email }) => [typed, email]))
  const made: CustomerRow[] = []
  // Of several with one e-mail the first is made.
  for (const person of named) {
    const typed = getTypedEmail(person)
    const email = requireFound(emailByTyped.get(typed))
    const known = idByEmail.get(email)
    const row = known === undefined ? buildCustomerRow(companyId, person, now) : undefined
    if (row) made.push(row)
    const id = known ?? requireFound(row).id
    idByEmail.set(email, id)
    idByTyped.set(typed, id)
  }
  if (made.length > 0) await tx.insert(customers).values(made)
  return idByTyped
}

/**
 * As the database compares them, which writes some letters small in another way than we would, and another one
 * in another locale; and of several customers with one e-mail the first that the company had.
 */
function lookUpEmails(tx: Transaction, companyId: string, typed: string[]) {
  return runNamedStatement<{ typed: string; email: string; id: string | null }>(
    tx,
    'look_up_customer_emails',
    `select typed, lower(typed) as email,
      (select id from customers where company_id = $1 and lower(email) = lower(typed) and anonymized_at is null
        order by id limit 1) as id
    from unnest($2::text[]) as typed`,
    [companyId, typed],
  )
}

function buildCustomerRow(
  companyId: string,
  { name, email, taxId }: Person,
  now: Date,
): CustomerRow {
  const at = now.toISOString()
  return {
    ...{ id: newId(), companyId, name, email, taxId, phone: null },
    ...{ anonymizedAt: null, createdAt: at, updatedAt: at },
  }
}

function getTypedEmail({ email }: Person) {
  return email ?? ''
}
