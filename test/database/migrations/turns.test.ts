// What a start does before it migrates: it looks first, waits for its turn, and refuses a database it cannot use.
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
  return { release: () => holder.query('select pg_advisory_unlock_all()') }
}

test('a start with nothing to migrate does not wait', async () => {
  await holdTurn()

  await expect(runMigrations(url, listMigrations())).resolves.toBeUndefined()
})

test('a start that has to wait says so, and goes on when it has its turn', async () => {
  const { release } = await holdTurn()
  const said: string[] = []
  const next = parseMigration('next', Date.now(), 'create table next (id int)')

  const migrating = runMigrations(url, [next], { onProgress: (line) => said.push(line) })
  await expect.poll(() => said.length).toBeGreaterThan(0)
  await release()
  await migrating

  expect(said[0]).toBe('another process is migrating')
  await expect(db.$client.query('select from next')).resolves.toMatchObject({ rowCount: 0 })
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
      `Refused: this database is encoded as ${encoding}, and must be UTF8: create one with`,
    )
  },
)
