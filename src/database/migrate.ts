import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { isOutage } from '../outage.ts'
import { migrator, nodePostgres } from './drizzle.ts'
import { MIGRATION_LOCK } from './locks.ts'

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings the schema up to date. Processes that start together take turns: the lock is held by a
 * transaction of its own, which also works behind a PgBouncer in transaction mode.
 */
export async function migrate(url: string) {
  const turn = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  const worker = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  for (const client of [turn, worker]) client.on('error', () => {})
  try {
    await turn.connect()
    await turn.query('begin')
    await turn.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await worker.connect()
    await worker.query('set client_min_messages = warning')
    await migrator.migrate(nodePostgres.drizzle(worker), { migrationsFolder: FOLDER })
    await turn.query('commit')
  } finally {
    await Promise.all([turn.end(), worker.end()].map((end) => end.catch(() => {})))
  }
}

/** Migrates as soon as the database can be reached; `onWait` hears of each try in vain. */
export async function migrateWhenReachable(url: string, onWait: (error: Error) => void) {
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      return await migrate(url)
    } catch (error) {
      if (!isOutage(error)) throw error
      onWait(error as Error)
      await sleep(waitMs)
    }
  }
}
