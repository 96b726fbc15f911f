// Makes the links of files that were confirmed: a few hundred in one transaction, in which each row says
// which link it became. Whatever dies in between has made all of them or none, and whoever comes next goes on
// where the rows say. One process is at it at a time, held by a lock that ends with its transaction.

import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import { type Person, resolveCustomers } from '../../customers/resolve.ts'
import { type Database, getViolatedConstraint, type Transaction } from '../../database/connect.ts'
import { and, asc, eq, isNotNull, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { newId } from '../../database/id.ts'
import { LINK_IMPORT_LOCK } from '../../database/locks.ts'
import { companies, linkImportRows, linkImports } from '../../database/tables.ts'
import { toFieldErrors } from '../../http/zod.ts'
import { runInterval } from '../../queue/interval.ts'
import { insertLinks } from '../batch/create.ts'
import { findExpiryErrors, findMethodErrors } from '../field-errors.ts'
import { buildLinkRow, type LinkRow } from '../payment-link.ts'
import { NewPaymentLink } from '../schema.ts'
import { linkTexts } from '../texts.ts'
import type { LinkImport, RowFault } from './link-import.ts'

type ImporterNeeds = {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
}

const IMPORT_INTERVAL_MS = 1_000
const ROWS_A_TRANSACTION = 200

/** The answer stops it, after the transaction under way. */
export function startLinkImporter({ db, log, now }: ImporterNeeds) {
  const failure = 'links of a file cannot be made for now'
  return runInterval({ intervalMs: IMPORT_INTERVAL_MS, log, failure }, async () => {
    const worked = await makeImportedLinks(db, now())
    return worked.kind === 'worked'
  })
}

type WorkResult =
  | { kind: 'worked' }
  /** There is nothing to do, or another process is at it. */
  | { kind: 'idle' }

/** Some of the links of the file that has waited longest. */
export async function makeImportedLinks(db: Database, now: Date): Promise<WorkResult> {
  try {
    return await workChunk(db, now, { limit: ROWS_A_TRANSACTION })
  } catch (error) {
    if (getViolatedConstraint(error) === undefined) throw error
    return makeOneLink(db, now)
  }
}

/** What the database refuses and our rules do not is refused alone, and holds up no other. */
async function makeOneLink(db: Database, now: Date): Promise<WorkResult> {
  try {
    return await workChunk(db, now, { limit: 1 })
  } catch (error) {
    if (getViolatedConstraint(error) === undefined) throw error
    return workChunk(db, now, { limit: 1, isRefusing: true })
  }
}

type ChunkOptions = { limit: number; isRefusing?: boolean }

async function workChunk(db: Database, now: Date, { limit, isRefusing }: ChunkOptions) {
  return db.transaction(async (tx): Promise<WorkResult> => {
    const linkImport = await takeRunningImport(tx)
    if (!linkImport) return { kind: 'idle' }
    const rows = await readPendingRows(tx, linkImport.id, limit)
    const company = await readCompany(tx, linkImport.companyId)
    const outcomes = isRefusing
      ? rows.map(({ line }) => buildRefusal(line, [UNKNOWN_FAULT]))
      : await makeLinks(tx, company, rows, now)
    if (outcomes.length > 0) await recordOutcomes(tx, linkImport.id, outcomes)
    const created = outcomes.filter(({ linkId }) => linkId !== null).length
    await tx
      .update(linkImports)
      .set({
        createdCount: sql`created_count + ${created}`,
        refusedCount: sql`refused_count + ${outcomes.length - created}`,
        workedAt: now.toISOString(),
        ...(rows.length === 0 && { status: 'done' as const }),
      })
      .where(eq(linkImports.id, linkImport.id))
    return { kind: 'worked' }
  })
}

/** Until the transaction ends no other process finds any. */
async function takeRunningImport(tx: Transaction): Promise<LinkImport | undefined> {
  const lock = sql`select pg_try_advisory_xact_lock(${LINK_IMPORT_LOCK}) as taken`
  const { rows } = await tx.execute<{ taken: boolean }>(lock)
  if (!requireFound(rows[0]).taken) return undefined
  const [waiting] = await tx
    .select()
    .from(linkImports)
    .where(eq(linkImports.status, 'running'))
    .orderBy(asc(linkImports.workedAt))
    .limit(1)
  return waiting
}

type PendingRow = Pick<typeof linkImportRows.$inferSelect, 'line' | 'input' | 'customer'>

async function readPendingRows(
  tx: Transaction,
  importId: string,
  limit: number,
): Promise<PendingRow[]> {
  const { line, input, customer } = linkImportRows
  return tx
    .select({ line, input, customer })
    .from(linkImportRows)
    .where(and(eq(linkImportRows.importId, importId), isNotNull(input)))
    .orderBy(asc(line))
    .limit(limit)
}

async function readCompany(tx: Transaction, id: string): Promise<Company> {
  const [company] = await tx.select().from(companies).where(eq(companies.id, id))
  return requireFound(company)
}

type RowOutcome = { line: number; linkId: string | null; faults: RowFault[] }

/** What was valid when it was shown is judged once more: a day may have passed, or a provider gone. */
async function makeLinks(
  tx: Transaction,
  company: Company,
  rows: readonly PendingRow[],
  now: Date,
): Promise<RowOutcome[]> {
  const judged = rows.map((row) => ({ line: row.line, ...judgeAgain(company, row, now) }))
  const valid = judged.flatMap((one) => (one.kind === 'valid' ? one : []))
  const people = valid.flatMap(({ person }) => person ?? [])
  const customerIds = await resolveCustomers(tx, company.id, people, now)
  const idOf = new Map(people.map((person, i) => [person, customerIds[i]]))
  const links = valid.map(({ line, input, person }) => {
    const linkedCustomerId = person && idOf.get(person)
    return {
      line,
      row: buildLinkRow(company, { ...input, linkedCustomerId }, { id: newId(), now }),
    }
  })
  const written = await insertLinks(
    tx,
    links.map(({ row }) => row),
  )
  return [
    ...judged.flatMap((one) => (one.kind === 'refused' ? buildRefusal(one.line, one.faults) : [])),
    // One whose slug was taken again and again stays as it is, for the next time.
    ...links.filter(({ row }) => written.has(row.id)).map(toCreated),
  ]
}

/** As the row keeps it; it was judged when it was read. */
const ImportedPerson = z.object({
  name: z.string(),
  email: z.string().nullable(),
  taxId: z.string().nullable(),
}) satisfies z.ZodType<Person>

const UNKNOWN_FAULT = { field: '', message: linkTexts.importRefused }

type JudgedAgain =
  | { kind: 'valid'; input: NewPaymentLink; person: Person | null }
  | { kind: 'refused'; faults: RowFault[] }

function judgeAgain(company: Company, row: PendingRow, now: Date): JudgedAgain {
  const { data: input, error } = NewPaymentLink.safeParse(row.input)
  if (!input) return { kind: 'refused', faults: toFieldErrors(error).map(toRowFault) }
  const faults = [
    ...findMethodErrors(company, input.methods),
    ...findExpiryErrors(input.expiresAt, now),
  ]
  if (faults.length > 0) return { kind: 'refused', faults: faults.map(toRowFault) }
  return { kind: 'valid', input, person: row.customer && ImportedPerson.parse(row.customer) }
}

function toRowFault({ field, message }: RowFault): RowFault {
  return { field, message }
}

function buildRefusal(line: number, faults: RowFault[]): RowOutcome {
  return { line, linkId: null, faults }
}

function toCreated({ line, row }: { line: number; row: LinkRow }): RowOutcome {
  return { line, linkId: row.id, faults: [] }
}

async function recordOutcomes(tx: Transaction, importId: string, outcomes: RowOutcome[]) {
  await tx.execute(sql`
    update link_import_rows
    set link_id = given."linkId", faults = given.faults, input = null, customer = null
    from json_to_recordset(${JSON.stringify(outcomes)}::json)
      as given (line integer, "linkId" uuid, faults jsonb)
    where import_id = ${importId} and link_import_rows.line = given.line`)
}
