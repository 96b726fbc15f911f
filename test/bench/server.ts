// The Postgres that a run works on: the embedded one as users have it, another one's binaries in a
// temporary folder, or one that is told; and databases of ours on it, which go with it.
import { rmSync } from 'node:fs'
import { startPackagedPostgres } from '../support/postgres/packaged.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { startPostgresWithPassword } from '../support/postgres/with-password.ts'
import { makeFolder } from '../support/processes/reaper.ts'

type ServerFlags = {
  /** The url of a server that runs already. */
  postgres?: string | undefined
  /** A folder with `bin`, such as /usr/lib/postgresql/15. */
  binaries?: string | undefined
}

/** What it starts is durable, as for a user, and gone when `cleanUp` is disposed of. */
export async function openServer(
  { postgres, binaries }: ServerFlags,
  cleanUp: AsyncDisposableStack,
) {
  if (postgres) return postgres
  // A bench that is killed leaves no gigabyte behind.
  const dataDir = makeFolder('bench')
  cleanUp.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const { url, stop } = binaries
    ? await startPackagedPostgres(binaries, dataDir)
    : await startPostgresWithPassword(dataDir)
  cleanUp.defer(stop)
  return url
}

/** An empty one; what an earlier run left under that name goes. */
export async function createDatabase(serverUrl: string, name: string, template = 'template1') {
  await dropDatabase(serverUrl, name)
  await runStatement(serverUrl, `create database ${name} template ${template}`)
  return at(serverUrl, name)
}

export async function dropDatabase(serverUrl: string, name: string) {
  await runStatement(serverUrl, `drop database if exists ${name} with (force)`)
}

export async function hasDatabase(serverUrl: string, name: string) {
  const found = await runStatement(serverUrl, `select from pg_database where datname = '${name}'`)
  return found.length > 0
}

export function at(serverUrl: string, database: string) {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
