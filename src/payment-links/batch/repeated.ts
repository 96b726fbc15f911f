// Finds rows of a file that seem to exist as links already, or are in the file twice: with the same reference, or
// without one the same title, price and person. Such rows are created only when they are ticked.

import { findKnownCustomers } from '../../customers/resolve.ts'
import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { MIN_UUID } from '../../database/id.ts'
import { formatDay } from '../../format.ts'
import { linkTexts } from '../texts.ts'
import type { ImportedLink } from './import.ts'

/** The warning about a row, and the existing link. */
export type Repetition = { message: string; linkId: string | null }

type Row = {
  line: number
  title: string
  amountCents: number
  reference: string | null
  /** The person's document, or else e-mail. */
  person: string | null
}

const words = linkTexts.repeated

/** Returns the repetitions by the line of their row. */
export async function findRepeatedRows(
  db: Database,
  companyId: string,
  links: readonly ImportedLink[],
): Promise<Map<number, Repetition>> {
  const known = await listKnownLinks(db, companyId, links)
  return new Map([...listAlikeRows(links.map(toRow)), ...known])
}

function toRow({ line, input, customer }: ImportedLink): Row {
  const { title, amountCents, externalReference } = input
  const person = customer && (customer.taxId ?? customer.email?.toLowerCase() ?? null)
  return { line, title, amountCents, reference: externalReference || null, person }
}

/** Lists rows that are like an earlier one. */
function listAlikeRows(rows: readonly Row[]) {
  const lines = new Map<string, number>()
  const alike: [line: number, Repetition][] = []
  for (const row of rows) {
    const { own, other, content } = buildKeys(row)
    const line = lines.get(own) ?? lines.get(other)
    if (line !== undefined) alike.push([row.line, { message: words.line(line), linkId: null }])
    for (const key of [own, content]) lines.set(key, lines.get(key) ?? row.line)
  }
  return alike
}

/** A row is like an earlier one if one of its keys is equal. */
function buildKeys({ title, amountCents, person, reference }: Row) {
  const content = JSON.stringify([title.toLowerCase(), amountCents, person])
  const unreferenced = `no reference, ${content}`
  return reference === null
    ? { own: unreferenced, other: content, content }
    : { own: `reference ${reference}`, other: unreferenced, content }
}

/** Finds one link of the company for each row, if there is one; archived links do not count. */
async function listKnownLinks(
  db: Database,
  companyId: string,
  links: readonly ImportedLink[],
): Promise<[line: number, Repetition][]> {
  const people = links.flatMap(({ customer }) => customer ?? [])
  const customers = await findKnownCustomers(db, companyId, people)
  const idOf = new Map(people.map((person, i) => [person, customers[i]?.id ?? null]))
  const given = links.map((link) => {
    const { line, title, amountCents, reference } = toRow(link)
    const customer = link.customer ? idOf.get(link.customer) : MIN_UUID
    return { line, title, amountCents, reference, customer }
  })
  const live = sql`company_id = ${companyId} and status <> 'archived'`
  const { rows } = await db.execute<{
    line: number
    id: string
    day: string
    byReference: boolean
  }>(sql`
    with given as materialized (
      select line, fold(title) as title, "amountCents", reference, customer
      from json_to_recordset(${JSON.stringify(given)}::json) as given
        (line int, title text, "amountCents" int, reference text, customer uuid)
    ),
    -- One link of each kind, however many are alike.
    known as (
      select distinct on (1, 2, 3, 4) wanted.title, "amountCents", customer, external_reference is null as bare,
        link.id, link.created_at
      from (select distinct title, "amountCents", customer from given) wanted
      join (select * from payment_links where ${live}) link
        on fold(link.title) = wanted.title and amount_cents = "amountCents"
          and coalesce(linked_customer_id, ${MIN_UUID}) = customer
    )
    select distinct on (line) line, id, created_at as day, "byReference"
    from (
      select line, link.id, created_at, true as "byReference"
      from given cross join lateral (
        select id, created_at from payment_links
        where ${live} and external_reference = given.reference limit 1
      ) link
      union all
      select line, id, created_at, false
      from given join known using (title, "amountCents", customer)
      where reference is null or bare
    ) alike
    order by line, "byReference" desc`)
  return rows.map(({ line, id, day, byReference }) => {
    const describe = byReference ? words.reference : words.content
    return [line, { message: describe(formatDay(day)), linkId: id }]
  })
}
