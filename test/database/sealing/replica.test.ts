// Reports are read at a replica of this database, and never at another one.
import { randomBytes } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { connectDatabase } from '../../../src/database/connect.ts'
import { readCanary, verifySecretKey } from '../../../src/database/sealing/canary.ts'
import { createCipher } from '../../../src/database/sealing/encryption.ts'
import { requireReplica } from '../../../src/database/sealing/replica.ts'
import { installation } from '../../../src/database/tables.ts'
import { openDatabase } from '../../support/postgres/database.ts'

const { db } = await openDatabase()
const { db: other } = await openDatabase()
const CONFIG = { databaseUrl: undefined, secretKey: undefined }
await verifySecretKey(db, createCipher(randomBytes(32)), CONFIG)
const REFUSED = /^Refused: DATABASE_READ_URL leads to another database than DATABASE_URL; [^\n]+\.$/

test('the same database, and one that is kept up with it, are replicas of it', async () => {
  await requireReplica(db, db)
  const [row] = await db.select().from(installation)
  await other.insert(installation).values(row!)
  await requireReplica(db, other)
  await other.delete(installation)
  await verifySecretKey(other, createCipher(randomBytes(32)), CONFIG)

  expect(row?.value).toBe(await readCanary(db))
})

test.each([
  ['that of another installation', other],
  ['one that holds none', connectDatabase(inject('server'), { max: 1 })],
])('%s ends the start with what to do', async (_what, replica) => {
  await expect(requireReplica(db, replica)).rejects.toThrow(REFUSED)
})

test('one that refuses us ends the start with its name and why', async () => {
  const none = Object.assign(new URL(inject('server')), { pathname: '/nada' }).href

  await expect(requireReplica(db, connectDatabase(none, { max: 1 }))).rejects.toThrow(
    /^DATABASE_READ_URL: database "nada" does not exist$/,
  )
})

test('one that is away lets the service start', async () => {
  const away = connectDatabase('postgres://nobody@127.0.0.1:9/none', { max: 1 })

  await expect(requireReplica(db, away)).resolves.toBeUndefined()
})
