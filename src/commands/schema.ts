// How far the schema of a database is behind, or ahead of, the migrations that this program brings.

import { readFileSync } from 'node:fs'
import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { readSystemError, toError } from '../system-error.ts'

const JOURNAL = new URL('../../migrations/meta/_journal.json', import.meta.url)
const NO_SUCH_TABLE = '42P01'

type SchemaState = {
  /** Nothing of ours is in this database yet. */
  empty: boolean
  /** How many migrations have yet to be run. */
  pending: number
  /** A newer program has been here. */
  ahead: boolean
}

export async function readSchemaState(db: Database): Promise<SchemaState> {
  const { entries }: { entries: { when: number }[] } = JSON.parse(readFileSync(JOURNAL, 'utf8'))
  const last = await readLastMigrationAt(db)
  const pending = entries.filter(({ when }) => when > last).length
  return { empty: last === 0, pending, ahead: entries.every(({ when }) => when < last) }
}

/** When the last migration that was run had been written (Unix milliseconds); 0 when none was run. */
async function readLastMigrationAt(db: Database) {
  try {
    const { rows } = await db.execute<{ last: number }>(
      sql`select coalesce(max(created_at), 0)::float8 as last from drizzle.__drizzle_migrations`,
    )
    return requireFound(rows[0]).last
  } catch (error) {
    if (readSystemError(toError(error).cause).code === NO_SUCH_TABLE) return 0
    throw error
  }
}
