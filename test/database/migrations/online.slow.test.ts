// A table of a million rows changes while others write to it: no write fails or waits long, and what was
// stopped half-way is finished by the next start.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseMigration } from '../../../src/database/migrations/files.ts'
import { type MigrateOptions, runMigrations } from '../../../src/database/migrations/run.ts'
import { openDatabase } from '../../support/postgres/database.ts'

const ROWS = 1_000_000
/** A statement of ours gives way after half a second; this machine is shared. */
const MAX_WAIT_MS = 3_000

const { db, url } = await openDatabase()
let writtenAt = Date.now()

/** Migrates as one that is newer than all before it. */
function migrate(text: string, options: MigrateOptions = {}) {
  return runMigrations(url, [parseMigration('new', writtenAt++, text)], options)
}

const run = async (text: string, values: unknown[] = []) =>
  (await db.$client.query(text, values)).rows

async function isValid(index: string) {
  const found = await run('select indisvalid from pg_index where indexrelid = to_regclass($1)', [
    index,
  ])
  return found[0]?.indisvalid
}

/** Two who write without a pause; told to stop, they say how long a statement took at most. */
function startWriting() {
  const stopping = new AbortController()
  const seen = { writes: 0, longestMs: 0, failures: [] as unknown[] }
  const writers = [1, 2].map(writeOn)
  return async () => {
    stopping.abort()
    await Promise.all(writers)
    return { ...seen, longestMs: Math.round(seen.longestMs) }
  }

  async function writeOn() {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      await writeOnce(client).catch((error) => seen.failures.push(error))
      seen.longestMs = Math.max(seen.longestMs, performance.now() - startedAt)
      seen.writes++
    }
    await client.end()
  }

  async function writeOnce(client: pg.Client) {
    const reference = `${Math.floor(Math.random() * ROWS)}`
    if (seen.writes % 2) {
      const text = 'update sandbox_charges set amount_cents = amount_cents + 1 where reference = $1'
      return client.query(text, [reference])
    }
    return client.query(
      `insert into sandbox_charges (reference, scenario, status, amount_cents)
      values (gen_random_uuid()::text, 'ok', 'approved', 1000)`,
    )
  }
}

beforeAll(async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`insert into sandbox_charges (reference, scenario, status, amount_cents)
    select n, 'ok', 'approved', 1000 from generate_series(0, ${ROWS - 1}) n`)
  await client.end()
}, 60_000)

test('an index, a column and a check come to a million rows while others write', async () => {
  const progress: string[] = []
  const stopWriting = startWriting()
  const startedAt = performance.now()

  await migrate(
    `-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "charges_by_amount" ON "sandbox_charges" ("amount_cents","scenario","reference");
--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN IF NOT EXISTS "note" text DEFAULT 'none' NOT NULL;
--> statement-breakpoint
ALTER TABLE "sandbox_charges" DROP CONSTRAINT IF EXISTS "charges_positive",
  ADD CONSTRAINT "charges_positive" CHECK (amount_cents > 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "sandbox_charges" VALIDATE CONSTRAINT "charges_positive";`,
    { onProgress: (said) => progress.push(said) },
  )

  const tookMs = Math.round(performance.now() - startedAt)
  const { writes, longestMs, failures } = await stopWriting()
  console.log(`online: ${tookMs} ms, ${writes} writes meanwhile, the longest ${longestMs} ms`)
  expect(failures).toEqual([])
  expect(longestMs).toBeLessThan(MAX_WAIT_MS)
  expect(await isValid('charges_by_amount')).toBe(true)
  const checks = await run(
    `select convalidated from pg_constraint where conname = 'charges_positive'`,
  )
  expect(checks).toEqual([{ convalidated: true }])
  expect(progress.join('\n')).toMatch(/new, statement 1 of 4 \(\d+ s\)/)
})

test('processes that start together wait for the one that builds, and it for none of them', async () => {
  const online = `-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "charges_by_scenario" ON "sandbox_charges" ("scenario","reference");`
  const migration = parseMigration('new', writtenAt++, online)
  const progress: string[] = []
  const onProgress = (said: string) => progress.push(said)

  await Promise.all([1, 2, 3].map(() => runMigrations(url, [migration], { onProgress })))

  const seen = 'select from drizzle.__drizzle_migrations where created_at = $1'
  expect(await run(seen, [migration.when])).toHaveLength(1)
  expect(await isValid('charges_by_scenario')).toBe(true)
  expect(progress.join('\n')).toContain('another process is migrating')
})

test('what was killed half-way is finished by the next start', async () => {
  const online = `-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "charges_by_status" ON "sandbox_charges" ("status","reference","amount_cents");`
  const stopWriting = startWriting()
  const killed = migrate(online).catch((error: Error) => error.message)
  await expect
    .poll(
      () =>
        run(`select pid, pg_terminate_backend(pid) from pg_stat_progress_create_index
        where phase like 'building index%'`),
      { timeout: 20_000, interval: 20 },
    )
    .toHaveLength(1)

  const said = await killed
  const left = await isValid('charges_by_status')
  await migrate(online)

  const { longestMs, failures } = await stopWriting()
  console.log(`killed and built anew: the longest write took ${longestMs} ms`)
  expect(said).toMatch(/terminat/)
  expect(left).toBe(false)
  expect(failures).toEqual([])
  expect(longestMs).toBeLessThan(MAX_WAIT_MS)
  expect(await isValid('charges_by_status')).toBe(true)
})

test('a change that needs the table for itself gives way while somebody reads it', async () => {
  const reader = new pg.Client({ connectionString: url })
  await reader.connect()
  onTestFinished(() => reader.end())
  await reader.query('begin; select from sandbox_charges limit 1')
  const progress: string[] = []
  const stopWriting = startWriting()

  const migrating = migrate('ALTER TABLE "sandbox_charges" ADD COLUMN "other" integer;', {
    onProgress: (said) => progress.push(said),
  })
  const said = () => progress.join()
  await expect.poll(said, { timeout: 10_000 }).toContain('new waits: a table is in use')
  await sleep(MAX_WAIT_MS)
  await reader.query('commit')
  await migrating

  const { longestMs, failures } = await stopWriting()
  console.log(`giving way after half a second: the longest write took ${longestMs} ms`)
  expect(failures).toEqual([])
  expect(longestMs).toBeLessThan(MAX_WAIT_MS)
  expect(await run('select other from sandbox_charges limit 1')).toEqual([{ other: null }])
})

test('a change of two tables gives way before Postgres ends who writes to both', async () => {
  await run('create table halves (); create table wholes ()')
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  onTestFinished(() => writer.end())
  await writer.query('begin; insert into wholes default values')

  const migrating = migrate(
    [
      'ALTER TABLE "halves" ADD COLUMN "added" integer;',
      'SELECT pg_sleep(0.4);',
      'ALTER TABLE "wholes" ADD COLUMN "added" integer;',
    ].join('--> statement-breakpoint\n'),
  )
  await expect
    .poll(() => run(`select from pg_locks where relation = 'halves'::regclass and granted`), {
      interval: 10,
    })
    .toHaveLength(1)
  await writer.query('insert into halves default values')
  await writer.query('commit')
  await migrating

  const columns = await run(
    'select halves.added as half, wholes.added as whole from halves, wholes',
  )
  expect(columns).toEqual([{ half: null, whole: null }])
})
