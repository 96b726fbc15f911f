import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '../outage.ts'
import { toError } from '../system-error.ts'
import { listMigrations } from './migrations/files.ts'
import { type MigrateOptions, runMigrations } from './migrations/run.ts'
import { requireSameDatabase } from './migrations/same-database.ts'
import { requireNamedStatements } from './named-statements.ts'
import { applyRoleSettings } from './session.ts'

/**
 * Brings the schema up to date. Processes that start together take turns, and others go on writing;
 * `directUrl` names Postgres itself where `url` names a pooler.
 */
export async function migrateDatabase(url: string, directUrl = url, options: MigrateOptions = {}) {
  await requireSameDatabase({ url, directUrl })
  await runMigrations(directUrl, listMigrations(), options)
  await applyRoleSettings(url)
}

type MigrateWaits = MigrateOptions & {
  /** Hears of each try in vain. */
  onWait: (error: Error) => void
}

/** Migrates as soon as the database can be reached, unless a pooler in between is of no use to us. */
export async function migrateWhenReachable(
  { url, directUrl }: { url: string; directUrl: string },
  { onWait, ...options }: MigrateWaits,
) {
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      await requireNamedStatements(url)
      return await migrateDatabase(url, directUrl, options)
    } catch (error) {
      if (!isOutage(error)) throw error
      onWait(toError(error))
      await sleep(waitMs)
    }
  }
}
