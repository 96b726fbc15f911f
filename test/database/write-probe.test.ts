import { expect, onTestFinished, test } from 'vitest'
import { connectDatabase, createWriteProbe } from '../../src/database/connect.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { runStatement } from '../support/postgres/statement.ts'

const { db, url, name } = await openDatabase()

async function readVersion() {
  const { rows } = await db.$client.query(
    `select xmin::text from installation where name = 'write_probe'`,
  )
  return rows
}

test('however often it is asked, the probe writes once in two seconds', async () => {
  let nowMs = 0
  const probe = createWriteProbe(db, () => nowMs)

  await Promise.all([probe(), probe(), probe()])
  const first = await readVersion()
  nowMs = 1_999
  await probe()
  const soon = await readVersion()
  nowMs = 2_000
  await probe()

  expect(first).toHaveLength(1)
  expect(soon).toEqual(first)
  expect(await readVersion()).not.toEqual(first)
})

test.each([
  ['a standby, which is read-only', 'default_transaction_read_only = on'],
  ['a disk with no room for another page', 'temp_file_limit = 0'],
])('%s fails the probe', async (_what, setting) => {
  const admin = Object.assign(new URL(url), { pathname: '/postgres' }).href
  await runStatement(admin, `alter database ${name} set ${setting}`)
  const refusing = connectDatabase(url)
  onTestFinished(() => refusing.$client.end())

  const refused = createWriteProbe(refusing)()
  await expect(refused).rejects.toThrow()
  await runStatement(admin, `alter database ${name} reset ${setting.split(' ')[0]}`)

  const mended = connectDatabase(url)
  onTestFinished(() => mended.$client.end())
  await expect(createWriteProbe(mended)()).resolves.toBeUndefined()
})
