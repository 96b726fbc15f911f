// A Postgres that can be copied, followed and killed: a primary on a disk that may be small, and a standby
// that streams from it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareBinaries } from '../../../src/database/embedded/binaries.ts'
import { createCluster } from '../../../src/database/embedded/cluster.ts'
import {
  changeOwner,
  changeOwnerOfAll,
  UNPRIVILEGED_USER,
} from '../../../src/database/embedded/os-user.ts'
import { reservePort } from '../port.ts'
import { reapAtExit } from '../processes/reaper.ts'
import { runStatement } from './statement.ts'

const READY_WITHIN_MS = 30_000
const STANDBY_NAME = 'standby'

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'max_connections=200',
  'wal_level=replica',
  'hot_standby=on',
  'max_wal_size=64MB',
  'min_wal_size=32MB',
  'autovacuum=off',
]

type DatabaseServer = Awaited<ReturnType<typeof createServer>>

/** In a folder that does not exist; everybody on this machine may in, as superuser `postgres`. */
export async function startPrimary(folder: string) {
  createCluster({
    folder,
    logFile: '',
    binaries: BINARIES,
    account: UNPRIVILEGED_USER,
    settings: [],
  })
  const server = createServer(folder, await reservePort())
  await server.start()
  return server
}

const BINARIES = prepareBinaries(UNPRIVILEGED_USER)

/** From here on nothing is committed on `primary` that its standby in `folder` has not written. */
export async function startStandby(primary: DatabaseServer, folder: string) {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  cpSync(primary.folder, folder, { recursive: true, filter: isPartOfBackup })
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  writeFileSync(join(folder, 'backup_label'), rows[0].labelfile)
  writeFileSync(join(folder, 'standby.signal'), '')
  const { port } = new URL(primary.url)
  const follow = `host=127.0.0.1 port=${port} user=postgres application_name=${STANDBY_NAME}`
  const standby = createServer(folder, await reservePort(), [`primary_conninfo=${follow}`])
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    changeOwner(join(folder, path), UNPRIVILEGED_USER)
  }
  changeOwnerOfAll(folder, UNPRIVILEGED_USER)
  await standby.start()
  await runStatement(primary.url, `alter system set synchronous_standby_names = '${STANDBY_NAME}'`)
  await runStatement(primary.url, 'select pg_reload_conf()')
  return standby
}

function isPartOfBackup(path: string) {
  return !/postmaster\.(pid|opts)$/.test(path)
}

function createServer(folder: string, port: number, more: string[] = []) {
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  const settings = [...SETTINGS, ...more].flatMap((setting) => ['-c', setting])
  let server: ChildProcess | undefined

  return {
    folder,
    port,
    url,
    async start() {
      rmSync(join(folder, 'postmaster.pid'), { force: true })
      const program = join(BINARIES, 'bin', 'postgres')
      const started = reapAtExit(
        spawn(program, ['-D', '/proc/self/cwd', '-p', String(port), ...settings], {
          ...UNPRIVILEGED_USER,
          cwd: folder,
          env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
          stdio: 'ignore',
        }),
      )
      server = started
      await awaitAnswer(url, started)
    },
    isRunning: () => server !== undefined && !hasEnded(server),
    /** SIGQUIT is `pg_ctl stop -m immediate`. */
    async end(signal: 'SIGKILL' | 'SIGQUIT' = 'SIGKILL') {
      if (!server || hasEnded(server)) return
      server.kill(signal)
      await once(server, 'exit')
    },
    promote: () => runStatement(url, 'select pg_promote()'),
  }
}

async function awaitAnswer(url: string, server: ChildProcess) {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline && !hasEnded(server)) {
    const answered = await runStatement(url, 'select 1').then(
      () => true,
      () => false,
    )
    if (answered) return
    await sleep(20)
  }
  throw new Error('Postgres did not start')
}

function hasEnded({ exitCode, signalCode }: ChildProcess) {
  return exitCode !== null || signalCode !== null
}
