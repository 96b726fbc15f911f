// Many rows in one statement whose text never changes, so that Postgres plans it once: the rows
// travel as one JSON parameter. Together with `batchCalls` this is what the hot writes are made of.

import type { Database } from './connect.ts'
import { orm, type PgTable } from './drizzle.ts'
import { requireFound } from './found.ts'

/**
 * Inserts whole rows; where `onConflict` names the columns of a unique index, a row that is already
 * there is left alone. Answers, in order, whether each row was written.
 */
export function createRowInserter<T extends PgTable>(
  db: Database,
  table: T,
  onConflict: (keyof T['$inferSelect'] & string)[] = [],
): (rows: (T['$inferSelect'] & { id: string })[]) => Promise<boolean[]> {
  const name = orm.getTableName(table)
  const keys = Object.keys(orm.getTableColumns(table))
  const text = `insert into ${name} (${keys.map(toSnakeCase)}) select ${keys.map(quoteIdentifier)}
    from ${buildRecordset(table, keys)}
    ${onConflict.length > 0 ? `on conflict (${onConflict.map(toSnakeCase)}) do nothing` : ''}
    returning id`

  return async (rows) => {
    const values = [JSON.stringify(rows)]
    const result = await db.$client.query<{ id: string }>({ name: `insert_${name}`, text, values })
    const written = new Set(result.rows.map(({ id }) => id))
    return rows.map(({ id }) => written.has(id))
  }
}

/** Reads parameter `$1`, an array of JSON objects with these keys, as rows named `given`. */
export function buildRecordset(table: PgTable, keys: readonly string[]) {
  const columns = orm.getTableColumns(table)
  const typed = keys.map(
    (key) => `${quoteIdentifier(key)} ${requireFound(columns[key]).getSQLType()}`,
  )
  return `json_to_recordset($1) as given (${typed})`
}

export function toSnakeCase(key: string) {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function quoteIdentifier(key: string) {
  return `"${key}"`
}
