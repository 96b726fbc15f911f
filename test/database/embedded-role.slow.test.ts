// The embedded Postgres serves an owner of the data who is no superuser, and refuses data that it can't serve.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareBinaries } from '../../src/database/embedded/binaries.ts'
import { createCluster, findRunningServer } from '../../src/database/embedded/cluster.ts'
import { UNPRIVILEGED_USER } from '../../src/database/embedded/os-user.ts'
import { migrateDatabase } from '../../src/database/migrations/run.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { requirePassword } from '../support/postgres/with-password.ts'
import { openEmbeddedRuns } from '../support/processes/embedded-runs.ts'
import { makeFolder } from '../support/processes/reaper.ts'

const scratch = makeFolder('embedded-role')
chmodSync(scratch, 0o755)
const { run } = openEmbeddedRuns(scratch)

function makeHome(name: string) {
  return makeFolder(`embedded-role-${name}`)
}

async function expectPlainOwner(url: string) {
  const run = (statement: string) => runStatement(url, statement)
  const asSuperuser = Object.assign(new URL(url), { username: 'postgres' }).href
  await expect(run("copy (select 1) to program 'true'")).rejects.toMatchObject({ code: '42501' })
  await expect(run("select pg_read_file('/etc/passwd')")).rejects.toMatchObject({ code: '42501' })
  await expect(runStatement(asSuperuser, 'select 1')).rejects.toMatchObject({ code: '28P01' })
}

test('a new one runs no programs and reads no files for the service, which makes all that it needs', async () => {
  const { url, end } = await run(makeHome('new'))

  await migrateDatabase(url)

  await expectPlainOwner(url)
  await end()
})

test('data that is older than the role of the service is told in one sentence, and is left as it is', async () => {
  const home = makeHome('older')
  const account = UNPRIVILEGED_USER
  const folder = join(home, 'postgres')
  const logFile = join(home, 'postgres.log')
  const cluster = { folder, logFile, binaries: prepareBinaries(account), account, settings: [] }
  createCluster(cluster, (fresh) => requirePassword(fresh, 'segredo'))

  const { refused } = await run(home)

  expect(refused).toBe(
    'The embedded Postgres does not start (its data is older than the role of the service: start commit 638e0d07 on it once): set DATABASE_URL to a Postgres of your own.',
  )
  expect(findRunningServer(folder)).toBeUndefined()
  expect(existsSync(join(home, 'postgres-password'))).toBe(false)
})

test('data of another major version of Postgres is told in one sentence', async () => {
  const home = makeHome('major')
  mkdirSync(join(home, 'postgres'))
  writeFileSync(join(home, 'postgres/PG_VERSION'), '17\n')

  const { refused } = await run(home)

  expect(refused).toBe(
    `${join(home, 'postgres')} holds data of Postgres 17, and this version comes with Postgres 18, which cannot read it: set DATABASE_URL to a Postgres of your own.`,
  )
})
