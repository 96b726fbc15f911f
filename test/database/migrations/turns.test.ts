// What a start does before it migrates: it looks first, names who has the turn, and refuses a database it cannot use.
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATION_LOCK } from '../../../src/database/locks.ts'
import { listMigrations, parseMigration } from '../../../src/database/migrations/files.ts'
import { runMigrations } from '../../../src/database/migrations/run.ts'
import { openDatabase } from '../../support/postgres/database.ts'

const { db, url } = await openDatabase()

/** A session that migrates, as another process has it. */
async function holdTurn() {
  const holder = new pg.Client({ connectionString: url, application_name: 'vintem migrate' })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
  return { pid: rows[0]?.pid, release: () => holder.query('select pg_advisory_unlock_all()') }
}

test('a start with nothing to migrate waits for nobody', async () => {
  await holdTurn()

  await expect(runMigrations(url, listMigrations())).resolves.toBeUndefined()
})

test('a start that has to wait says for whom', async () => {
  const { pid, release } = await holdTurn()
  const said: string[] = []
  const next = parseMigration('next', Date.now(), 'create table next (id int)')

  const migrating = runMigrations(url, [next], { onProgress: (line) => said.push(line) })
  await expect.poll(() => said.length).toBeGreaterThan(0)
  await release()
  await migrating

  expect(said[0]).toMatch(
    new RegExp(
      `^another process is migrating \\(pid ${pid}, vintem migrate from [^,]+, since [-\\d: ]+UTC\\)$`,
    ),
  )
})

test('of another role it says no more than may be seen', async () => {
  const { pid, release } = await holdTurn()
  const role = `vintem_test_other_${process.pid}`
  await db.$client.query(`
    create role ${role} login password 'outra';
    grant create on schema public to ${role};
    grant usage, create on schema drizzle to ${role};
    grant all on all tables in schema drizzle to ${role};
    grant all on all sequences in schema drizzle to ${role}`)
  onTestFinished(
    async () => void (await db.$client.query(`drop owned by ${role}; drop role ${role}`)),
  )
  const said: string[] = []
  const next = parseMigration('later', Date.now() + 1_000, 'create table later (id int)')
  const other = Object.assign(new URL(url), { username: role, password: 'outra' }).href

  const migrating = runMigrations(other, [next], { onProgress: (line) => said.push(line) })
  await Promise.race([migrating, expect.poll(() => said.length).toBeGreaterThan(0)])
  await release()
  await migrating.catch(() => {})

  expect(said[0]).toBe(`another process is migrating (pid ${pid}, vintem migrate)`)
})

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database that is encoded as %s is refused',
  async (encoding) => {
    const name = `vintem_test_${encoding.toLowerCase()}_${process.pid}`
    await db.$client.query(
      `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
    )
    onTestFinished(async () => void (await db.$client.query(`drop database ${name} with (force)`)))
    const other = Object.assign(new URL(url), { pathname: `/${name}` }).href

    await expect(runMigrations(other, listMigrations())).rejects.toThrow(
      `Refused: this database is encoded as ${encoding}, and has to be UTF8: make one with`,
    )
  },
)
