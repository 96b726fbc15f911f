// The Postgres that a run works on, durable as for a user: the embedded one in a folder that goes with the run, or one
// that is told; and databases of ours on it.
import { rmSync } from 'node:fs'
import { runStatement } from '../support/postgres/statement.ts'
import { startPostgresWithPassword } from '../support/postgres/with-password.ts'
import { makeFolder } from '../support/processes/reaper.ts'

/** Runs until the work is done or somebody ends it; what was deferred is done either way. */
export async function runToTheEnd(work: (cleanUp: AsyncDisposableStack) => Promise<void>) {
  const cleanUp = new AsyncDisposableStack()
  // The embedded Postgres by itself keeps no program going.
  const going = setInterval(() => {}, 60_000)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => cleanUp.disposeAsync().finally(() => process.exit(130)))
  }
  try {
    await work(cleanUp)
  } finally {
    await cleanUp.disposeAsync()
    clearInterval(going)
  }
}

/** @param url of a server that runs already */
export async function openServer(url: string | undefined, cleanUp: AsyncDisposableStack) {
  if (url) return url
  const dataDir = makeFolder('bench')
  cleanUp.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const server = await startPostgresWithPassword(dataDir)
  cleanUp.defer(server.stop)
  return server.url
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
  return Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href
}
