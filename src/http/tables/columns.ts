// The columns of a table that people download. The kind of a column decides how its cells are written in CSV and in a
// workbook.

type Cell = string | number | null
type ColumnKind = 'text' | 'cents' | 'count' | 'day' | 'instant'

export type TableColumn<Row> = {
  heading: string
  kind: ColumnKind
  /** Null makes an empty cell. */
  value: (row: Row) => Cell
}

export type TableFormat = 'csv' | 'xlsx'
export const TABLE_FORMATS = ['csv', 'xlsx'] as const satisfies TableFormat[]

/** A text, or a number that is not calculated with, such as a document, a phone or an id. */
export function textColumn<Row>(heading: string, value: (row: Row) => string | null) {
  return { heading, kind: 'text' as const, value }
}

export function centsColumn<Row>(heading: string, value: (row: Row) => number | null) {
  return { heading, kind: 'cents' as const, value }
}

export function countColumn<Row>(heading: string, value: (row: Row) => number | null) {
  return { heading, kind: 'count' as const, value }
}

/** A day such as `2026-11-21`; other values, such as the word before a total, are text. */
export function dayColumn<Row>(heading: string, value: (row: Row) => string | null) {
  return { heading, kind: 'day' as const, value }
}

/** An instant in ISO 8601, shown in the time of São Paulo. */
export function instantColumn<Row>(heading: string, value: (row: Row) => string | null) {
  return { heading, kind: 'instant' as const, value }
}

export type TableCell = { kind: ColumnKind; value: Cell }

const DAY = /^\d{4}-\d\d-\d\d$/

export function listCells<Row>(columns: TableColumn<Row>[], row: Row): TableCell[] {
  return columns.map(({ kind, value: read }) => {
    const value = read(row)
    const isText = value === '' || (kind === 'day' && !DAY.test(String(value)))
    return { kind: isText ? 'text' : kind, value }
  })
}
