import type { Database } from '../../../src/database/connect.ts'

/** How many connections of this database wait for a lock. */
export async function countWaiting(db: Database) {
  const { rows } = await db.$client.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  return rows.length
}
