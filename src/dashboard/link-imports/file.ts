// A file of links, read to its end: either every row with what it is or what is wrong with it, or all that
// keeps its rows from being read.

import { setImmediate as yieldTurn } from 'node:timers/promises'
import type { Company } from '../../companies/company.ts'
import { type JudgedRow, MAX_IMPORT_ROWS } from '../../payment-links/import/link-import.ts'
import { readHeader } from './columns.ts'
import { decodeCsv } from './decode.ts'
import { parseCsv } from './parse.ts'
import { judgeRow } from './row.ts'
import { linkImportTexts } from './texts.ts'

const MEGABYTE = 1_048_576
const MAX_MEGABYTES = 5
export const IMPORT_FILE_BYTES = MAX_MEGABYTES * MEGABYTE
/** Others have their turn after so many. */
const ROWS_A_TURN = 200

type ReadFileResult =
  | { kind: 'read'; rows: JudgedRow[]; leftOut: string[]; isWindows1252: boolean }
  | { kind: 'refused'; messages: string[] }

type FileContext = { company: Company; now: Date }

export async function readLinkFile(
  bytes: Buffer,
  { company, now }: FileContext,
): Promise<ReadFileResult> {
  const words = linkImportTexts.files
  if (bytes.length > IMPORT_FILE_BYTES) return refuseFile(words.tooBig(MAX_MEGABYTES))
  const decoded = decodeCsv(bytes)
  if (decoded.kind === 'refused') return refuseFile(decoded.message)
  // One more than may be, to be told from as many as may be, and the header.
  const parsed = parseCsv(decoded.text, MAX_IMPORT_ROWS + 2)
  if (parsed.kind === 'broken') return refuseFile(words.broken(parsed.line))
  const [header, ...records] = parsed.records
  if (!header) return refuseFile(words.empty)
  const read = readHeader(header.cells)
  if (read.kind === 'refused') return read
  if (records.length === 0) return refuseFile(words.noRows)
  if (records.length > MAX_IMPORT_ROWS) {
    return refuseFile(words.tooManyRows(MAX_IMPORT_ROWS.toLocaleString('pt-BR')))
  }
  const { places, width, leftOut } = read
  const context = { company, places, width, separator: parsed.separator, now }
  const rows: JudgedRow[] = []
  for (const record of records) {
    rows.push(judgeRow(record, context))
    if (rows.length % ROWS_A_TURN === 0) await yieldTurn()
  }
  return { kind: 'read', rows, leftOut, isWindows1252: decoded.isWindows1252 }
}

function refuseFile(message: string): ReadFileResult {
  return { kind: 'refused', messages: [message] }
}
