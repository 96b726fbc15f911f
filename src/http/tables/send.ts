// Answers a request with a table: CSV, streamed at any length, or a workbook with a limited number of rows.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { texts } from '../../texts.ts'
import { AppError, tooManyRequestsError, unavailableError } from '../errors.ts'
import { createPlaces } from '../places.ts'
import type { TableColumn, TableFormat } from './columns.ts'
import { generateCsv } from './csv.ts'
import { buildWorkbook, MAX_WORKBOOK_ROWS } from './workbook.ts'

const RETRY_AFTER_S = 5
const MAX_COMPANY_TABLES = 5

/** Limits for each process: a CSV keeps a page in memory while its reader takes it, a workbook all of it. */
const places = {
  csv: createTablePlaces(20, MAX_COMPANY_TABLES),
  xlsx: createTablePlaces(2, 1),
}

/** How the API's document describes them. */
export const CSV_DESCRIPTION =
  'UTF-8 com BOM, ponto e vírgula, vírgula decimal e horário de São Paulo: abre no Excel em português ' +
  `com dois cliques. Até ${MAX_COMPANY_TABLES} podem ser baixadas ao mesmo tempo.`
export const CsvFile = z.string().meta({ contentMediaType: 'text/csv' })

const TYPES: Record<TableFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

type TableFile = {
  companyId: string
  /** Without the format. */
  name: string
  format: TableFormat
  /** Called before anything is sent. */
  recordTaking?: () => Promise<void>
}

/**
 * Answers with `rows`, a page at a time, as a file to be saved. The first page is read before the answer begins, so
 * that what fails there is still told as any other failure; what fails later breaks the transfer off, which no client
 * takes for the end of the file.
 */
export async function sendTable<Row>(
  reply: FastifyReply,
  columns: TableColumn<Row>[],
  rows: AsyncIterable<Row[]>,
  { companyId, name, format, recordTaking }: TableFile,
) {
  const answer = (table: Readable) =>
    reply
      .type(TYPES[format])
      .header('content-disposition', `attachment; filename="${name}.${format}"`)
      .send(table)
  // A HEAD request reads no rows.
  if (reply.request.method === 'HEAD') return answer(Readable.from([]))
  const release = places[format].reserve(companyId)
  const open = async () => {
    const table =
      format === 'csv' ? await openCsv(columns, rows) : await openWorkbook(columns, rows)
    await recordTaking?.()
    return table
  }
  const table = await open().catch((error) => {
    release()
    throw error
  })
  table.once('close', release)
  return answer(table)
}

async function openCsv<Row>(columns: TableColumn<Row>[], rows: AsyncIterable<Row[]>) {
  const pages = rows[Symbol.asyncIterator]()
  const first = await pages.next()
  return Readable.from(generateCsv(columns, resumePages(first, pages)))
}

async function* resumePages<Row>(first: IteratorResult<Row[]>, pages: AsyncIterator<Row[]>) {
  try {
    for (let page = first; !page.done; page = await pages.next()) yield page.value
  } finally {
    // Also when the reader has gone: whatever the pages hold open is given back.
    await pages.return?.()
  }
}

async function openWorkbook<Row>(columns: TableColumn<Row>[], rows: AsyncIterable<Row[]>) {
  const file = await buildWorkbook(columns, rows)
  if (file === null) {
    throw new AppError(422, 'too_many_rows', texts.tooManyRows(MAX_WORKBOOK_ROWS))
  }
  return Readable.from([file])
}

function createTablePlaces(max: number, maxOfCompany: number) {
  return createPlaces({
    max,
    maxOfCompany,
    refuse: () => unavailableError(RETRY_AFTER_S),
    refuseCompany: () => tooManyRequestsError(RETRY_AFTER_S, texts.tooManyTables(maxOfCompany)),
  })
}
