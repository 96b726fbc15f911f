// Brings a schema up to date beside processes that go on writing: nobody waits behind a statement of ours
// for longer than LOCK_TIMEOUT_MS, and what takes long takes no lock that a payment needs. A migration is
// one transaction, or one statement after the other where it is marked (online.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readSystemError } from '../../system-error.ts'
import { requireFound } from '../found.ts'
import { MINUTE_MS } from '../instant.ts'
import { MIGRATION_LOCK } from '../locks.ts'
import { ownsSession } from '../session.ts'
import {
  hasPendingMigrations,
  listPendingMigrations,
  type Migration,
  prepareRecord,
  recordMigration,
} from './files.ts'
import { dropInvalidIndex, isConcurrent, lockIndexedTable } from './online.ts'
import { watchStatement } from './watch.ts'

export type MigrateOptions = {
  /** Hears what is under way, in a few words, again and again. */
  onProgress?: (progress: string) => void
  /** How long a statement waits for a table, and others behind it. */
  lockTimeoutMs?: number
}

type MigrationRun = Required<MigrateOptions> & { client: pg.Client; url: string; pid: number }

/** Less than a deadlock may last (`deadlock_timeout`), of which Postgres would end the payment that waited first. */
const LOCK_TIMEOUT_MS = 500
/** A table that is in use all the while is asked for again, ever more rarely, for so long. */
const MAX_LOCK_WAIT_MS = 15 * MINUTE_MS
const LOCK_RETRY_MS = { first: 500, most: 10_000 }
const TURN_RETRY_MS = 250
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

/** Runs those that are pending. Processes that start together take turns. */
export async function runMigrations(
  url: string,
  migrations: Migration[],
  { onProgress = () => {}, lockTimeoutMs = LOCK_TIMEOUT_MS }: MigrateOptions = {},
) {
  const connectionString = url
  const limits = { connectionTimeoutMillis: 3_000, keepAlive: true }
  const client = new pg.Client({ connectionString, ...limits, application_name: 'vintem migrate' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; encoding: string }>(
      "select pg_backend_pid() as pid, current_setting('server_encoding') as encoding",
    )
    const { pid, encoding } = requireFound(rows[0])
    requireUtf8(encoding)
    if (!(await hasPendingMigrations(client, migrations))) return
    const run = { client, url, pid, onProgress, lockTimeoutMs }
    if (await ownsSession(client)) await migrateOneByOne(run, migrations)
    else await migrateAtOnce(run, migrations)
  } finally {
    await client.end().catch(() => {})
  }
}

/** In any other encoding a name with an emoji, or with an accent, is an error when it is written. */
function requireUtf8(encoding: string) {
  if (encoding === 'UTF8') return
  throw new Error(
    `Refused: this database is encoded as ${encoding}, and has to be UTF8: make one with "create database … encoding 'UTF8' template template0", and name it in DATABASE_URL.`,
  )
}

/** The session is ours, and so is its lock until it ends. */
async function migrateOneByOne(run: MigrationRun, migrations: Migration[]) {
  const { client } = run
  await client.query(`select ${buildSettingsSql({ isLocal: false })}`)
  await takeTurn(run, 'pg_try_advisory_lock')
  await prepareRecord(client)
  for (const migration of await listPendingMigrations(client, migrations)) {
    if (migration.isOnline) await runOnline(run, migration)
    else await retryWhileInUse(run, migration.tag, () => runInTransaction(run, migration))
  }
}

/**
 * Behind a pooler that lends its sessions only a transaction stays with us, so that all of it is one, and
 * indexes are built with their tables locked: `migrate` with Postgres itself in DATABASE_URL spares that.
 */
async function migrateAtOnce(run: MigrationRun, migrations: Migration[]) {
  const { client } = run
  await retryWhileInUse(run, 'the schema', async () => {
    await client.query('begin')
    await client.query(`select ${buildSettingsSql({ isLocal: true })}, ${buildLockTimeoutSql(run)}`)
    await takeTurn(run, 'pg_try_advisory_xact_lock')
    await prepareRecord(client)
    for (const migration of await listPendingMigrations(client, migrations)) {
      const statements = migration.statements.map(lockIndexedTable)
      await runStatements(run, { ...migration, statements })
    }
    await client.query('commit')
  })
}

/**
 * Asks again and again, and never waits in a statement: that has a snapshot, for whose end the building of an
 * index waits, which whoever has the turn may be at.
 */
