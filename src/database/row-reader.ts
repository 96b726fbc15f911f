// Reads whole rows of a table by position, each column by its own decoder. For pages of rows this
// costs half of what a statement prepared by Drizzle does, which asks of every value what it is.
import pg from 'pg'
import { toSnakeCase } from './bulk-insert.ts'
import type { Database } from './connect.ts'
import { orm, type PgTable } from './drizzle.ts'

const { BOOL, BYTEA } = pg.types.builtins

// All else stays as Postgres writes it, until a column's decoder makes something of it.
const RAW_TYPES = {
  getTypeParser: (oid: number) =>
    oid === BOOL || oid === BYTEA ? pg.types.getTypeParser(oid) : returnUnchanged,
}

/** `name` is not sent: a pooler may lose named statements. */
export type RowQuery = { name?: string; text: string; values: unknown[] }

/** Values come as Postgres writes them. */
export async function queryRowValues(db: Database, { text, values }: RowQuery) {
  const query: pg.QueryArrayConfig = { text, values, rowMode: 'array', types: RAW_TYPES }
  return (await db.$client.query<unknown[]>(query)).rows
}

/** The columns that a row reader takes, for a statement; `alias` is what it calls the table. */
export function listColumns(table: PgTable, alias = orm.getTableName(table)) {
  return Object.keys(orm.getTableColumns(table))
    .map((key) => `${alias}.${toSnakeCase(key)}`)
    .join(', ')
}

/** Makes a row of `table` of its columns' values, given in the order of the table, from `first` on. */
export function createRowReader<T extends PgTable>(table: T, first = 0) {
  const columns = Object.entries(orm.getTableColumns(table)).map(([key, column]) => {
    const asItIs = /^(text|uuid|boolean|bytea)$/.test(column.getSQLType())
    return { key, decode: asItIs ? returnUnchanged : column.mapFromDriverValue.bind(column) }
  })

  return (values: unknown[]) => {
    const row: Record<string, unknown> = {}
    columns.forEach(({ key, decode }, i) => {
      const value = values[first + i]
      row[key] = value === null ? null : decode(value)
    })
    // Filled in by each of its columns: which they are is only known here, not to the compiler.
    return row as T['$inferSelect']
  }
}

function returnUnchanged<T>(value: T) {
  return value
}
