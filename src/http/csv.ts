// Tables as CSV that Excel in Brazil opens by a double click: UTF-8 with a mark, semicolons, CRLF,
// decimal commas. Streamed: no more is read than the reader has taken.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatDay, formatFullTime } from '../format.ts'

export type CsvColumn<Row> = {
  heading: string
  /** As a person wrote it, or made by `formatMoneyCell` or `formatInstantCell`; null is an empty cell. */
  value: (row: Row) => string | number | null
}

/** How the API's document describes them. */
export const CSV_DESCRIPTION =
  'UTF-8 com BOM, ponto e vírgula, vírgula decimal e horário de São Paulo: ' +
  'abre no Excel em português com dois cliques.'

const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'
/**
 * What a spreadsheet takes for the start of a formula, also in full width: of the cell, or of one that a
 * spreadsheet with other separators than ours would cut out of it.
 */
const FORMULA_STARTS = /(?<=^|[,;]"*)[=+\-@\t\r＝＋－＠]/g
const NEEDS_QUOTES = /[;"\r\n]/
/** What a spreadsheet would read as a number, and lose its zeros, its sixteenth digit or its letter of. */
const FRAGILE_DIGITS = /^(?:0\d+|\d{16,}|\d+e[+-]?\d+)$/i

/**
 * Answers with `rows`, a page at a time, as a file to be saved as `name`. The first page is read before
 * the answer begins, so that what fails there is still told as any other failure; what fails later
 * breaks the transfer off, which no client takes for the end of the file.
 */
export async function sendCsv<Row>(
  reply: FastifyReply,
  columns: CsvColumn<Row>[],
  rows: AsyncIterable<Row[]>,
  name: string,
) {
  const pages = rows[Symbol.asyncIterator]()
  const first = await pages.next()
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(generateCsvLines(columns, first, pages)))
}

/** The whole of a small table, for what is no answer. */
export function renderCsv<Row>(columns: CsvColumn<Row>[], rows: readonly Row[]) {
  const heading = formatCsvLine(columns.map((column) => column.heading))
  const lines = rows.map((row) => formatCsvLine(columns.map(({ value }) => value(row))))
  return BYTE_ORDER_MARK + heading + lines.join('')
}

/**
 * Whether the caller would rather have CSV than JSON; whoever takes anything gets JSON. The lists are
 * documented as JSON alone, which is what clients are made from; tables have addresses of their own.
 */
export function prefersCsv({ headers }: FastifyRequest) {
  const accepted = new Map((headers.accept ?? '').split(',').map(parseAcceptEntry))
  return (accepted.get('text/csv') ?? 0) > (accepted.get('application/json') ?? 0)
}

/** 123456 cents → `1234,56`: without the thousands' dots, so that it is a number to a spreadsheet. */
export function formatMoneyCell(cents: number) {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}

/** Empty where nobody knows it. */
export function formatKnownMoneyCell(cents: number | null) {
  return cents === null ? '' : formatMoneyCell(cents)
}

/** `21/11/2026 14:05:09`, São Paulo */
export function formatInstantCell(instant: string | null) {
  return instant && `${formatDay(instant)} ${formatFullTime(instant)}`
}

async function* generateCsvLines<Row>(
  columns: CsvColumn<Row>[],
  first: IteratorResult<Row[]>,
  pages: AsyncIterator<Row[]>,
) {
  yield BYTE_ORDER_MARK + formatCsvLine(columns.map(({ heading }) => heading))
  try {
    for (let page = first; !page.done; page = await pages.next()) {
      yield page.value.map((row) => formatCsvLine(columns.map(({ value }) => value(row)))).join('')
    }
  } finally {
    // Also when the reader has gone: whatever the pages hold open is given back.
    await pages.return?.()
  }
}

function formatCsvLine(cells: (string | number | null)[]) {
  return cells.map(formatCsvCell).join(';') + LINE_END
}

function formatCsvCell(value: string | number | null) {
  if (value === null) return ''
  const text = String(value)
  // So a spreadsheet is told that it is text: it shows the digits alone.
  if (typeof value === 'string' && FRAGILE_DIGITS.test(text)) return `"=""${text}"""`
  const safe = CSV_NUMBER.test(text) ? text : text.replace(FORMULA_STARTS, "'$&")
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A negative amount is no formula. */
const CSV_NUMBER = /^-\d+(,\d+)?$/

function parseAcceptEntry(entry: string): [type: string, quality: number] {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((part) => part.startsWith('q='))?.slice(2)
  return [type, quality === undefined ? 1 : Number(quality) || 0]
}
