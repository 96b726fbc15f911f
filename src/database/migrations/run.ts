// Migrates a schema while other processes keep writing. A migration is one transaction. One that begins with the line
// `-- online` is run statement by statement, so that indexes are built while others write. If it is interrupted it
// starts again, so its statements must allow to be run twice (test/database/migrations/rules.test.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readSystemError } from '../../system-error.ts'
import type { Database } from '../connect.ts'
import { requireFound } from '../found.ts'
import { SECOND_MS } from '../instant.ts'
import { MIGRATION_LOCK } from '../locks.ts'
import { applyRoleSettings, ownsSession } from '../session.ts'
import { FIRST_TAG, findMigrationRefusal, recordFirstMigration } from './earlier.ts'
import {
  listMigrations,
  type Migration,
  prepareRecord,
  readLastMigration,
  recordMigration,
} from './files.ts'

export type MigrateOptions = {
  /** Called again and again with a short text about the current step. */
  onProgress?: (progress: string) => void
}

type MigrationRun = Required<MigrateOptions> & { client: pg.Client }

/**
 * How long a statement waits for the lock of a table, while later statements of others wait behind it. Shorter than
 * `deadlock_timeout`, after which Postgres could end the payment that waits.
 */
const LOCK_TIMEOUT_MS = 500
/** The pause grows, so that others can use a busy table meanwhile. */
const LOCK_RETRY_MS = { first: 500, most: 10_000 }
const TURN_RETRY_MS = 250
const TABLE_IN_USE_CODES = ['55P03', '40P01']
const CONCURRENTLY = /(\bINDEX)\s+CONCURRENTLY\b/i
const BUILT_INDEX = /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+"?(\w+)"?/i

/**
 * Compares the schema of a database with this program's migrations: the number of those to be run, why they cannot be
 * run, and whether a newer version of the program has migrated it. `empty`: it has no tables of ours yet.
 */
export async function readSchemaState({ $client }: Database) {
  const migrations = listMigrations()
  const last = await readLastMigration($client)
  const empty = last === 0
  const pending = migrations.filter(({ when }) => when > last).length
  const [first] = migrations
  const refusal =
    first && pending > 0 && !empty ? await findMigrationRefusal($client, first) : undefined
  return { empty, pending, refusal, ahead: migrations.every(({ when }) => when < last) }
}

/** Migrates the schema. Processes that start together take turns, and others keep writing. */
export async function migrateDatabase(url: string, options: MigrateOptions = {}) {
  await runMigrations(url, listMigrations(), options)
  await applyRoleSettings(url)
}

/** Runs the pending migrations. */
export async function runMigrations(
  url: string,
  migrations: Migration[],
  { onProgress = () => {} }: MigrateOptions = {},
) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    application_name: 'vintem migrate',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await requireUtf8(client)
    const last = await readLastMigration(client)
    if (migrations.every(({ when }) => when <= last)) return
    await runPending({ client, onProgress }, migrations)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Refuses other encodings, in which a name with an emoji or an accent cannot be stored. */
async function requireUtf8(client: pg.Client) {
  const { rows } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  )
  const { encoding } = requireFound(rows[0])
  if (encoding === 'UTF8') return
  throw new Error(
    `Refused: this database is encoded as ${encoding}, and must be UTF8: create one with "create database … encoding 'UTF8' template template0", and name it in DATABASE_URL.`,
  )
}

/**
 * Behind a pooler that shares sessions only transactions are safe: each migration is one transaction there, and indexes
 * are built with their table locked.
 */
async function runPending(run: MigrationRun, migrations: Migration[]) {
  const { client } = run
  const isOurs = await ownsSession(client)
  if (isOurs) {
    await takeTurn(run, 'pg_try_advisory_lock')
    await setTimeLimits(client, { isLocal: false })
  }
  const first = migrations.find(({ tag }) => tag === FIRST_TAG)
  if (first) await runInTurn(run, 'the record', () => recordFirstMigration(client, first))
  for (const migration of migrations) {
    if (isOurs && migration.isOnline) await runOnline(run, migration)
    else await runInTurn(run, migration.tag, () => runWhole(run, migration))
  }
}

/**
 * Waits for our turn by asking again and again. It never waits inside a statement, because building an index, in the
 * process that has the turn, would wait for the end of that statement.
 */
async function takeTurn({ client, onProgress }: MigrationRun, lock: string) {
  for (;;) {
    const text = `select ${lock}(${MIGRATION_LOCK}) as taken`
    const { rows } = await client.query<{ taken: boolean }>(text)
    if (rows[0]?.taken) return
    onProgress('another process is migrating')
    await sleep(TURN_RETRY_MS)
  }
}

/** Runs `work` in a transaction, while no other process migrates. */
function runInTurn(run: MigrationRun, what: string, work: () => Promise<void>) {
  return runWhileUnused(run, what, async () => {
    await setTimeLimits(run.client, { isLocal: true })
    await takeTurn(run, 'pg_try_advisory_xact_lock')
    await prepareRecord(run.client)
    await work()
  })
}

async function runWhole(run: MigrationRun, migration: Migration) {
  if ((await readLastMigration(run.client)) >= migration.when) return
  for (const [i, statement] of migration.statements.entries()) {
    await runStatement(run, migration, i, statement.replace(CONCURRENTLY, '$1'))
  }
  await recordMigration(run.client, migration)
}

async function runOnline(run: MigrationRun, migration: Migration) {
  const { client } = run
  if ((await readLastMigration(client)) >= migration.when) return
  for (const [i, statement] of migration.statements.entries()) {
    const runIt = () => runStatement(run, migration, i, statement)
    if (CONCURRENTLY.test(statement)) {
      await dropInvalidIndex(client, statement)
      // It lets others write while it waits, so it may wait for any time.
      await runIt()
    } else {
      await runWhileUnused(run, migration.tag, runIt)
    }
  }
  await recordMigration(client, migration)
}

/** Drops the invalid index of an interrupted build: it is useless and slows every write. */
async function dropInvalidIndex(client: pg.Client, statement: string) {
  const name = BUILT_INDEX.exec(statement)?.[1]
  if (name === undefined) return
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [`"${name}"`],
  )
  if (rowCount === 1) await client.query(`drop index concurrently if exists "${name}"`)
}

async function runStatement(
  { client, onProgress }: MigrationRun,
  { tag, statements }: Migration,
  i: number,
  text: string,
) {
  let seconds = 0
  const reporting = setInterval(() => {
    seconds++
    onProgress(`${tag}, statement ${i + 1} of ${statements.length} (${seconds} s)`)
  }, SECOND_MS)
  await client.query(text).finally(() => clearInterval(reporting))
}

/**
 * Runs `work` in a transaction that gives way when a table is in use, so that statements of others do not wait behind
 * it, and tries again later.
 */
async function runWhileUnused(run: MigrationRun, what: string, work: () => Promise<void>) {
  const { client, onProgress } = run
  for (let waitMs = LOCK_RETRY_MS.first; ; waitMs = Math.min(waitMs * 2, LOCK_RETRY_MS.most)) {
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (!TABLE_IN_USE_CODES.includes(readSystemError(error).code)) throw error
      onProgress(`${what} waits: a table is in use (its users: pg_stat_activity)`)
      await sleep(waitMs)
    }
  }
}

/** The settings of our role are meant for payments. */
async function setTimeLimits(client: pg.Client, { isLocal }: { isLocal: boolean }) {
  await client.query(`select set_config('statement_timeout', '0', ${isLocal}),
    set_config('idle_in_transaction_session_timeout', '0', ${isLocal}),
    set_config('enable_seqscan', 'on', ${isLocal})`)
}
