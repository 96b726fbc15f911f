// CSV as RFC 4180 has it, by `;`, `,`, tabs or `|`: cells in quotes hold separators, line breaks and doubled quotes.
// By hand: `csv-parse` takes seconds for 5 MB, and tells a quote that is out of place from a good one in no mode that
// also reads `5" de tela`.

/** `line` as a spreadsheet counts its rows, from 1, whatever line breaks their cells hold. */
export type CsvRecord = { line: number; cells: string[] }

type ParseResult =
  | { kind: 'parsed'; separator: Separator; records: CsvRecord[] }
  /** A quote that never ends, or one that ends before its cell does. */
  | { kind: 'broken'; line: number }

const SEPARATORS = [';', ',', '\t', '|'] as const
/** How a file tells Excel its separator, in a line of its own that no spreadsheet shows. */
const TOLD_SEPARATOR = /^\s*"?sep=([;,\t|])"?[ \t]*(?:\r\n|\r|\n|$)/i
const QUOTE = '"'
const CELL_ENDS = {
  ';': /[^;\r\n]*/y,
  ',': /[^,\r\n]*/y,
  '\t': /[^\t\r\n]*/y,
  '|': /[^|\r\n]*/y,
}
/** How our own tables tell a spreadsheet that digits are text (http/csv.ts). */
const TOLD_TEXT = /^="([^"]*)"$/
const LINE_END = /\r\n|\r|\n|$/y

export type Separator = (typeof SEPARATORS)[number]

/** Rows without anything in them are left out, but counted. No more than `maxRecords` are read. */
export function parseCsv(text: string, maxRecords: number): ParseResult {
  const [told = '', named] = text.match(TOLD_SEPARATOR) ?? []
  const separator = SEPARATORS.find((one) => one === named) ?? detectSeparator(text)
  const records: CsvRecord[] = []
  let at = told.length
  for (let line = 1; at < text.length && records.length < maxRecords; line++) {
    const read = readRecord(text, at, separator)
    if (!read) return { kind: 'broken', line }
    if (read.cells.some((cell) => cell.trim() !== '')) records.push({ line, cells: read.cells })
    at = read.end
  }
  return { kind: 'parsed', separator, records }
}

/** The one that cuts the first row into more cells than those before it. */
function detectSeparator(text: string): Separator {
  const count = (separator: Separator) => readRecord(text, 0, separator)?.cells.length ?? 0
  return SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Undefined for a quote that is out of place. */
function readRecord(text: string, start: number, separator: Separator) {
  const cells: string[] = []
  for (let at = start; ; at++) {
    const cell = text[at] === QUOTE ? readQuotedCell(text, at) : readBareCell(text, at, separator)
    if (!cell) return undefined
    cells.push(cell.value.replace(TOLD_TEXT, '$1'))
    at = cell.end
    if (text[at] === separator) continue
    const lineEnd = matchAt(LINE_END, text, at)
    return lineEnd === undefined ? undefined : { cells, end: at + lineEnd.length }
  }
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
