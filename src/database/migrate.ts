import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { isOutage } from '../outage.ts'
import { toError } from '../system-error.ts'
import { migrator, nodePostgres, sql } from './drizzle.ts'
import { MIGRATION_LOCK } from './locks.ts'
import { requireNamedStatements } from './named-statements.ts'
import { applyRoleSettings } from './session.ts'

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings the schema up to date. Processes that start together take turns. All of it is one transaction,
 * which no pooler takes apart; `directUrl` names Postgres itself where `url` names a pooler.
 */
export async function migrateDatabase(url: string, directUrl = url) {
  const client = new pg.Client({ connectionString: directUrl, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await nodePostgres.drizzle(client).transaction(async (tx) => {
      // Our role's own settings are for payments.
      await tx.execute(sql`select set_config(name, setting, true)
        from (values ('statement_timeout', '0'), ('enable_seqscan', 'on')) as ours (name, setting)`)
      await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
      await migrator.migrate(nestMigrations(tx), { migrationsFolder: MIGRATIONS_FOLDER })
    })
  } finally {
    await client.end().catch(() => {})
  }
  await applyRoleSettings(url)
}

/**
 * Migrates as soon as the database can be reached, unless a pooler in between is of no use to us;
 * `onWait` hears of each try in vain.
 */
export async function migrateWhenReachable(
  { url, directUrl }: { url: string; directUrl: string },
  onWait: (error: Error) => void,
) {
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      await requireNamedStatements(url)
      return await migrateDatabase(url, directUrl)
    } catch (error) {
      if (!isOutage(error)) throw error
      onWait(toError(error))
      await sleep(waitMs)
    }
  }
}

type MigrationDatabase = ReturnType<typeof nodePostgres.drizzle>
type MigrationTransaction = Parameters<Parameters<MigrationDatabase['transaction']>[0]>[0]

/** The migrator opens a transaction of its session, which becomes a part of ours. */
function nestMigrations(tx: MigrationTransaction) {
  // What a transaction works with, and its types keep to itself.
  const { dialect, session } = tx as unknown as MigratorInternals
  const nested: object = Object.create(session, { transaction: { value: tx.transaction.bind(tx) } })
  // The migrator asks for a whole database, and uses these two of it.
  return { dialect, session: nested } as unknown as MigrationDatabase
}

type MigratorInternals = { dialect: unknown; session: object }
