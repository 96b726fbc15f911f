import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { gather } from '../src/database/gather.ts'
import { newId } from '../src/database/id.ts'
import { toIso } from '../src/database/instant.ts'
import { type Channel, type Listener, listen } from '../src/database/listen.ts'
import { migrate } from '../src/database/migrate.ts'
import { remember } from '../src/database/remember.ts'
import { sealWith } from '../src/database/seal.ts'
import { ask } from './support/ask.ts'
import { openDatabase } from './support/database.ts'

const { db, url } = await openDatabase()
const ROOT = join(import.meta.dirname, '..')
const MIGRATIONS = readdirSync(join(ROOT, 'migrations')).filter((file) => file.endsWith('.sql'))

const listener = listen(url, () => {})
afterAll(() => listener.close())

const notify = (channel: Channel, payload: string) =>
  db.$client.query('select pg_notify($1, $2)', [channel, payload])

/** A promise that is kept from outside. */
function promised<T>() {
  return Promise.withResolvers<T>()
}

/** Writes rows of `installation`, whose names are unique, and tells of each statement. */
function gatheredInserts(limits: Parameters<typeof gather>[1]) {
  const statements: string[][] = []
  const insert = gather(async (names: string[]) => {
    statements.push(names)
    const text = `insert into installation (name, value) select name, name from unnest($1::text[]) name
      returning name`
    const { rows } = await db.$client.query<{ name: string }>(text, [names])
    return rows.map(({ name }) => name)
  }, limits)
  return { insert, statements }
}

test('what is asked for while statements are under way goes into the next one together', async () => {
  const { insert, statements } = gatheredInserts({ atOnce: 1, rows: 3 })
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
  const { insert, statements } = gatheredInserts({ atOnce: 1 })
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

/** Remembers texts by key; `loads` tells what was read, and `answer` how. */
function remembering(on: Listener = listener, max = 10) {
  const loads: string[] = []
  const how = { answer: async (key: string): Promise<string | undefined> => `${key}!` }
  const load = (key: string) => {
    loads.push(key)
    return how.answer(key)
  }
  const ends = (value: string, payload: string) => value === `${payload}!`
  return { find: remember(load, { listener: on, forget: { link_changed: ends }, max }), loads, how }
}

test('what was read is remembered until the database says that it changed', async () => {
  await expect.poll(listener.isLive).toBe(true)
  const { find, loads } = remembering()
  await find('a')
  await find('b')

  expect([await find('a'), await find('b'), loads]).toEqual(['a!', 'b!', ['a', 'b']])
  await notify('link_changed', 'a')

  await expect.poll(async () => [await find('a'), loads.length]).toEqual(['a!', 3])
  await find('b')
  expect(loads).toEqual(['a', 'b', 'a'])
})

test('equal questions at once share one load, and nothing found is asked for again', async () => {
  const { find, loads, how } = remembering()
  expect(await Promise.all([find('a'), find('a'), find('a')])).toEqual(['a!', 'a!', 'a!'])

  how.answer = async () => undefined
  expect([await find('b'), await find('b')]).toEqual([undefined, undefined])

  expect(loads).toEqual(['a', 'b', 'b'])
})

test('a load that fails is not remembered', async () => {
  const { find, how } = remembering()
  how.answer = () => Promise.reject(new Error('no database'))
  await expect(find('a')).rejects.toThrow('no database')

  how.answer = async () => 'here'

  expect(await find('a')).toBe('here')
})

test('what changes while it is read is not remembered', async () => {
  const { find, loads, how } = remembering()
  const [read, heard] = [promised<string>(), promised<void>()]
  listener.on('link_changed', (payload) => payload === 'a' && heard.resolve())
  how.answer = () => read.promise
  const asked = find('a')

  await notify('link_changed', 'a')
  await heard.promise
  read.resolve('old')
  expect(await asked).toBe('old')

  how.answer = async () => 'new'
  expect([await find('a'), await find('a'), loads.length]).toEqual(['new', 'new', 2])
})

test('no more is remembered than was allowed, and the oldest is forgotten first', async () => {
  const { find, loads } = remembering(listener, 2)

  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await find(key)

  expect(loads).toEqual(['a', 'b', 'c', 'a'])
})

test('nothing is remembered while changes cannot be heard', async () => {
  const errors: Error[] = []
  const deaf = listen('postgres://127.0.0.1:1/nowhere', (error) => errors.push(error))
  onTestFinished(() => deaf.close())
  const { find, loads } = remembering(deaf)

  for (let i = 0; i < 3; i++) expect(await find('a')).toBe('a!')

  expect(deaf.isLive()).toBe(false)
  expect(loads).toEqual(['a', 'a', 'a'])
  await expect.poll(() => errors.length).toBeGreaterThan(0)
})

test('when the listener was cut off everything is forgotten, and remembered again later', async () => {
  const { find, loads } = remembering()
  await find('a')

  await ask(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'vintem listener' and datname = current_database()`,
  )

  await expect.poll(listener.isLive).toBe(false)
  await find('a')
  expect(loads).toEqual(['a', 'a'])
  await expect.poll(listener.isLive, { timeout: 5_000 }).toBe(true)
  await find('a')
  await find('a')
  expect(loads).toEqual(['a', 'a', 'a'])
})

test('processes that start together on an empty database migrate it once', async () => {
  const name = `vintem_test_${randomBytes(6).toString('hex')}`
  await ask(inject('server'), `create database ${name}`)
  onTestFinished(() => ask(inject('server'), `drop database ${name} with (force)`).then(() => {}))
  const empty = Object.assign(new URL(url), { pathname: `/${name}` }).href

  await Promise.all([migrate(empty), migrate(empty), migrate(empty)])
  await migrate(empty)

  const journal = await ask(empty, 'select * from drizzle.__drizzle_migrations')
  expect(journal).toHaveLength(MIGRATIONS.length)
  expect(await ask(empty, 'select * from payment_links')).toEqual([])
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

test('what is sealed is opened with the same key only, and only as it was closed', () => {
  const [seal, other] = [sealWith(randomBytes(32)), sealWith(randomBytes(32))]
  const sealed = seal.close('whsec_segredo 🔑')

  expect(seal.open(sealed)).toBe('whsec_segredo 🔑')
  expect(seal.open(seal.close(''))).toBe('')
  expect(sealed.includes('whsec_')).toBe(false)
  expect(seal.close('whsec_segredo 🔑').equals(sealed)).toBe(false)
  expect(() => other.open(sealed)).toThrow()
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => seal.open(changed)).toThrow()
  }
  expect(() => seal.open(sealed.subarray(0, 20))).toThrow()
})

test.each([
  ['2026-01-01 00:00:00+00', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01 00:00:00.1+00', '2026-01-01T00:00:00.100Z'],
  ['2026-01-01 00:00:00.12+00', '2026-01-01T00:00:00.120Z'],
  ['2026-01-01 00:00:00.123+00', '2026-01-01T00:00:00.123Z'],
  ['2026-01-01 00:00:00.5-03', '2026-01-01T03:00:00.500Z'],
])('the instant %s is told as %s', (text, iso) => {
  expect(toIso(text)).toBe(iso)
})
