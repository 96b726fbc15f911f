import { type PgColumn, type PgTable, type SQL, sql } from '../database/drizzle.ts'

/**
 * The ids of the rows of `table` that are due at `now`, to claim in the same statement; `which` narrows
 * and orders them. What somebody else is claiming just now is passed over, and not waited for.
 */
export function selectDueIds(
  table: PgTable & { id: PgColumn },
  dueAt: PgColumn,
  now: Date,
  which: SQL,
) {
  return sql`(select ${table.id} from ${table}
    where ${dueAt} <= ${now.toISOString()}::timestamptz ${which} for update skip locked)`
}
