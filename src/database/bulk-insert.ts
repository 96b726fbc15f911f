// Many rows in one statement whose text never changes, so that Postgres plans it once: the rows
// travel as one JSON parameter. Together with `batchCalls` this is what the hot writes are made of.

import type { Database } from './connect.ts'
import { orm, type PgTable } from './drizzle.ts'
import { requireFound } from './found.ts'
import { runNamedStatement } from './statement.ts'

/** Answers, in order, whether each row was written. */
export function createRowInserter<T extends PgTable>(
  db: Database,
  table: T,
): (rows: (T['$inferSelect'] & { id: string })[]) => Promise<boolean[]> {
  const text = buildRowInsert(table)
  const name = `insert_${orm.getTableName(table)}`
  return async (rows) => {
    const written = await runNamedStatement<{ id: string }>(db, name, text, [JSON.stringify(rows)])
    const ids = new Set(written.map(({ id }) => id))
    return rows.map(({ id }) => ids.has(id))
  }
}

type RowInsertOptions<T extends PgTable> = {
  /** The columns of a unique index, or any of them: a row that is already there is left alone. */
  onConflict?: (keyof T['$inferSelect'] & string)[] | 'any'
  /** For a `with` before it. */
  queries?: string
  /** What must be so of other rows, as joins to the ones that are `given`. */
  joins?: string
  /** SQL that stands for what is given, for these columns. */
  values?: Partial<Record<keyof T['$inferSelect'] & string, string>>
  returning?: string
  /** Types of what each object holds beside the row itself, for these. */
  more?: Record<string, string>
}

/** Inserts the rows of parameter `$1`, a JSON array, and answers the ids of those that were written unless told. */
export function buildRowInsert<T extends PgTable>(
  table: T,
  { onConflict = [], queries = '', joins = '', more = {}, ...rest }: RowInsertOptions<T> = {},
) {
  const keys = Object.keys(orm.getTableColumns(table))
  const { returning = 'id' } = rest
  const values: Record<string, string | undefined> = rest.values ?? {}
  return `${queries && `with ${queries}`} insert into ${orm.getTableName(table)} (${keys.map(toSnakeCase)})
    select ${keys.map((key) => values[key] ?? `given.${quoteIdentifier(key)}`)}
    from ${buildRecordset(table, keys, more)} ${joins}
    ${onConflict === 'any' ? 'on conflict do nothing' : buildConflictClause(onConflict)}
    returning ${returning}`
}

function buildConflictClause(keys: string[]) {
  return keys.length > 0 ? `on conflict (${keys.map(toSnakeCase)}) do nothing` : ''
}

/** Reads a parameter, an array of JSON objects with these keys, as rows named `given`. */
export function buildRecordset(
  table: PgTable,
  keys: readonly string[],
  more: Record<string, string> = {},
  parameter = '$1',
) {
  const columns = orm.getTableColumns(table)
  const typed = keys.map(
    (key) => `${quoteIdentifier(key)} ${requireFound(columns[key]).getSQLType()}`,
  )
  const others = Object.entries(more).map(([key, type]) => `${quoteIdentifier(key)} ${type}`)
  return `json_to_recordset(${parameter}) as given (${[...typed, ...others]})`
}

export function toSnakeCase(key: string) {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function quoteIdentifier(key: string) {
  return `"${key}"`
}
