// Rows of a file that are links already, are being made, or stand in the file twice: by the same reference, or
// by title, price and person where not each has a reference of its own. They are made only when ticked by hand.

import type { Database } from '../../database/connect.ts'
import { and, eq, isNotNull, or, sql } from '../../database/drizzle.ts'
import { linkImportRows, linkImports } from '../../database/tables.ts'
import { formatDay } from '../../format.ts'
import { linkTexts } from '../texts.ts'
import type { JudgedRow, RowFault } from './link-import.ts'

/** What tells one row from another; `person` by document, or by e-mail without one. */
type Content = {
  title: string
  amountCents: number
  reference: string | null
  taxId: string | null
  email: string | null
}
type Row = Content & { line: number }

const words = linkTexts.repeated

/** What stands against each such row, by its line. */
export async function findRepeatedRows(
  db: Database,
  companyId: string,
  rows: readonly JudgedRow[],
): Promise<Map<number, RowFault>> {
  const valid = rows.flatMap((row) => (row.kind === 'valid' ? toRow(row) : []))
  const [known, pending] = await Promise.all([
    listKnownLinks(db, companyId, valid),
    listPendingContents(db, companyId),
  ])
  const seen = createSeen()
  for (const content of pending) seen.add(content, words.pending)
  const faults = new Map<number, RowFault>()
  for (const row of valid) {
    const link = known.get(row.line)
    const message = link?.message ?? seen.find(row)
    if (message !== undefined) {
      const field = row.reference === null ? 'title' : 'externalReference'
      faults.set(row.line, { field, message, isRepeated: true, ...(link && { linkId: link.id }) })
    }
    seen.add(row, words.line(row.line))
  }
  return faults
}

/** Those that wait to be ticked; of a file that is confirmed those that were not. */
export async function countRepeatedRows(db: Database, importId: string) {
  const { importId: id, input, faults } = linkImportRows
  const isRepeated = sql`${faults} @> '[{"isRepeated": true}]'`
  return db.$count(
    linkImportRows,
    and(eq(id, importId), sql`${faults} <> '[]'`, or(isNotNull(input), isRepeated)),
  )
}

function toRow({ line, input, customer }: JudgedRow & { kind: 'valid' }): Row {
  const { title, amountCents, externalReference } = input
  const { taxId = null, email = null } = customer ?? {}
  return { line, title, amountCents, reference: externalReference || null, taxId, email }
}

/** Rows by what is alike in them; each with what is said of a later one. */
function createSeen() {
  const byReference = new Map<string, string>()
  const byContent = new Map<string, string>()
  /** Of those without a reference alone. */
  const byBareContent = new Map<string, string>()
  return {
    find(row: Content) {
      const alike = row.reference === null ? byContent : byBareContent
      return byReference.get(row.reference ?? '') ?? alike.get(toContentKey(row))
    },
    add(row: Content, message: string) {
      const key = toContentKey(row)
      if (!byContent.has(key)) byContent.set(key, message)
      if (row.reference === null && !byBareContent.has(key)) byBareContent.set(key, message)
      if (row.reference !== null && !byReference.has(row.reference)) {
        byReference.set(row.reference, message)
      }
    },
  }
}

function toContentKey({ title, amountCents, taxId, email }: Content) {
  return JSON.stringify([title.toLowerCase(), amountCents, taxId ?? email?.toLowerCase() ?? null])
}

/** Of files whose links are being made. */
async function listPendingContents(db: Database, companyId: string): Promise<Content[]> {
  const { input, customer } = linkImportRows
  const text = (column: typeof input | typeof customer, key: string) =>
    sql<string | null>`nullif(${column} ->> ${key}, '')`
  return db
    .select({
      title: sql<string>`${input} ->> 'title'`,
      amountCents: sql<number>`(${input} ->> 'amountCents')::int`,
      reference: text(input, 'externalReference'),
      taxId: text(customer, 'taxId'),
      email: text(customer, 'email'),
    })
    .from(linkImportRows)
    .innerJoin(linkImports, eq(linkImports.id, linkImportRows.importId))
    .where(
      and(
        eq(linkImports.companyId, companyId),
        eq(linkImports.status, 'running'),
        isNotNull(input),
      ),
    )
}

type KnownLink = { id: string; message: string }

/** One of the company's links for each row that has one, by its line; those in the archive do not count. */
async function listKnownLinks(db: Database, companyId: string, rows: readonly Row[]) {
  const live = sql`company_id = ${companyId} and status <> 'archived'`
  const { rows: found } = await db.execute<{
    line: number
    id: string
    day: string
    byReference: boolean
  }>(sql`
    with given as materialized (
      select given.*, case
        when "taxId" is not null then (
          select id from customers where company_id = ${companyId} and tax_id = "taxId"
        )
        else (
          select id from customers
          where company_id = ${companyId} and lower(email) = lower(given.email) and anonymized_at is null
          order by id limit 1
        )
      end as customer
      from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (line int, title text, "amountCents" int, reference text, "taxId" text, email text)
    ),
    -- One probe for all rows that are alike, however many links have their title.
    nobodys as (
      select fold(title) as title, "amountCents", reference is null as bare, array_agg(line) as lines
      from given where "taxId" is null and email is null group by 1, 2, 3
    )
    select line, link.id, link.created_at as day, true as "byReference"
    from given cross join lateral (
      select id, created_at from payment_links
      where ${live} and external_reference = given.reference limit 1
    ) link
    union all
    select line, link.id, link.created_at, false
    from given cross join lateral (
      select id, created_at from payment_links
      where ${live} and linked_customer_id = given.customer and fold(title) = fold(given.title)
        and amount_cents = "amountCents" and (given.reference is null or external_reference is null)
      limit 1
    ) link
    union all
    select unnest(lines), link.id, link.created_at, false
    from nobodys cross join lateral (
      select id, created_at from payment_links
      where ${live} and linked_customer_id is null and fold(title) collate "C" = nobodys.title
        and amount_cents = "amountCents" and (bare or external_reference is null)
      limit 1
    ) link`)
  const known = new Map<number, KnownLink>()
  for (const { line, id, day, byReference } of found) {
    const describe = byReference ? words.reference : words.content
    if (!known.has(line)) known.set(line, { id, message: describe(formatDay(day)) })
  }
  return known
}
