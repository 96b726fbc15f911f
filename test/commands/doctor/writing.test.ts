import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { checkDisk, checkWriting } from '../../../src/commands/doctor/writing.ts'
import { connectDatabase } from '../../../src/database/connect.ts'
import { installation } from '../../../src/database/tables.ts'
import { openDatabase } from '../../support/postgres/database.ts'
import { runStatement } from '../../support/postgres/statement.ts'

const { db, url } = await openDatabase()
const role = `vintem_${randomBytes(6).toString('hex')}`

async function checkWith(setting: string) {
  const options = new URLSearchParams({ options: `-c ${setting}` })
  const other = connectDatabase(Object.assign(new URL(url), { search: `?${options}` }).href)
  const finding = await checkWriting(other)
  await other.$client.end()
  return finding
}

async function createReader() {
  await runStatement(url, `create role ${role}`)
  onTestFinished(async () => {
    await runStatement(url, `drop owned by ${role}; drop role ${role}`)
  })
  await runStatement(
    url,
    `grant usage on schema public to ${role}; grant select on all tables in schema public to ${role}`,
  )
}

test('a database that can be written is left as it was', async () => {
  const before = await db.$count(installation)

  expect(await checkWriting(db)).toEqual({
    status: 'ok',
    what: 'writing: the database can be written',
  })
  expect(await db.$count(installation)).toBe(before)
})

test('one whose transactions are read-only is broken', async () => {
  const finding = await checkWith('default_transaction_read_only=on')

  expect(finding).toEqual({
    status: 'fail',
    what: 'writing: this database is read-only',
    advice: expect.stringContaining('default_transaction_read_only'),
  })
})

test('so is one in which our role may only read', async () => {
  await createReader()
  const database = new URL(url).pathname.slice(1)

  const reader = await checkWith(`role=${role}`)
  await runStatement(url, `grant create on database ${database} to ${role}`)
  const creator = await checkWith(`role=${role}`)

  expect(reader).toMatchObject({
    status: 'fail',
    what: `writing: ${role} may create nothing in this database, and the service does not start`,
    advice: expect.stringContaining('owns its database'),
  })
  expect(creator).toMatchObject({
    status: 'fail',
    what: expect.stringMatching(
      new RegExp(
        `^writing: ${role} may not write \\d\\d of the tables \\(abuse_reports, .*, …\\)$`,
      ),
    ),
  })
})

test('the room on the disk of the embedded Postgres is told', async () => {
  const { what } = await checkDisk(import.meta.dirname)

  expect(what).toMatch(/^disk: \d{1,3} % of it are free where the data is$/)
})
