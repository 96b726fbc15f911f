// Files of links: a preview is written with its rows, shown, and confirmed once. Making the links is the
// work of run.ts.

import type { Person } from '../../customers/resolve.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  lt,
  ne,
  or,
  sql,
} from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { isUuid, newId } from '../../database/id.ts'
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

/**
 * `field` as the API names it; those of the customer as `customer.name`; empty: the whole row. `linkId`: the
 * link that the row seems to be already. `isRepeated`: nothing is wrong with the row, which waited to be ticked.
 */
export type RowFault = { field: string; message: string; linkId?: string; isRepeated?: true }

/** `typedTaxId`: the document as the file has it, without the zeros that it begins with. */
export type ImportedPerson = Person & { typedTaxId?: string }

export type JudgedRow = { line: number } & (
  | { kind: 'valid'; input: NewPaymentLink; customer: ImportedPerson | null }
  | { kind: 'refused'; faults: RowFault[] }
)

type NewLinkImport = {
  companyId: string
  userId: string
  fileName: string
  isWindows1252: boolean
  leftOut: string[]
  rows: readonly JudgedRow[]
  /** What stands against rows that seem to be links already, by their lines (repeated.ts). */
  repeated: ReadonlyMap<number, RowFault>
}

/** Nothing is made of it yet. What the same person had uploaded before and not confirmed goes. */
export async function createLinkImport(
  db: Database,
  { rows, repeated, ...file }: NewLinkImport,
  now: Date,
): Promise<LinkImport> {
  const valid = rows.flatMap((row) =>
    row.kind === 'valid' && !repeated.has(row.line) ? row.input.amountCents : [],
  )
  const made: LinkImport = {
    ...{ ...file, id: newId(), status: 'draft' },
    ...{ rowCount: rows.length, createdCount: 0, refusedCount: rows.length - valid.length },
    amountCents: valid.reduce((sum, cents) => sum + cents, 0),
    ...{ workedAt: null, createdAt: now.toISOString() },
  }
  const { userId: owner, companyId: company, status } = linkImports
  await db.transaction(async (tx) => {
    const own = and(eq(company, file.companyId), eq(owner, file.userId))
    const replaced = and(own, eq(status, 'draft'))
    await tx.delete(linkImports).where(replaced)
    await tx.insert(linkImports).values(made)
    for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
      const chunk = rows.slice(at, at + ROWS_A_STATEMENT)
      await insertImportRows(tx, made.id, chunk, repeated)
    }
  })
  return made
}

type ConfirmResult =
  | { kind: 'confirmed'; linkImport: LinkImport }
  /** It was before, has nothing to be made, or was kept for too long. */
  | { kind: 'unchanged' }

/** Of the rows that seem to be links already, those that are made all the same. */
export type TickedRows = 'all' | readonly number[]

export async function confirmLinkImport(
  db: Database,
  { companyId, id, ticked }: { companyId: string; id: string; ticked: TickedRows },
  now: Date,
): Promise<ConfirmResult> {
  return db.transaction(async (tx) => {
    const { createdAt, status } = linkImports
    const isTheirs = and(eq(linkImports.id, id), eq(linkImports.companyId, companyId))
    const isKept = gte(createdAt, getRetentionStart(now, DRAFT_DAYS))
    const [draft] = await tx
      .select()
      .from(linkImports)
      .where(and(isTheirs, eq(status, 'draft'), isKept))
      .for('update')
    if (!draft) return { kind: 'unchanged' }
    const rest = and(eq(linkImportRows.importId, id), ROWS_OF_KIND.repeated)
    const hasRepeated = (await tx.$count(linkImportRows, rest)) > 0
    const refusedCount = draft.refusedCount - (hasRepeated ? await tickRows(tx, id, ticked) : 0)
    if (refusedCount === draft.rowCount) return { kind: 'unchanged' }
    if (hasRepeated) {
      await tx.update(linkImportRows).set({ input: null, customer: null }).where(rest)
    }
    const [linkImport] = await tx
      .update(linkImports)
      .set({ status: 'running', refusedCount, workedAt: now.toISOString() })
      .where(eq(linkImports.id, id))
      .returning()
    return { kind: 'confirmed', linkImport: requireFound(linkImport) }
  })
}

/** They are like all others from then on; answers how many they are. */
async function tickRows(tx: Transaction, importId: string, ticked: TickedRows) {
  if (ticked !== 'all' && ticked.length === 0) return 0
  const { line } = linkImportRows
  const chosen = ticked === 'all' ? undefined : inArray(line, [...ticked])
  const rows = await tx
    .update(linkImportRows)
    .set({ faults: [] })
    .where(and(eq(linkImportRows.importId, importId), ROWS_OF_KIND.repeated, chosen))
    .returning({ line })
  return rows.length
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

/**
 * `refused`: those with faults. `repeated`: those that seem to be links already, and wait to be ticked.
 * `created`: those that are links by now.
 */
type ImportRowKind = 'refused' | 'repeated' | 'created' | 'pending'

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
  refused: sql`${linkImportRows.faults} <> '[]' and ${linkImportRows.input} is null`,
  repeated: sql`${linkImportRows.faults} <> '[]' and ${linkImportRows.input} is not null`,
  created: isNotNull(linkImportRows.linkId),
  pending: sql`${linkImportRows.faults} = '[]' and ${linkImportRows.input} is not null`,
}

function listKept(now: Date) {
  const { createdAt, status } = linkImports
  const isDraft = eq(status, 'draft')
  return [
    and(isDraft, gte(createdAt, getRetentionStart(now, DRAFT_DAYS))),
    and(ne(status, 'draft'), gte(createdAt, getRetentionStart(now, IMPORT_DAYS))),
  ]
}

async function insertImportRows(
  tx: Transaction,
  importId: string,
  rows: readonly JudgedRow[],
  repeated: ReadonlyMap<number, RowFault>,
) {
  const given = rows.map((row) => {
    const { line } = row
    if (row.kind === 'refused') return { importId, line, faults: row.faults }
    const fault = repeated.get(line)
    const { input, customer } = row
    return { importId, line, input, customer, faults: fault ? [fault] : [] }
  })
  await tx.insert(linkImportRows).values(given)
}
