// What was kept for long enough is deleted: every hour, a batch at a time.
import type { FastifyBaseLogger } from 'fastify'
import type { Database, Db } from '../database/connect.ts'
import { type PgTable, type SQL, sql } from '../database/drizzle.ts'
import { HOUR_MS } from '../database/instant.ts'
import { runInterval } from './interval.ts'

type PurgeNeeds = { db: Database; log: FastifyBaseLogger; now: () => Date }

const PURGE_INTERVAL_MS = HOUR_MS
const PURGE_BATCH_SIZE = 5_000

/** Deletes all rows that are `old`. */
export async function purgeRows(db: Db, table: PgTable, old: SQL | undefined) {
  for (;;) {
    const some = sql`ctid in (select ctid from ${table} where ${old} limit ${PURGE_BATCH_SIZE})`
    const { rowCount } = await db.delete(table).where(some)
    if ((rowCount ?? 0) < PURGE_BATCH_SIZE) return
  }
}

/** Purges until stopped. `what` it is stands in the log while it fails. */
export function startPurge(
  { db, log, now }: PurgeNeeds,
  what: string,
  purge: (db: Database, now: Date) => Promise<void>,
) {
  const failure = `old ${what} cannot be purged for now`
  return runInterval({ intervalMs: PURGE_INTERVAL_MS, log, failure }, async () => {
    await purge(db, now())
    return false
  })
}
