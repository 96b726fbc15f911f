// Compares the schema of a database with this program's migrations: behind, ahead or up to date.
import { readSystemError, toError } from '../../system-error.ts'
import type { Database } from '../connect.ts'
import { sql } from '../drizzle.ts'
import { requireFound } from '../found.ts'
import { LAST_MIGRATION_SQL, listMigrations } from './files.ts'

const NO_SUCH_TABLE = '42P01'

type SchemaState = {
  /** The database has no tables of ours yet. */
  empty: boolean
  /** The number of migrations that have not run. */
  pending: number
  /** A newer version of the program has migrated the database. */
  ahead: boolean
}

export async function readSchemaState(db: Database): Promise<SchemaState> {
  const migrations = listMigrations()
  const last = await readLastMigrationAt(db)
  const pending = migrations.filter(({ when }) => when > last).length
  return { empty: last === 0, pending, ahead: migrations.every(({ when }) => when < last) }
}

/** Reads when the last migration that ran was written (Unix milliseconds); 0 without any. */
async function readLastMigrationAt(db: Database) {
  try {
    const { rows } = await db.execute<{ last: number }>(sql.raw(LAST_MIGRATION_SQL))
    return requireFound(rows[0]).last
  } catch (error) {
    if (readSystemError(toError(error).cause).code === NO_SUCH_TABLE) return 0
    throw error
  }
}
