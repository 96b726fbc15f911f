// Lists the migrations of this program, in the order of drizzle-kit's journal, and those that a database has not run.
// The database records them in the table of drizzle-kit's migrator.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

export type Migration = {
  tag: string
  /** When the migration was written (Unix milliseconds); the database records it by this. */
  when: number
  hash: string
  statements: string[]
  /** Its statements run one by one, outside a transaction, and may run twice (run.ts). */
  isOnline: boolean
}

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url))
const ONLINE_MARK = '-- online\n'

export function listMigrations(folder = MIGRATIONS_FOLDER): Migration[] {
  const journal = readFileSync(`${folder}/meta/_journal.json`, 'utf8')
  const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(journal)
  return entries.map(({ tag, when }) =>
    parseMigration(tag, when, readFileSync(`${folder}/${tag}.sql`, 'utf8')),
  )
}

export function parseMigration(tag: string, when: number, text: string): Migration {
  return {
    ...{ tag, when },
    hash: hash('sha256', text),
    statements: text.split('--> statement-breakpoint'),
    isOnline: text.startsWith(ONLINE_MARK),
  }
}

/** Whether this database lacks a migration; takes no lock and writes nothing. */
export async function hasPendingMigrations(client: pg.ClientBase, migrations: Migration[]) {
  const { rows } = await client.query<{ found: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as found",
  )
  if (!rows[0]?.found) return true
  return (await listPendingMigrations(client, migrations)).length > 0
}

export async function listPendingMigrations(client: pg.ClientBase, migrations: Migration[]) {
  const { rows } = await client.query<{ last: number }>(LAST_MIGRATION_SQL)
  const last = rows[0]?.last ?? 0
  return migrations.filter(({ when }) => when > last)
}

/** Reads when the last migration that ran was written; the table exists after `prepareRecord`. */
export const LAST_MIGRATION_SQL =
  'select coalesce(max(created_at), 0)::float8 as last from drizzle.__drizzle_migrations'

/** Creates the record of migrations, as drizzle-kit's migrator does. */
export async function prepareRecord(client: pg.ClientBase) {
  await client.query('create schema if not exists drizzle')
  await client.query(`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`)
}

export async function recordMigration(client: pg.ClientBase, { hash: sum, when }: Migration) {
  const text = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)'
  await client.query(text, [sum, when])
}
