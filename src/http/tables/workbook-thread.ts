// The thread that writes one workbook: it receives pages of rows and then null, and answers with the file.
import { parentPort, workerData } from 'node:worker_threads'
import writeWorkbook, { type Cell } from 'write-excel-file/node'
import { formatDay, formatFullTime } from '../../format.ts'
import type { TableCell, TableColumn } from './columns.ts'

/** The longest text that a cell of a workbook can have. */
const MAX_CELL_LENGTH = 32_767
const WIDTHS: Record<TableCell['kind'], number> = {
  text: 24,
  cents: 14,
  count: 12,
  day: 12,
  instant: 20,
}

const columns: Pick<TableColumn<unknown>, 'heading' | 'kind'>[] = workerData
const sheet: Cell[][] = [
  columns.map(({ heading }) => ({ value: heading, type: String, fontWeight: 'bold' })),
]

parentPort?.on('message', async (rows: TableCell[][] | null) => {
  if (rows) {
    sheet.push(...rows.map((cells) => cells.map(toSheetCell)))
    return
  }
  const options = {
    columns: columns.map(({ kind }) => ({ width: WIDTHS[kind] })),
    stickyRowsCount: 1,
  }
  parentPort?.postMessage(await writeWorkbook(sheet, options).toBuffer())
})

function toSheetCell({ kind, value }: TableCell): Cell {
  if (value === null || value === '') return null
  switch (kind) {
    case 'text':
      return { type: String, value: String(value).slice(0, MAX_CELL_LENGTH), format: '@' }
    case 'cents':
      return { type: Number, value: Number(value) / 100, format: '#,##0.00' }
    case 'count':
      return { type: Number, value: Number(value) }
    case 'day':
      return { type: Date, value: new Date(`${value}T00:00:00Z`), format: 'dd/mm/yyyy' }
    case 'instant':
      return { type: Date, value: readLocalTime(String(value)), format: 'dd/mm/yyyy hh:mm:ss' }
  }
}

/** Returns the local time of São Paulo, since workbooks hold times without a zone. */
function readLocalTime(instant: string) {
  const day = formatDay(instant).split('/').toReversed().join('-')
  return new Date(`${day}T${formatFullTime(instant)}Z`)
}