async function takeTurn({ client, onProgress }: MigrationRun, lock: string) {
  for (;;) {
    const text = `select ${lock}(${MIGRATION_LOCK}) as taken`
    const { rows } = await client.query<{ taken: boolean }>(text)
    if (rows[0]?.taken) return
    onProgress(`another process is migrating${await describeLockHolder(client)}`)
    await sleep(TURN_RETRY_MS)
  }
}

/**
 * ` (pid 4711, vintem migrate from 10.0.0.7, since …)`; of another role Postgres shows neither from where nor since
 * when. Nothing where it has just ended.
 */
async function describeLockHolder(client: pg.Client) {
  const { rows } = await client.query<{ holder: string }>(LOCK_HOLDER_SQL)
  return rows[0] ? ` (${rows[0].holder})` : ''
}

const LOCK_HOLDER_SQL = `
select format('pid %s, %s', pid, coalesce(nullif(application_name, ''), usename::text))
  || case when backend_start is null then '' else format(' from %s, since %s', coalesce(host(client_addr), 'this machine'),
    to_char(backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')) end as holder
from pg_locks join pg_stat_activity using (pid)
where locktype = 'advisory' and granted and objid = ${MIGRATION_LOCK}
  and pg_locks.database = (select oid from pg_database where datname = current_database())`

async function runInTransaction(run: MigrationRun, migration: Migration) {
  const { client } = run
  await client.query('begin')
  await client.query(`select ${buildLockTimeoutSql(run)}`)
  await runStatements(run, migration)
  await client.query('commit')
}

async function runStatements(run: MigrationRun, migration: Migration) {
  for (const [i, statement] of migration.statements.entries()) {
    await runWatched(run, migration, i, statement)
  }
  await recordMigration(run.client, migration)
}

/** Stopped anywhere, all of it is run again. */
async function runOnline(run: MigrationRun, migration: Migration) {
  for (const [i, statement] of migration.statements.entries()) {
    await retryWhileInUse(run, migration.tag, () =>
      runOnlineStatement(run, migration, i, statement),
    )
  }
  await recordMigration(run.client, migration)
}

async function runOnlineStatement(
  run: MigrationRun,
  migration: Migration,
  i: number,
  statement: string,
) {
  const { client } = run
  // It lets others write while it waits, so that it may wait for as long as they take.
  if (isConcurrent(statement)) {
    await dropInvalidIndex(client, statement)
    return runWatched(run, migration, i, statement)
  }
  await client.query('begin')
  await client.query(`select ${buildLockTimeoutSql(run)}`)
  await runWatched(run, migration, i, statement)
  await client.query('commit')
}

async function runWatched(run: MigrationRun, migration: Migration, i: number, statement: string) {
  const label = `${migration.tag}, statement ${i + 1} of ${migration.statements.length}`
  await watchStatement({ ...run, label }, () => run.client.query(statement))
}

/** Gives way where a table is in use, so that nobody queues behind us, and comes back. */
async function retryWhileInUse(run: MigrationRun, what: string, work: () => Promise<unknown>) {
  const startedAt = performance.now()
  for (let waitMs = LOCK_RETRY_MS.first; ; waitMs = Math.min(waitMs * 2, LOCK_RETRY_MS.most)) {
    try {
      await work()
      return
    } catch (error) {
      await run.client.query('rollback').catch(() => {})
      const { code } = readSystemError(error)
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK_DETECTED) throw error
      if (performance.now() - startedAt > MAX_LOCK_WAIT_MS) throw buildInUseError(what, error)
      run.onProgress(`${what} gives way: a table is in use`)
      await sleep(waitMs)
    }
  }
}

function buildInUseError(what: string, cause: unknown) {
  const minutes = MAX_LOCK_WAIT_MS / MINUTE_MS
  const message = `A table that ${what} changes was in use for ${minutes} minutes: see in pg_stat_activity by whom, and start again.`
  return new Error(message, { cause })
}

/** Our role's own settings are for payments. */
function buildSettingsSql({ isLocal }: { isLocal: boolean }) {
  return `set_config('statement_timeout', '0', ${isLocal}), set_config('enable_seqscan', 'on', ${isLocal})`
}

function buildLockTimeoutSql({ lockTimeoutMs }: MigrationRun) {
  return `set_config('lock_timeout', '${lockTimeoutMs}', true)`
}
