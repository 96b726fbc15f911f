import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { batchCalls } from '../../src/database/batch.ts'
import { newId } from '../../src/database/id.ts'
import { normalizePostgresInstant } from '../../src/database/instant.ts'
import { migrateDatabase } from '../../src/database/migrations/run.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { runStatement } from '../support/postgres/statement.ts'

const { db, url } = await openDatabase()
const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS = readdirSync(join(ROOT, 'migrations')).filter((file) => file.endsWith('.sql'))

/** Writes rows of `installation`, where names are unique, and lists each statement. */
function gatheredInserts(limits: Parameters<typeof batchCalls>[1]) {
  const statements: string[][] = []
  const insert = batchCalls(async (names: string[]) => {
    statements.push(names)
    const text = `insert into installation (name, value) select name, name from unnest($1::text[]) name
      returning name`
    const { rows } = await db.$client.query<{ name: string }>(text, [names])
    return rows.map(({ name }) => name)
  }, limits)
  return { insert, statements }
}

test('what is asked for while statements are under way goes into the next one together', async () => {
  const { insert, statements } = gatheredInserts({ concurrency: 1, maxItems: 3 })
  const names = Array.from({ length: 6 }, () => newId())

  const first = insert(names[0]!)
  await new Promise(setImmediate)
  const others = names.slice(1).map(insert)

  expect(await Promise.all([first, ...others])).toEqual(names)
  expect(statements).toEqual([names.slice(0, 1), names.slice(1, 4), names.slice(4)])
})

test('a call is answered when its own row can be read by others', async () => {
  const { insert } = gatheredInserts({})
  const names = Array.from({ length: 40 }, () => newId())

  await Promise.all(
    names.map(async (name) => {
      await insert(name)
      const found = await db.$client.query('select from installation where name = $1', [name])
      expect(found.rowCount).toBe(1)
    }),
  )
})

test('of rows that are written together a bad one fails alone', async () => {
  const { insert, statements } = gatheredInserts({ concurrency: 1 })
  const [taken, ...good] = Array.from({ length: 4 }, () => newId())
  await insert(taken!)

  const settled = await Promise.allSettled([good[0]!, taken!, good[1]!, good[2]!].map(insert))

  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect(settled[1]).toMatchObject({ reason: { constraint: 'installation_pkey' } })
  expect(settled[3]).toMatchObject({ value: good[2] })
  expect(statements[1]).toHaveLength(4)
  expect(await insert(newId())).toBeTruthy()
})

test('processes that start together on an empty database migrate it once', async () => {
  const name = `vintem_test_${randomBytes(6).toString('hex')}`
  await runStatement(inject('server'), `create database ${name}`)
  onTestFinished(() =>
    runStatement(inject('server'), `drop database ${name} with (force)`).then(() => {}),
  )
  const empty = Object.assign(new URL(url), { pathname: `/${name}` }).href

  await Promise.all([migrateDatabase(empty), migrateDatabase(empty), migrateDatabase(empty)])
  await migrateDatabase(empty)

  const journal = await runStatement(empty, 'select * from drizzle.__drizzle_migrations')
  expect(journal).toHaveLength(MIGRATIONS.length)
  expect(await runStatement(empty, 'select * from payment_links')).toEqual([])
})

test('the migrations say all that the tables say', { timeout: 30_000 }, async () => {
  const copy = mkdtempSync(join(tmpdir(), 'vintem-migrations-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const part of ['drizzle.config.ts', 'package.json', 'migrations', 'src/database']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const kit = join(ROOT, 'node_modules/drizzle-kit/bin.cjs')

  const { stdout } = await promisify(execFile)(process.execPath, [kit, 'generate'], { cwd: copy })

  expect(stdout).toContain('No schema changes')
  expect(readdirSync(join(copy, 'migrations'))).toEqual(readdirSync(join(ROOT, 'migrations')))
})

test.each([
  ['2026-01-01 00:00:00+00', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01 00:00:00.1+00', '2026-01-01T00:00:00.100Z'],
  ['2026-01-01 00:00:00.12+00', '2026-01-01T00:00:00.120Z'],
  ['2026-01-01 00:00:00.123+00', '2026-01-01T00:00:00.123Z'],
  ['2026-01-01 00:00:00.5-03', '2026-01-01T03:00:00.500Z'],
])('the instant %s is told as %s', (text, iso) => {
  expect(normalizePostgresInstant(text)).toBe(iso)
})
