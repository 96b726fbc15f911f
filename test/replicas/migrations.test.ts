// Migrations behind a pooler that lends its sessions: only a transaction is ours there, and each migration is one.
import { expect, onTestFinished, test } from 'vitest'
import { parseMigration } from '../../src/database/migrations/files.ts'
import { runMigrations } from '../../src/database/migrations/run.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { findPoolers, startPooler } from '../support/processes/pooler.ts'

const { db, url } = await openDatabase()
const [pooler] = findPoolers()
if (!pooler) throw new Error('There is no PgBouncer here: name one by PGBOUNCER')

async function openPooler() {
  const behind = await startPooler(pooler!, url, { poolSize: 2 })
  onTestFinished(behind.end)
  return behind.url
}

test('processes that start together behind a pooler migrate once, indexes included', async () => {
  const behind = await openPooler()
  const migration = parseMigration(
    'new',
    Date.now(),
    `-- online
CREATE INDEX CONCURRENTLY IF NOT EXISTS "events_by_type" ON "events" ("type");
--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT IF EXISTS "events_type", ADD CONSTRAINT "events_type" CHECK (type <> '') NOT VALID;
--> statement-breakpoint
ALTER TABLE "events" VALIDATE CONSTRAINT "events_type";`,
  )

  await Promise.all([1, 2].map(() => runMigrations(behind, [migration])))

  const seen = 'select from drizzle.__drizzle_migrations where created_at = $1'
  expect((await db.$client.query(seen, [migration.when])).rowCount).toBe(1)
  const index = "select indisvalid from pg_index where indexrelid = to_regclass('events_by_type')"
  expect((await db.$client.query(index)).rows).toEqual([{ indisvalid: true }])
})
