// A Postgres for one test run: fast because nothing has to last, gone when the run is over.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UNPRIVILEGED } from '../../src/database/embedded-account.ts'
import { prepareBinaries } from '../../src/database/embedded-binaries.ts'
import {
  type Cluster,
  createCluster,
  freePort,
  startPostgres,
  stopPostgres,
} from '../../src/database/embedded-cluster.ts'

const settings = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=300',
  'max_wal_size=4GB',
  'autovacuum_naptime=10min',
]

// Ends with us however we end, killed included, and clears up.
const AFTER_US = `
  read -r _
  kill -QUIT "$2" 2>/dev/null
  for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$2" 2>/dev/null || break; sleep 0.05; done
  rm -rf "$1"`

/** Everybody on this machine may in, as superuser `postgres`. */
export async function startThrowaway() {
  const dir = mkdtempSync(join(tmpdir(), 'vintem-test-'))
  const folder = join(dir, 'data')
  const account = UNPRIVILEGED
  const binaries = prepareBinaries(account)
  const cluster = { folder, logFile: join(dir, 'log'), binaries, account, settings }
  const { pid, port } = await start(cluster).catch((error) => {
    rmSync(dir, { recursive: true, force: true })
    throw error
  })
  const watcher = watch(dir, pid)

  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      if (watcher) {
        watcher.ref()
        watcher.stdin.end()
        await once(watcher, 'exit')
      } else {
        await stopPostgres(folder, pid)
        rmSync(dir, { recursive: true, force: true })
      }
    },
  }
}

async function start(cluster: Cluster) {
  createCluster(cluster)
  return await startPostgres(cluster, await freePort()).ready
}

function watch(dir: string, pid: number) {
  if (process.platform === 'win32') return undefined
  const watcher = spawn('/bin/sh', ['-c', AFTER_US, 'sh', dir, String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  return watcher
}
