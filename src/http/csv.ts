// Tables as CSV that Excel in Brazil opens by a double click: UTF-8 with a mark, semicolons, CRLF,
// decimal commas. Streamed: no more is read than the reader has taken.
import { Readable } from 'node:stream'
import { type Options, stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { formatDay, formatFullTime } from '../format.ts'
import { texts } from '../texts.ts'
import { tooManyRequestsError, unavailableError } from './errors.ts'
import { createPlaces } from './places.ts'

export type CsvColumn<Row> = {
  heading: string
  /** As a person wrote it, or made by `formatMoneyCell` or `formatInstantCell`; null is an empty cell. */
  value: (row: Row) => string | number | null
}

/** In each process: of each a page stands in memory, for as long as its reader takes. */
const MAX_TABLES_AT_ONCE = 20
const MAX_COMPANY_TABLES = 5
const RETRY_AFTER_S = 5

/** How the API's document describes them. */
export const CSV_DESCRIPTION =
  'UTF-8 com BOM, ponto e vírgula, vírgula decimal e horário de São Paulo: abre no Excel em português ' +
  `com dois cliques. Até ${MAX_COMPANY_TABLES} podem ser baixadas ao mesmo tempo.`
export const CsvFile = z.string().meta({ contentMediaType: 'text/csv' })

const tables = createPlaces({
  max: MAX_TABLES_AT_ONCE,
  maxOfCompany: MAX_COMPANY_TABLES,
  refuse: () => unavailableError(RETRY_AFTER_S),
  refuseCompany: () => tooManyRequestsError(RETRY_AFTER_S, texts.tooManyTables(MAX_COMPANY_TABLES)),
})

const BYTE_ORDER_MARK = '\uFEFF'
const CSV_FORMAT: Options = {
  ...{ delimiter: ';', record_delimiter: 'windows' },
  // A line break of either kind, not that of our lines alone.
  quoted_match: /[\r\n]/,
}
/**
 * What a spreadsheet takes for the start of a formula, also in full width: of the cell, or of one that a
 * spreadsheet with other separators than ours would cut out of it.
 */
const FORMULA_STARTS = /(?<=^|[,;]"*)[=+\-@\t\r＝＋－＠]/g

// What a person wrote that Excel in Brazil would take for a number, a day or a time, and change: zeros, the
// sixteenth digit, `03/2026`, `1.5`, `10:30 pm`, `mai/26`.
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

/** Our own amounts, days and instants are meant as such; what a person wrote like them looks no different. */
const OWN = /^(?:(?:0|[1-9]\d*),\d\d|\d\d\/\d\d\/\d{4}(?: \d\d:\d\d:\d\d)?)$/

/** `recordTaking`: what has to be done before somebody is sent any of it. */
type TableFile = { companyId: string; name: string; recordTaking?: () => Promise<void> }

/**
 * Answers with `rows`, a page at a time, as a file to be saved as `name`. The first page is read before
 * the answer begins, so that what fails there is still told as any other failure; what fails later
 * breaks the transfer off, which no client takes for the end of the file.
 */
export async function sendCsv<Row>(
  reply: FastifyReply,
  columns: CsvColumn<Row>[],
  rows: AsyncIterable<Row[]>,
  { companyId, name, recordTaking }: TableFile,
) {
  const isTaken = reply.request.method !== 'HEAD'
  const release = tables.reserve(companyId)
  const open = async () => {
    if (isTaken) await recordTaking?.()
    return openTable(columns, rows)
  }
  const table = await open().catch((error) => {
    release()
    throw error
  })
  table.once('close', release)
  // It would be read to its end, and nothing of it sent.
  if (!isTaken) table.destroy()
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(table)
}

async function openTable<Row>(columns: CsvColumn<Row>[], rows: AsyncIterable<Row[]>) {
  const pages = rows[Symbol.asyncIterator]()
  const first = await pages.next()
  return Readable.from(generateCsvLines(columns, first, pages))
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
  yield BYTE_ORDER_MARK + formatHeading(columns)
  try {
    for (let page = first; !page.done; page = await pages.next()) {
      yield formatRows(columns, page.value)
    }
  } finally {
    // Also when the reader has gone: whatever the pages hold open is given back.
    await pages.return?.()
  }
}

function formatHeading<Row>(columns: CsvColumn<Row>[]) {
  return stringify([columns.map(({ heading }) => formatCsvCell(heading))], CSV_FORMAT)
}

function formatRows<Row>(columns: CsvColumn<Row>[], rows: readonly Row[]) {
  const cells = rows.map((row) => columns.map(({ value }) => formatCsvCell(value(row))))
  return stringify(cells, CSV_FORMAT)
}

function formatCsvCell(value: string | number | null) {
  if (value === null) return ''
  const text = String(value)
  // So a spreadsheet is told that it is text: it shows the digits alone.
  if (typeof value === 'string' && isMisread(text)) return `="${text}"`
  return CSV_NUMBER.test(text) ? text : text.replace(FORMULA_STARTS, "'$&")
}

function isMisread(text: string) {
  return MISREAD.test(text) && !OWN.test(text)
}

function joinPatterns(patterns: (RegExp | string)[]) {
  const sources = patterns.map((one) => (typeof one === 'string' ? one : one.source))
  return `(?:${sources.join('|')})`
}

/** A negative amount is no formula. */
const CSV_NUMBER = /^-\d+(,\d+)?$/
