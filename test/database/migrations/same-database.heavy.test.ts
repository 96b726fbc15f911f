import { randomBytes } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { checkPooler } from '../../../src/commands/doctor/pooler.ts'
import { migrateDatabase } from '../../../src/database/migrate.ts'
import { isSameDatabase } from '../../../src/database/migrations/same-database.ts'
import { isOutage } from '../../../src/outage.ts'
import { openDatabase } from '../../support/postgres/database.ts'
import { runStatement } from '../../support/postgres/statement.ts'

const { db, url } = await openDatabase()
const change = (parts: Partial<URL>) => Object.assign(new URL(url), parts).href
const NOWHERE = 'postgres://nobody@127.0.0.1:9/none'

async function createEmptyDatabase() {
  const name = `vintem_test_${randomBytes(6).toString('hex')}`
  await runStatement(inject('server'), `create database ${name}`)
  onTestFinished(async () => {
    await runStatement(inject('server'), `drop database ${name} with (force)`)
  })
  return change({ pathname: `/${name}` })
}

test('two addresses of one database are told from those of two, empty or not', async () => {
  const empty = await createEmptyDatabase()
  const spelled = Object.assign(new URL(empty), { search: '?application_name=directly' }).href

  expect(await isSameDatabase({ url, directUrl: change({ search: '?keepalives=1' }) })).toBe(true)
  expect(await isSameDatabase({ url: empty, directUrl: spelled })).toBe(true)
  expect(await isSameDatabase({ url, directUrl: empty })).toBe(false)
  expect(await isSameDatabase({ url: empty, directUrl: url })).toBe(false)
})

test('neither of two databases is migrated', async () => {
  const [one, other] = [await createEmptyDatabase(), await createEmptyDatabase()]

  await expect(migrateDatabase(one, other)).rejects.toThrow(
    /^Refused: DATABASE_DIRECT_URL leads to another database than DATABASE_URL; [^\n]+\.$/,
  )

  for (const each of [one, other]) {
    const schemas = `select from pg_namespace where nspname = 'drizzle'`
    expect(await runStatement(each, schemas)).toEqual([])
  }
})

test('a direct address that leads nowhere is named, and waited for', async () => {
  const failed = await migrateDatabase(url, NOWHERE).catch((error) => error)

  expect(failed.message).toBe('DATABASE_DIRECT_URL: connect ECONNREFUSED 127.0.0.1:9')
  expect(isOutage(failed)).toBe(true)
})

test('the doctor tells of a direct address that leads elsewhere or nowhere', async () => {
  const [elsewhere] = await checkPooler(db, { url, directUrl: await createEmptyDatabase() })
  const [nowhere] = await checkPooler(db, { url, directUrl: NOWHERE })

  expect(elsewhere).toMatchObject({
    status: 'fail',
    what: 'pooler: DATABASE_DIRECT_URL leads to another database than DATABASE_URL',
  })
  expect(nowhere).toMatchObject({
    status: 'fail',
    what: 'pooler: DATABASE_DIRECT_URL: connect ECONNREFUSED 127.0.0.1:9',
  })
})
