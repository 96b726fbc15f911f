// Reads a file of links completely: either every row with its result, or the reasons why the rows cannot be read.
import type { Company } from '../../companies/company.ts'
import { findKnownCustomers } from '../../customers/resolve.ts'
import type { Database } from '../../database/connect.ts'
import { MAX_IMPORT_LINKS } from '../../payment-links/batch/import.ts'
import { readHeader } from './columns.ts'
import { decodeCsv, parseCsv } from './csv.ts'
import { type CheckedRow, checkRow, readCells, readPerson } from './row.ts'
import { linkImportTexts } from './texts.ts'

const MEGABYTE = 1_048_576
const MAX_MEGABYTES = 5
export const IMPORT_FILE_BYTES = MAX_MEGABYTES * MEGABYTE

export type ReadFile = {
  kind: 'read'
  rows: CheckedRow[]
  /** Columns that are ignored. */
  leftOut: string[]
  isWindows1252: boolean
}

type ReadFileResult = ReadFile | { kind: 'refused'; messages: string[] }

export async function readLinkFile(
  db: Database,
  bytes: Buffer,
  { company, now }: { company: Company; now: Date },
): Promise<ReadFileResult> {
  const words = linkImportTexts.files
  if (bytes.length > IMPORT_FILE_BYTES) return refuseFile(words.tooBig(MAX_MEGABYTES))
  const decoded = decodeCsv(bytes)
  if (decoded.kind === 'refused') return refuseFile(decoded.message)
  // One row more than allowed, to notice a file that is too long, and the header.
  const parsed = parseCsv(decoded.text, MAX_IMPORT_LINKS + 2)
  if (parsed.kind !== 'parsed') return refuseFile(words[parsed.kind](parsed.line))
  const [header, ...records] = parsed.records
  if (!header) return refuseFile(words.empty)
  const read = readHeader(header.cells)
  if (read.kind === 'refused') return read
  if (records.length === 0) return refuseFile(words.noRows)
  if (records.length > MAX_IMPORT_LINKS) return refuseFile(words.tooManyRows(MAX_IMPORT_LINKS))
  const { indexes, width, names, leftOut } = read
  const context = { company, indexes, width, names, separator: parsed.separator, now }
  const people = records.map(({ cells }) => readPerson(readCells(cells, indexes)))
  const known = await findKnownCustomers(db, company.id, people)
  const rows = records.map((record, i) => checkRow(record, known[i]?.name ?? null, context))
  return { kind: 'read', rows, leftOut, isWindows1252: decoded.isWindows1252 }
}

function refuseFile(message: string): ReadFileResult {
  return { kind: 'refused', messages: [message] }
}
