// The Postgres that a run works on, durable as for a user: the embedded one, or one that is told; and databases of ours
// on it. What a run has started ends with it, and so does the embedded one's folder (reaper.ts).
import { runStatement } from '../support/postgres/statement.ts'
import { startPostgresWithPassword } from '../support/postgres/with-password.ts'
import { makeFolder } from '../support/processes/reaper.ts'

/** @param url of a server that runs already */
export function openServer(url: string | undefined) {
  if (url) return { url, stop: async () => {} }
  // With fewer checkpoints gigabytes come in faster.
  return startPostgresWithPassword(makeFolder('bench'), ['max_wal_size=16GB'])
}

/** An empty one, or a copy of `template`; what an earlier run left under that name goes. */
export async function createDatabase(serverUrl: string, name: string, template = 'template1') {
  await dropDatabase(serverUrl, name)
  await runStatement(serverUrl, `create database ${name} template ${template}`)
  return buildDatabaseUrl(serverUrl, name)
}

export async function dropDatabase(serverUrl: string, name: string) {
  await runStatement(serverUrl, `drop database if exists ${name} with (force)`)
}

export function buildDatabaseUrl(serverUrl: string, database: string) {
  return Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href
}
