import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { isOutage } from '../outage.ts'
import { toError } from '../system-error.ts'
import { migrator, nodePostgres } from './drizzle.ts'
import { MIGRATION_LOCK } from './locks.ts'

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings the schema up to date. Processes that start together take turns: the lock is held by a
 * transaction of its own, which also works behind a PgBouncer in transaction mode.
 */
export async function migrateDatabase(url: string) {
  const lockClient = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  const migrationClient = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  for (const client of [lockClient, migrationClient]) client.on('error', () => {})
  try {
    await lockClient.connect()
    await lockClient.query('begin')
    await lockClient.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await migrationClient.connect()
    await migrationClient.query('set client_min_messages = warning')
    await migrator.migrate(nodePostgres.drizzle(migrationClient), {
      migrationsFolder: MIGRATIONS_FOLDER,
    })
    await lockClient.query('commit')
  } finally {
    await Promise.all([lockClient.end(), migrationClient.end()].map((end) => end.catch(() => {})))
  }
}

/** Migrates as soon as the database can be reached; `onWait` hears of each try in vain. */
export async function migrateWhenReachable(url: string, onWait: (error: Error) => void) {
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      return await migrateDatabase(url)
    } catch (error) {
      if (!isOutage(error)) throw error
      onWait(toError(error))
      await sleep(waitMs)
    }
  }
}
