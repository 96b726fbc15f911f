// Reads the bytes of a CSV file: UTF-8 with or without a byte order mark, UTF-16 with one ("Texto Unicode" of Excel), or
// Windows-1252, which Excel writes in Brazil; then RFC 4180 with `;`, `,`, tabs or `|`. Other content is refused with
// advice. It is written by hand: `csv-parse` either refuses `5" de tela`, or lets a cell with a misplaced quote go on
// over the rows below it, which would then be missing.
import { linkImportTexts } from './texts.ts'

type DecodeResult =
  | { kind: 'decoded'; text: string; isWindows1252: boolean }
  | { kind: 'refused'; message: string }

/** The first bytes of new and old Excel files. */
const WORKBOOK_STARTS = ['504b0304', 'd0cf11e0']
/** Encodings by their byte order marks. */
const UTF_16 = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
])
const NUL = 0

export function decodeCsv(bytes: Buffer): DecodeResult {
  const words = linkImportTexts.files
  const start = bytes.toString('hex', 0, 4)
  if (bytes.length === 0) return refuseBytes(words.empty)
  if (WORKBOOK_STARTS.includes(start)) return refuseBytes(words.workbook)
  const utf16 = UTF_16.get(start.slice(0, 4))
  if (utf16)
    return { kind: 'decoded', text: new TextDecoder(utf16).decode(bytes), isWindows1252: false }
  if (bytes.includes(NUL)) return refuseBytes(words.noText)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { kind: 'decoded', text, isWindows1252: false }
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes)
    return { kind: 'decoded', text, isWindows1252: true }
  }
}

function refuseBytes(message: string): DecodeResult {
  return { kind: 'refused', message }
}

/** `line` counts rows as a spreadsheet does, from 1, even if cells contain line breaks. */
export type CsvRecord = { line: number; cells: string[] }

type ParseResult =
  | { kind: 'parsed'; separator: Separator; records: CsvRecord[] }
  /** A quote that never ends, or that ends before its cell does. */
  | { kind: 'broken'; line: number }
  /** A row with more cells than any spreadsheet has. */
  | { kind: 'tooWide'; line: number }

const SEPARATORS = [';', ',', '\t', '|'] as const
/** The line in which a file names its separator for Excel; spreadsheets do not show it. */
const SEPARATOR_LINE = /^\s*"?sep=([;,\t|])"?[ \t]*(?:\r\n|\r|\n|$)/i
/** As many as Excel has columns. Millions of cells would hold up all other requests for seconds. */
const MAX_CELLS = 16_384
const QUOTE = '"'
const CELL_ENDS = {
  ';': /[^;\r\n]*/y,
  ',': /[^,\r\n]*/y,
  '\t': /[^\t\r\n]*/y,
  '|': /[^|\r\n]*/y,
}
/** The form in which our own tables mark digits as text (http/tables/csv.ts). */
const MARKED_TEXT = /^="([^"]*)"$/
const LINE_END = /\r\n|\r|\n|$/y

export type Separator = (typeof SEPARATORS)[number]

/** Skips empty rows, but counts them. Reads at most `maxRecords`. */
export function parseCsv(text: string, maxRecords: number): ParseResult {
  const [separatorLine = '', named] = text.match(SEPARATOR_LINE) ?? []
  const separator = SEPARATORS.find((one) => one === named) ?? detectSeparator(text)
  const records: CsvRecord[] = []
  let at = separatorLine.length
  for (let line = 1; at < text.length && records.length < maxRecords; line++) {
    const read = readRecord(text, at, separator)
    if (!read) return { kind: 'broken', line }
    if (read.cells.length > MAX_CELLS) return { kind: 'tooWide', line }
    if (read.cells.some((cell) => cell.trim() !== '')) records.push({ line, cells: read.cells })
    at = read.end
  }
  return { kind: 'parsed', separator, records }
}

/** Returns the separator that divides the first row into the most cells. */
function detectSeparator(text: string): Separator {
  const counts = SEPARATORS.map((one) => readRecord(text, 0, one)?.cells.length ?? 0)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ';'
}

/** Undefined for a misplaced quote. Stops at the first cell too many. */
function readRecord(text: string, start: number, separator: Separator) {
  const cells: string[] = []
  let at = start
  for (; cells.length <= MAX_CELLS; at++) {
    const cell = text[at] === QUOTE ? readQuotedCell(text, at) : readBareCell(text, at, separator)
    if (!cell) return undefined
    cells.push(cell.value.replace(MARKED_TEXT, '$1'))
    at = cell.end
    if (text[at] === separator) continue
    const lineEnd = matchAt(LINE_END, text, at)
    return lineEnd === undefined ? undefined : { cells, end: at + lineEnd.length }
  }
  return { cells, end: at }
}

function readQuotedCell(text: string, start: number) {
  let end = text.indexOf(QUOTE, start + 1)
  while (end !== -1 && text[end + 1] === QUOTE) end = text.indexOf(QUOTE, end + 2)
  if (end === -1) return undefined
  return { value: text.slice(start + 1, end).replaceAll('""', QUOTE), end: end + 1 }
}

function readBareCell(text: string, start: number, separator: Separator) {
  const value = matchAt(CELL_ENDS[separator], text, start) ?? ''
  return { value, end: start + value.length }
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
