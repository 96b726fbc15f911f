// Creates the links of a file that a person has seen and confirmed: all in one transaction, or none.

import type { Company } from '../../companies/company.ts'
import { type Person, resolveCustomers } from '../../customers/resolve.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { and, eq, gte, lte, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { deriveIds } from '../../database/id.ts'
import { LINK_IMPORT_LOCK } from '../../database/locks.ts'
import { paymentLinks } from '../../database/tables.ts'
import { validateNewLink } from '../field-errors.ts'
import { buildLinkRow } from '../payment-link.ts'
import type { NewPaymentLink } from '../schema.ts'
import { insertLinks } from './create.ts'

export const MAX_IMPORT_LINKS = 1_000
/** Keeps each statement below the time limit (database/session.ts), even with long rows. */
const LINKS_PER_STATEMENT = 200

/** One row of the file; `line` is its number in a spreadsheet. */
export type ImportedLink = { line: number; input: NewPaymentLink; customer: Person | null }

type ImportResult =
  /** Created by this call, or by an earlier one with the same id and as many links. */
  | { kind: 'created' }
  /** An earlier call created `made` other links of the file. */
  | { kind: 'madeBefore'; made: number }
  /** Rows that were valid when shown are not any more: a day has passed, or a provider was removed. */
  | { kind: 'refused'; faults: { line: number; message: string }[] }

/**
 * A second call with the same `id` creates nothing twice.
 * @param recordMade writes more in the transaction that creates the links
 */
export async function createImportedLinks(
  db: Database,
  company: Company,
  { id, links }: { id: string; links: readonly ImportedLink[] },
  now: Date,
  recordMade: (tx: Transaction) => Promise<void>,
): Promise<ImportResult> {
  return db.transaction(async (tx) => {
    // Files of a company are created one after another, so that a file sent twice, and equal customers, wait here.
    await tx.execute(
      sql`select pg_advisory_xact_lock(${LINK_IMPORT_LOCK}, hashtext(${company.id}))`,
    )
    const made = await tx.$count(
      paymentLinks,
      and(eq(paymentLinks.companyId, company.id), isOfImport(id)),
    )
    if (made === links.length) return { kind: 'created' }
    if (made > 0) return { kind: 'madeBefore', made }
    const faults = links.flatMap((link) => findFaults(company, link, now))
    if (faults.length > 0) return { kind: 'refused', faults }
    await insertImportedLinks(tx, company, { id, links }, now)
    await recordMade(tx)
    return { kind: 'created' }
  })
}

/** The links of a file have consecutive ids (deriveIds). */
export function isOfImport(id: string) {
  const start = id.slice(0, -3)
  return and(gte(paymentLinks.id, `${start}000`), lte(paymentLinks.id, `${start}fff`))
}

function findFaults(company: Company, { line, input }: ImportedLink, now: Date) {
  const [first] = validateNewLink(company, input, { linkable: new Map(), now })
  return first ? [{ line, message: first.message }] : []
}

async function insertImportedLinks(
  tx: Transaction,
  company: Company,
  { id, links }: { id: string; links: readonly ImportedLink[] },
  now: Date,
) {
  const people = links.flatMap(({ customer }) => customer ?? [])
  const customerIds = await resolveCustomers(tx, company.id, people, now)
  const idOf = new Map(people.map((person, i) => [person, customerIds[i]]))
  const ids = deriveIds(id, links.length)
  const rows = links.map(({ input, customer }, i) => {
    const linkedCustomerId = customer && idOf.get(customer)
    return buildLinkRow(company, { ...input, linkedCustomerId }, { id: requireFound(ids[i]), now })
  })
  for (let at = 0; at < rows.length; at += LINKS_PER_STATEMENT) {
    const some = rows.slice(at, at + LINKS_PER_STATEMENT)
    const written = await insertLinks(tx, some)
    if (written.size < some.length)
      throw new Error('Links of a file have ids or slugs that are taken')
  }
}
