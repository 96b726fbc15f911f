import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage, toError } from '../system-error.ts'
import { listMigrations } from './migrations/files.ts'
import { type MigrateOptions, runMigrations } from './migrations/run.ts'
import { applyRoleSettings } from './session.ts'

/** Migrates the schema. Processes that start together take turns, and others keep writing. */
export async function migrateDatabase(url: string, options: MigrateOptions = {}) {
  await runMigrations(url, listMigrations(), options)
  await applyRoleSettings(url)
}

type MigrateWaits = MigrateOptions & {
  /** Called after each failed try. */
  onWait: (error: Error) => void
}

/** Migrates as soon as the database is reachable. */
export async function migrateWhenReachable(url: string, { onWait, ...options }: MigrateWaits) {
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      return await migrateDatabase(url, options)
    } catch (error) {
      if (!isOutage(error)) throw error
      onWait(toError(error))
      await sleep(waitMs)
    }
  }
}
