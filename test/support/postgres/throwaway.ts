// A Postgres for one test run: fast because nothing has to last, in memory where there is enough of it,
// gone when the run is over.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareBinaries } from '../../../src/database/embedded/binaries.ts'
import {
  type Cluster,
  createCluster,
  findRunningServer,
  IS_LINUX,
  startPostgres,
} from '../../../src/database/embedded/cluster.ts'

import { UNPRIVILEGED_USER } from '../../../src/database/embedded/os-user.ts'
import { reservePort } from '../port.ts'

const SERVER_SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_connections=300',
  'max_wal_size=1GB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
  'jit=off',
  // Most statements are run once or twice on a connection: planned once for all values, not for each.
  'plan_cache_mode=force_generic_plan',
  ...(IS_LINUX ? ['unix_socket_directories=/proc/self/cwd'] : []),
]

/** The path of a socket has 107 characters at most, `/.s.PGSQL.65535` being 15 of them. */
const MAX_SOCKET_FOLDER_LENGTH = 92

/** A folder of Linux; in a container it may hold next to nothing. */
const MEMORY = '/dev/shm'
const ROOM_BYTES = 2 * 1_024 ** 3

// Ends with us however we end, killed included, and clears up.
const CLEAN_UP_SCRIPT = `
  read -r _
  pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
  kill -QUIT "$pid" 2>/dev/null
  for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
  rm -rf "$1"`

type ThrowawayOptions = {
  /** Whether what was committed outlives a crash of the server. */
  lasting?: boolean
}

/** How a server ends: when its last session has, by cutting off each, or it just drops dead and recovers later. */
export type Halt = keyof typeof HALT_SIGNALS
const HALT_SIGNALS = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** Everybody on this machine may in, as superuser `postgres`. */
export async function startThrowawayPostgres({ lasting = false }: ThrowawayOptions = {}) {
  const dir = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'vintem-test-'))
  const folder = join(dir, 'data')
  const account = UNPRIVILEGED_USER
  const binaries = prepareBinaries(account)
  const commits = `synchronous_commit=${lasting ? 'on' : 'off'}`
  const options = { binaries, account, settings: [...SERVER_SETTINGS, commits] }
  const cluster = { folder, logFile: join(dir, 'log'), ...options }
  let running = await startCluster(cluster).catch((error) => {
    rmSync(dir, { recursive: true, force: true })
    throw error
  })
  const { port } = running
  const watcher = watchParent(dir)

  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    /** Where its Unix socket is, which costs a third less than TCP; only the account of this process may in. */
    socketFolder: IS_LINUX && folder.length <= MAX_SOCKET_FOLDER_LENGTH ? folder : null,
    async halt(how: Halt) {
      process.kill(running.pid, HALT_SIGNALS[how])
      while (findRunningServer(folder)) await sleep(5)
    },
    /** On the same port, with the same data. */
    async resume() {
      running = await startPostgres(cluster, port)
    },
    async stop() {
      if (watcher) {
        watcher.ref()
        watcher.stdin.end()
        await once(watcher, 'exit')
      } else {
        await running.stop()
        rmSync(dir, { recursive: true, force: true })
      }
    },
  }
}

function hasRoom(folder: string) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ROOM_BYTES
  } catch {
    return false
  }
}

async function startCluster(cluster: Cluster) {
  createCluster(cluster)
  return await startPostgres(cluster, await reservePort())
}

function watchParent(dir: string) {
  if (process.platform === 'win32') return undefined
  const watcher = spawn('/bin/sh', ['-c', CLEAN_UP_SCRIPT, 'sh', dir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  return watcher
}
