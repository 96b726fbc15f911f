// The customers of many things that are made at once, such as the links of a file: those that the company
// knows, and the others made.

import type { Transaction } from '../database/connect.ts'
import { and, eq, inArray, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { newId } from '../database/id.ts'
import { customers } from '../database/tables.ts'
import { type CustomerRow, withWords } from './customer.ts'

/** By the document where there is one, by the e-mail where there is none. */
export type Person = { name: string; email: string | null; taxId: string | null }

const MAX_LOOKUPS = 3

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
  const note = (rows: { id: string; taxId: string | null }[]) => {
    for (const { id, taxId } of rows) if (taxId !== null) known.set(taxId, id)
  }
  const columns = { id: customers.id, taxId: customers.taxId }
  let left = new Map(people.flatMap((person) => (person.taxId ? [[person.taxId, person]] : [])))
  // Again only where somebody else makes one of them after ours looked for it.
  for (let tries = 0; left.size > 0 && tries < MAX_LOOKUPS; tries++) {
    const isTheirs = and(
      eq(customers.companyId, companyId),
      inArray(customers.taxId, [...left.keys()]),
    )
    note(await tx.select(columns).from(customers).where(isTheirs))
    const missing = [...left.values()].filter(({ taxId }) => taxId && !known.has(taxId))
    if (missing.length === 0) break
    const made = missing.map((person) => buildCustomerRow(companyId, person, now))
    note(
      await tx
        .insert(customers)
        .values(made.map(withWords))
        .onConflictDoNothing({ target: [customers.companyId, customers.taxId] })
        .returning(columns),
    )
    left = new Map([...left].filter(([taxId]) => !known.has(taxId)))
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
  if (made.length > 0) await tx.insert(customers).values(made.map(withWords))
  return idByTyped
}

/**
 * As the database compares them, which writes some letters small in another way than we would, and another one
 * in another locale; and of several customers with one e-mail the first that the company had.
 */
async function lookUpEmails(tx: Transaction, companyId: string, typed: string[]) {
  const { rows } = await tx.execute<{ typed: string; email: string; id: string | null }>(sql`
    select typed, lower(typed) as email,
      (select id from customers
        where company_id = ${companyId} and lower(email) = lower(typed) and anonymized_at is null
        order by id limit 1) as id
    from unnest(${sql.param(typed)}::text[]) as typed`)
  return rows
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
