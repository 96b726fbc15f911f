import { expect, test } from 'vitest'
import { createWriteProbe } from '../../src/database/connect.ts'
import { openDatabase } from '../support/postgres/database.ts'

const { db } = await openDatabase()

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
