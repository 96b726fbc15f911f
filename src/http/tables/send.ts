// Answers a request with a table: a CSV, streamed at any length, or a workbook with a limited number of rows.

import { once } from 'node:events'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { texts } from '../../texts.ts'
import { AppError, tooManyRequestsError, unavailableError } from '../errors.ts'
import { createSlots } from '../limiter.ts'
import { listCells, type TableColumn, type TableFormat } from './columns.ts'
import { generateCsv } from './csv.ts'

const RETRY_AFTER_S = 5
const MAX_COMPANY_TABLES = 5

/** Limits of each process: a CSV keeps one page in memory while it is sent, a workbook all rows. */
const slots = {
  csv: createTableSlots(20, MAX_COMPANY_TABLES),
  xlsx: createTableSlots(2, 1),
}

/** The descriptions in the API's document. */
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
  /** The name of the file without its extension. */
  name: string
  format: TableFormat
  /** Called before anything is sent. */
  recordTaking?: () => Promise<void>
}

/**
 * Sends `rows` as a file, one page at a time. The first page is read before the answer begins, so that its failures get
 * a normal error answer; a later failure breaks the transfer off, so that no client takes the file for complete.
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
  if (reply.request.method === 'HEAD') return answer(Readable.from([]))
  const release = slots[format].reserve(companyId)
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
    // Also runs when the receiver has gone, to release what the pages hold open.
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

function createTableSlots(max: number, maxOfCompany: number) {
  return createSlots({
    max,
    maxOfCompany,
    refuse: () => unavailableError(RETRY_AFTER_S),
    refuseCompany: () => tooManyRequestsError(RETRY_AFTER_S, texts.tooManyTables(maxOfCompany)),
  })
}

const MAX_WORKBOOK_ROWS = 10_000

const MAX_MEMORY_MB = 512

/**
 * Writes a workbook (.xlsx): numbers are numbers, days are days in every language, and text never runs as a formula.
 * It is written in a thread of its own, because ten thousand rows take two seconds, and this process must answer
 * meanwhile. Returns null when there are more rows than a workbook may have.
 */
async function buildWorkbook<Row>(
  columns: TableColumn<Row>[],
  pages: AsyncIterable<Row[]>,
): Promise<Uint8Array | null> {
  const worker = new Worker(new URL('./workbook-thread.ts', import.meta.url), {
    workerData: columns.map(({ heading, kind }) => ({ heading, kind })),
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  const made = once(worker, 'message')
  try {
    const sent = await sendRows(worker, columns, pages)
    if (sent > MAX_WORKBOOK_ROWS) return null
    worker.postMessage(null)
    const [file] = await made
    return file
  } finally {
    made.catch(() => {})
    await worker.terminate()
  }
}

async function sendRows<Row>(
  worker: Worker,
  columns: TableColumn<Row>[],
  pages: AsyncIterable<Row[]>,
) {
  let count = 0
  for await (const rows of pages) {
    worker.postMessage(rows.map((row) => listCells(columns, row)))
    count += rows.length
    if (count > MAX_WORKBOOK_ROWS) break
  }
  return count
}
