// PgBouncer in transaction mode before a server of the test's.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeOwner, UNPRIVILEGED_USER } from '../../../src/database/embedded/os-user.ts'
import { reservePort } from '../port.ts'
import { makeFolder, reapAtExit } from './reaper.ts'

const READY_WITHIN_MS = 10_000
/** Since 1.21 it can keep what clients prepare; nothing of ours may need that. */
const PREPARING_VERSION = 21

type Pooler = { program: string; version: number }

/** Those of this machine: the one that `PGBOUNCER` names, and the one on the path. */
export function findPoolers(): Pooler[] {
  return [process.env.PGBOUNCER, 'pgbouncer'].flatMap((program) => {
    if (!program) return []
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    const [, minor] = /PgBouncer 1\.(\d+)/.exec(stdout ?? '') ?? []
    return minor ? [{ program, version: Number(minor) }] : []
  })
}

/** Lends up to `poolSize` connections to the server that `databaseUrl` names; `end` stops it. */
export async function startPooler(pooler: Pooler, databaseUrl: string, { poolSize = 5 } = {}) {
  const server = new URL(databaseUrl)
  const port = await reservePort()
  const folder = makeFolder('pooler')
  const file = join(folder, 'pgbouncer.ini')
  const password = server.password && ` password=${decodeURIComponent(server.password)}`
  const settings = `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
server_login_retry = 1
${pooler.version >= PREPARING_VERSION ? 'max_prepared_statements = 0' : ''}
`
  writeFileSync(file, settings)
  for (const path of [folder, file]) changeOwner(path, UNPRIVILEGED_USER)
  const program = copyIfNamedByPath(pooler, folder)
  let child = await launch()
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    kill,
    /** On the same port, with the same settings. */
    async resume() {
      child = await launch()
    },
    async end() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function launch() {
    const options = { ...UNPRIVILEGED_USER, stdio: 'ignore' } as const
    const started = reapAtExit(spawn(program, ['-q', file], options))
    await awaitPort(started, port)
    return started
  }

  async function kill() {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

/** It may lie where the account that it runs as cannot go. */
function copyIfNamedByPath({ program }: Pooler, folder: string) {
  if (!program.includes('/')) return program
  const copy = join(folder, 'pgbouncer')
  copyFileSync(program, copy)
  return copy
}

async function awaitPort(child: ChildProcess, port: number) {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (open) return
    await sleep(25)
  }
  throw new Error('PgBouncer did not start')
}
