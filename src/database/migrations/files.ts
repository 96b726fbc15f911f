// The migrations of this program, in the order of drizzle-kit's journal, and what a database has run of them. The
// database records them in the table of drizzle-kit's migrator.
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

export type Client = Pick<pg.ClientBase, 'query'>

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url))
const ONLINE_MARK = '-- online\n'

export function listMigrations(): Migration[] {
  const journal = readFileSync(`${MIGRATIONS_FOLDER}/meta/_journal.json`, 'utf8')
  const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(journal)
  return entries.map(({ tag, when }) =>
    parseMigration(tag, when, readFileSync(`${MIGRATIONS_FOLDER}/${tag}.sql`, 'utf8')),
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

/** Returns when the last migration that ran was written; 0 without any. Takes no lock and writes nothing. */
export async function readLastMigration(client: Client) {
  const { rowCount } = await client.query(
    "select where to_regclass('drizzle.__drizzle_migrations') is not null",
  )
  if (rowCount === 0) return 0
  const { rows } = await client.query<{ last: number }>(
    'select coalesce(max(created_at), 0)::float8 as last from drizzle.__drizzle_migrations',
  )
  return rows[0]?.last ?? 0
}

/** Creates the record of migrations, as drizzle-kit's migrator does. */
export async function prepareRecord(client: Client) {
  await client.query('create schema if not exists drizzle')
  await client.query(`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`)
}

export async function recordMigration(client: Client, { hash: sum, when }: Migration) {
  const text = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)'
  await client.query(text, [sum, when])
}
