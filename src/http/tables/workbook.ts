// Writes tables as workbooks (.xlsx): numbers are numbers, days are days in every language, and text never runs as a
// formula. Each workbook is written in a thread of its own, because ten thousand rows take two seconds, and this
// process must answer meanwhile.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { listCells, type TableColumn } from './columns.ts'

export const MAX_WORKBOOK_ROWS = 10_000

/** The memory limit of the thread, enough for a workbook of the longest texts. */
const MAX_MEMORY_MB = 512

/** Returns null when there are more rows than a workbook may have. */
export async function buildWorkbook<Row>(
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
