// The customers of many things that are made at once, such as the links of a file: those that the company
// knows, and the others made.

import type { Transaction } from '../database/connect.ts'
import { and, asc, eq, inArray, isNull, sql } from '../database/drizzle.ts'
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
  return people.map(({ email, taxId }) =>
    requireFound(taxId ? byTaxId.get(taxId) : byEmail.get(normalizeEmail(email))),
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
  // Of several with one e-mail the first is made.
  const wanted = new Map(
    people
      .toReversed()
      .filter(({ taxId }) => !taxId)
      .map((person) => [normalizeEmail(person.email), person] as const),
  )
  if (wanted.size === 0) return new Map<string, string>()
  const known = await findByEmail(tx, companyId, [...wanted.keys()])
  const missing = [...wanted].filter(([email]) => !known.has(email))
  const made = missing.map(([, person]) => buildCustomerRow(companyId, person, now))
  if (made.length > 0) await tx.insert(customers).values(made)
  for (const { id, email } of made) known.set(normalizeEmail(email), id)
  return known
}

/** Of several with one e-mail the first that the company had. */
async function findByEmail(tx: Transaction, companyId: string, emails: string[]) {
  const lower = sql<string>`lower(${customers.email})`
  const rows = await tx
    .selectDistinctOn([lower], { email: lower, id: customers.id })
    .from(customers)
    .where(
      and(
        eq(customers.companyId, companyId),
        inArray(lower, emails),
        isNull(customers.anonymizedAt),
      ),
    )
    .orderBy(lower, asc(customers.id))
  return new Map(rows.map(({ email, id }) => [email, id]))
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

function normalizeEmail(email: string | null) {
  return (email ?? '').toLowerCase()
}
