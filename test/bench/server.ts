// The Postgres that a run works on: the embedded one as users have it, another one's binaries in a
// temporary folder, or one that is told; and databases of ours on it, which go with it.
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, stopPostgres } from '../../src/database/embedded/cluster.ts'
import { UNPRIVILEGED_USER } from '../../src/database/embedded/os-user.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/server.ts'
import { reservePort } from '../support/port.ts'
import { runStatement } from '../support/postgres/statement.ts'

type ServerFlags = {
  /** The url of a server that runs already. */
  postgres?: string | undefined
  /** A folder with `bin`, such as /usr/lib/postgresql/15. */
  binaries?: string | undefined
}

const QUIET = { info() {}, warn() {}, error() {} }

/** What it starts is durable, as for a user, and gone when `cleanUp` is disposed of. */
export async function openServer(
  { postgres, binaries }: ServerFlags,
  cleanUp: AsyncDisposableStack,
) {
  if (postgres) return postgres
  const dataDir = mkdtempSync(join(tmpdir(), 'vintem-bench-'))
  cleanUp.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const { url, stop } = binaries
    ? await startBinaries(binaries, dataDir)
    : await startEmbeddedPostgres({ dataDir, log: QUIET })
  cleanUp.defer(stop)
  return url
}

/** As their packager has set them, JIT included. */
async function startBinaries(binaries: string, dataDir: string) {
  const account = UNPRIVILEGED_USER
  const folder = join(dataDir, 'postgres')
  mkdirSync(folder, { mode: 0o700 })
  for (const path of [dataDir, folder]) {
    if (account.uid !== undefined && account.gid !== undefined)
      chownSync(path, account.uid, account.gid)
  }
  const args = ['-D', folder, '-U', 'postgres', '-E', 'UTF8', '--locale', 'C.UTF-8', '-A', 'trust']
  const made = spawnSync(join(binaries, 'bin', 'initdb'), args, {
    ...account,
    cwd: folder,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw made.error ?? new Error(made.stderr)
  const cluster = {
    folder,
    logFile: join(dataDir, 'postgres.log'),
    binaries,
    account,
    settings: [],
  }
  const { pid, port } = await startPostgres(cluster, await reservePort())
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop: () => stopPostgres(folder, pid),
  }
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
