// Databases for tests, cloned from the template of the run.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { connectDatabase, type Database } from '../../../src/database/connect.ts'

/** One connection for all files of a worker: to make it costs as much as to drop a database. */
let server: pg.Pool | undefined

export type OpenDatabase = Awaited<ReturnType<typeof createDatabase>>

/** A migrated, empty database of this file's own, dropped when the file is through. */
export async function openDatabase() {
  const { db, url, name } = await createDatabase()
  afterAll(async () => {
    await db.$client.end()
    await openServer().query(`drop database ${name} with (force)`)
  })
  return { db, url, name }
}

/** A migrated, empty database; it is dropped with its template when the run ends. */
export async function createDatabase() {
  const template = inject('template')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  // Copied as files: half the work of writing each page to the log.
  await openServer().query(`create database ${name} template ${template} strategy file_copy`)
  const url = Object.assign(new URL(inject('server')), { pathname: `/${name}` }).href
  const socket = inject('socketFolder')
  const db = connectDatabase(socket ? `${url}?host=${socket}` : url)
  return { db, url, name }
}

/** Without triggers and foreign keys, so in any order; to truncate costs a file for each index. */
const EMPTY_TABLES = `
  do $$
  declare name text;
  begin
    set local session_replication_role = replica;
    for name in select quote_ident(tablename) from pg_tables where schemaname = 'public' loop
      execute format('delete from %s', name);
    end loop;
  end $$`

/** As if it had just been migrated. */
export async function emptyDatabase(db: Database) {
  await db.$client.query(EMPTY_TABLES)
}

function openServer() {
  server ??= new pg.Pool({ connectionString: inject('server'), max: 1, allowExitOnIdle: true }).on(
    'error',
    () => {},
  )
  return server
}
