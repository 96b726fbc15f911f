// Files of links: a preview is written with its rows, shown, and confirmed once. Making the links is the
// work of run.ts.

import type { Person } from '../../customers/resolve.ts'
import { buildRecordset } from '../../database/bulk-insert.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { and, asc, desc, eq, gt, gte, isNotNull, lt, ne, or, sql } from '../../database/drizzle.ts'
import { isUuid, newId } from '../../database/id.ts'
import { runNamedStatement } from '../../database/statement.ts'
import { linkImportRows, linkImports, paymentLinks } from '../../database/tables.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { getRetentionStart, purgeRows } from '../../queue/purge.ts'
import type { NewPaymentLink } from '../schema.ts'

export const MAX_IMPORT_ROWS = 10_000
/** How long a file's outcome is kept, and a preview that nobody confirms. */
export const IMPORT_DAYS = 30
const DRAFT_DAYS = 1
const ROWS_A_STATEMENT = 1_000

export type LinkImport = typeof linkImports.$inferSelect

/** `field` as the API names it; those of the customer as `customer.name`; empty: the whole row. */
export type RowFault = { field: string; message: string }

export type JudgedRow = { line: number } & (
  | { kind: 'valid'; input: NewPaymentLink; customer: Person | null }
  | { kind: 'refused'; faults: RowFault[] }
)

type NewLinkImport = {
  companyId: string
  userId: string
  fileName: string
  isWindows1252: boolean
  rows: readonly JudgedRow[]
}

/** Nothing is made of it yet. What the same person had uploaded before and not confirmed goes. */
export async function createLinkImport(
  db: Database,
  { companyId, userId, fileName, isWindows1252, rows }: NewLinkImport,
  now: Date,
): Promise<LinkImport> {
  const valid = rows.flatMap((row) => (row.kind === 'valid' ? row.input.amountCents : []))
  const made: LinkImport = {
    ...{ id: newId(), companyId, userId, fileName, isWindows1252, status: 'draft' },
    ...{ rowCount: rows.length, createdCount: 0, refusedCount: rows.length - valid.length },
    amountCents: valid.reduce((sum, cents) => sum + cents, 0),
    ...{ workedAt: null, createdAt: now.toISOString() },
  }
  const { userId: owner, companyId: company, status } = linkImports
  await db.transaction(async (tx) => {
    const replaced = and(eq(company, companyId), eq(owner, userId), eq(status, 'draft'))
    await tx.delete(linkImports).where(replaced)
    await tx.insert(linkImports).values(made)
    for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
      await insertImportRows(tx, made.id, rows.slice(at, at + ROWS_A_STATEMENT))
    }
  })
  return made
}

type ConfirmResult =
  | { kind: 'confirmed'; linkImport: LinkImport }
  /** It was before, has nothing to be made, or was kept for too long. */
  | { kind: 'unchanged' }

export async function confirmLinkImport(
  db: Database,
  companyId: string,
  id: string,
  now: Date,
): Promise<ConfirmResult> {
  const { createdAt, status, rowCount, refusedCount } = linkImports
  const [linkImport] = await db
    .update(linkImports)
    .set({ status: 'running', workedAt: now.toISOString() })
    .where(
      and(
        eq(linkImports.id, id),
        eq(linkImports.companyId, companyId),
        eq(status, 'draft'),
        gt(rowCount, refusedCount),
        gte(createdAt, getRetentionStart(now, DRAFT_DAYS)),
      ),
    )
    .returning()
  return linkImport ? { kind: 'confirmed', linkImport } : { kind: 'unchanged' }
}

/** Undefined too once it is no longer kept. */
export async function findLinkImport(db: Database, companyId: string, id: string, now: Date) {
  if (!isUuid(id)) return undefined
  const [found] = await db
    .select()
    .from(linkImports)
    .where(and(eq(linkImports.id, id), eq(linkImports.companyId, companyId), or(...listKept(now))))
  return found
}

/** Up to `limit + 1`, newest first, from below `cursor`. Of previews those of this person alone. */
export async function listLinkImports(
  db: Database,
  { companyId, userId, now }: { companyId: string; userId: string; now: Date },
  { limit, cursor }: PageQuery,
): Promise<LinkImport[]> {
  return db
    .select()
    .from(linkImports)
    .where(
      and(
        eq(linkImports.companyId, companyId),
        lt(linkImports.id, cursor),
        or(...listKept(now)),
        or(ne(linkImports.status, 'draft'), eq(linkImports.userId, userId)),
      ),
    )
    .orderBy(desc(linkImports.id))
    .limit(limit + 1)
}

/** `refused`: those with faults. `created`: those that are links by now. */
type ImportRowKind = 'refused' | 'created' | 'pending'

type ImportRowQuery = { kind?: ImportRowKind; after: number; limit: number }

export type ImportRow = Awaited<ReturnType<typeof listImportRows>>[number]

/** In the order of the file, from below line `after`. */
export async function listImportRows(
  db: Database,
  importId: string,
  { kind, after, limit }: ImportRowQuery,
) {
  return db
    .select({
      line: linkImportRows.line,
      input: linkImportRows.input,
      customer: linkImportRows.customer,
      faults: linkImportRows.faults,
      linkId: linkImportRows.linkId,
      slug: paymentLinks.slug,
      title: paymentLinks.title,
      amountCents: paymentLinks.amountCents,
    })
    .from(linkImportRows)
    .leftJoin(paymentLinks, eq(paymentLinks.id, linkImportRows.linkId))
    .where(
      and(
        eq(linkImportRows.importId, importId),
        gt(linkImportRows.line, after),
        kind && ROWS_OF_KIND[kind],
      ),
    )
    .orderBy(asc(linkImportRows.line))
    .limit(limit)
}

/** One batch of what is kept no longer; what is being made stays. */
export async function purgeLinkImports(db: Database, now: Date) {
  const old = sql`status <> 'running' and not (${or(...listKept(now))})`
  const ofOld = sql`import_id in (select id from link_imports where ${old})`
  const purged = await purgeRows(db, linkImportRows, ofOld)
  return purged.kind === 'more' ? purged : purgeRows(db, linkImports, old)
}

const ROWS_OF_KIND = {
  refused: sql`${linkImportRows.faults} <> '[]'`,
  created: isNotNull(linkImportRows.linkId),
  pending: isNotNull(linkImportRows.input),
}

function listKept(now: Date) {
  const { createdAt, status } = linkImports
  const isDraft = eq(status, 'draft')
  return [
    and(isDraft, gte(createdAt, getRetentionStart(now, DRAFT_DAYS))),
    and(ne(status, 'draft'), gte(createdAt, getRetentionStart(now, IMPORT_DAYS))),
  ]
}

const INSERT_ROWS_SQL = `
insert into link_import_rows (import_id, line, input, customer, faults)
select $2::uuid, line, input, customer, faults
from ${buildRecordset(linkImportRows, ['line', 'input', 'customer', 'faults'])}`

async function insertImportRows(tx: Transaction, importId: string, rows: readonly JudgedRow[]) {
  const given = rows.map((row) =>
    row.kind === 'valid'
      ? { line: row.line, input: row.input, customer: row.customer, faults: [] }
      : { line: row.line, input: null, customer: null, faults: row.faults },
  )
  const values = [JSON.stringify(given), importId]
  await runNamedStatement(tx, 'insert_link_import_rows', INSERT_ROWS_SQL, values)
}
