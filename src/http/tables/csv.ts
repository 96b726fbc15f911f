// Writes tables as CSV that Excel in Brazil opens by a double click: UTF-8 with a BOM, semicolons, CRLF, decimal
// commas.
import { type Options, stringify } from 'csv-stringify/sync'
import { formatCalendarDay, formatDay, formatFullTime } from '../../format.ts'
import { listCells, type TableCell, type TableColumn } from './columns.ts'

const BYTE_ORDER_MARK = '\uFEFF'
const CSV_FORMAT: Options = {
  ...{ delimiter: ';', record_delimiter: 'windows' },
  // Matches each kind of line break, not only the one between our lines.
  quoted_match: /[\r\n]/,
}
/**
 * Characters that begin a formula, also in full width: at the start of this cell, or of a cell that a spreadsheet with
 * other separators would cut out of it.
 */
const FORMULA_STARTS = /(?<=^|[,;]"*)[=+\-@\t\r＝＋－＠]/g

// Texts that Excel in Brazil would read as a number, a day or a time, and change: leading zeros, the 16th digit,
// `03/2026`, `1.5`, `10:30 pm`, `mai/26`.
const NUMBERS = [
  ...[/0\d+/, /\d{16,}/, /\d+e[+-]?\d+/, /(?:\d+,\d*|,\d+)(?:e[+-]?\d+)?/],
  ...[/\d{1,3}(?:\.\d{3})+(?:,\d+)?/, /\d+ \d+\/\d+/, /\d+(?:,\d+)? ?%/],
]
const TIMES = [/\d{1,4}:\d{1,2}(?::\d{1,2}(?:,\d+)?)?(?: ?[ap]m?)?/, /\d{1,2} [ap]m?/]
const DAYS = ['/', '-', '\\.'].map(
  (mark) => String.raw`\d{1,4}${mark}\d{1,4}(?:${mark}\d{1,4})?(?: ${joinPatterns(TIMES)})?`,
)
const MONTH = joinPatterns([
  ...[/jan(?:eiro)?/, /fev(?:ereiro)?/, /mar(?:[çc]o)?/, /abr(?:il)?/, /maio?/, /jun(?:ho)?/],
  ...[/jul(?:ho)?/, /ago(?:sto)?/, /set(?:embro)?/, /out(?:ubro)?/, /nov(?:embro)?/],
  /dez(?:embro)?/,
])
const MONTHS = [
  String.raw`\d{1,4}[ /.-]?${MONTH}(?:[ /.-]?\d{1,4})?`,
  String.raw`${MONTH}[ /.-]?\d{1,4}`,
]
const MISREAD = new RegExp(`^${joinPatterns([...NUMBERS, ...TIMES, ...DAYS, ...MONTHS])}$`, 'i')

/** Writes one page at a time, and reads no further than the receiver has taken. */
export async function* generateCsv<Row>(
  columns: TableColumn<Row>[],
  pages: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  const headings = columns.map(({ heading }) => formatCsvText(heading))
  yield BYTE_ORDER_MARK + stringify([headings], CSV_FORMAT)
  for await (const rows of pages) {
    const cells = rows.map((row) => listCells(columns, row).map(formatCsvCell))
    yield stringify(cells, CSV_FORMAT)
  }
}

export function formatCsvCell({ kind, value }: TableCell) {
  if (value === null) return ''
  const text = String(value)
  switch (kind) {
    case 'text':
      return formatCsvText(text)
    case 'cents':
      return formatMoneyCell(Number(value))
    case 'count':
      return text
    case 'day':
      return formatCalendarDay(text)
    case 'instant':
      return `${formatDay(text)} ${formatFullTime(text)}`
  }
}

/** Writes 123456 cents as `1234,56`, without dots for thousands, so that a spreadsheet reads a number. */
function formatMoneyCell(cents: number) {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}

/** Marks text that a spreadsheet would misread, so that it shows the characters as they are. */
function formatCsvText(text: string) {
  return MISREAD.test(text) ? `="${text}"` : text.replace(FORMULA_STARTS, "'$&")
}

function joinPatterns(patterns: (RegExp | string)[]) {
  const sources = patterns.map((one) => (typeof one === 'string' ? one : one.source))
  return `(?:${sources.join('|')})`
}
