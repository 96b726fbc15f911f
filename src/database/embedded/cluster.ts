// Creates, starts, finds and stops the Postgres of one data folder. Postgres has this folder as its working directory,
// entered before root rights are dropped, and names it /proc/self/cwd: this works even if its account may not read the
// folders above.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  changeOwner,
  changeOwnerOfAll,
  embeddedError,
  type OsUser,
  UNPRIVILEGED_USER,
} from './os-user.ts'

export type Cluster = {
  folder: string
  /** The server's log file; a pipe would end with this program. */
  logFile: string
  binaries: string
  account: OsUser
  settings: string[]
}

const START_TIMEOUT_MS = 300_000
const STOP_TIMEOUT_MS = 8_000
const POLL_MS = 10
export const IS_LINUX = process.platform === 'linux'
const LOCK_FILE = 'postmaster.pid'

const INITDB_OPTIONS = [
  ...['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
  ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
]
const SERVER_SETTINGS = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', 'log_timezone=UTC'],
  // The log has no statements and no values of rows, which are personal data.
  ...['log_min_messages=log', 'log_min_error_statement=panic', 'log_error_verbosity=terse'],
  'log_checkpoints=off',
]

/**
 * Creates a cluster in `folder`, completely or not at all. All accounts of this machine may connect to it unless
 * `prepare` changes that. If several programs create one at the same time, the first one wins and all use it.
 */
export function createCluster(cluster: Cluster, prepare: (fresh: Cluster) => void = () => {}) {
  const { folder, account } = cluster
  // When we are root, initdb runs as nobody: it looks up the name of its account, and the owner of the checkout may
  // have none.
  const fresh = { ...cluster, folder: mkdtempSync(`${folder}-new-`), account: UNPRIVILEGED_USER }
  try {
    changeOwner(fresh.folder, fresh.account)
    runOnce(fresh, 'initdb', ['-D', nameFolder(fresh.folder), ...INITDB_OPTIONS])
    prepare(fresh)
    changeOwnerOfAll(fresh.folder, account)
    renameSync(fresh.folder, folder)
  } catch (error) {
    rmSync(fresh.folder, { recursive: true, force: true })
    if (!existsSync(folder)) throw embeddedError('The embedded Postgres could not be set up', error)
  }
}

/** Runs a program of Postgres on the cluster and waits for its end. Returns its messages, or throws its error. */
export function runOnce(cluster: Cluster, program: string, options: string[], input = '') {
  const { error, status, stderr } = spawnSync(join(cluster.binaries, 'bin', program), options, {
    ...buildSpawnOptions(cluster),
    input,
    encoding: 'utf8',
  })
  if (error) throw error
  if (status !== 0) throw new Error(/(error|FATAL): +.+/.exec(stderr)?.[0] ?? stderr.trim())
  return stderr
}

// The server ends when its standard input ends, which belongs to this program: so it also ends when this one is killed.
const SERVE_SCRIPT = `
  exec 3<&0 </dev/null
  "$@" 3<&- & server=$!
  { read -r _ <&3; kill -INT "$server"; } & watcher=$!
  wait "$server"
  kill "$watcher"`

/**
 * Starts the server in a session of its own, so that a Ctrl-C for this program does not reach it. Resolves once the
 * server is ready; throws its last message when it fails; stops it when `signal` aborts.
 */
export async function startPostgres(cluster: Cluster, port: number, signal?: AbortSignal) {
  const log = openSync(cluster.logFile, 'a', 0o600)
  changeOwner(cluster.logFile, cluster.account)
  const from = fstatSync(log).size
  const settings = [...SERVER_SETTINGS, ...cluster.settings].flatMap((setting) => ['-c', setting])
  const postgres = join(cluster.binaries, 'bin', 'postgres')
  const args = [postgres, ...buildIdentity(cluster.folder, port), ...settings]
  const child = spawn('/bin/sh', ['-c', SERVE_SCRIPT, 'sh', ...args], {
    ...buildSpawnOptions(cluster),
    detached: true,
    stdio: ['pipe', log, log],
  })
  closeSync(log)
  child.unref()
  // A pipe to a child is a socket, and must not keep this program running.
  const lifeline = child.stdin as Socket
  lifeline.unref()
  const ended = once(child, 'exit').finally(() => lifeline.destroy())
  ended.catch(() => {})
  try {
    return { pid: await awaitReady(cluster, child, { port, from, signal }), port, ended, stop }
  } catch (error) {
    await stop()
    throw error
  }

  /** Open transactions are rolled back, committed data is written. */
  async function stop() {
    lifeline.destroy()
    const late = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), STOP_TIMEOUT_MS)
    await ended.catch(() => {})
    clearTimeout(late)
  }
}

type StartWait = { port: number; from: number; signal: AbortSignal | undefined }

async function awaitReady(
  { folder, logFile }: Cluster,
  child: ChildProcess,
  { port, from, signal }: StartWait,
) {
  let failed: Error | undefined
  child.once('error', (error) => {
    failed = error
  })
  for (const startedAt = performance.now(); ; ) {
    if (failed) throw failed
    await sleep(POLL_MS, undefined, { signal })
    const running = readLockFile(folder)
    // A server at another port was started by another program just now.
    if (running?.state === 'ready' && running.port === port) return running.pid
    if (hasEnded(child)) failed = new Error(readLastWords(logFile, from))
    if (performance.now() - startedAt > START_TIMEOUT_MS) failed = new Error('it is never ready')
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess) {
  return exitCode !== null || signalCode !== null
}

function readLastWords(logFile: string, from: number) {
  const lines = readFileSync(logFile).subarray(from).toString('utf8').trim().split('\n')
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1)
}

/** Finds the server of the folder in any state, even one of another program. */
export function findRunningServer(folder: string) {
  const noted = readLockFile(folder)
  const identity = noted && buildIdentity(folder, noted.port).join(' ')
  return noted && readCommand(noted.pid).includes(` ${identity} `) ? noted : undefined
}

/** The part of a server's command that tells it from another process that has its pid by now. */
function buildIdentity(folder: string, port: number) {
  return ['-D', nameFolder(folder), '-p', `${port}`]
}

/** Reads what root may read without further rights, as in a container: the working directory is not. */
function readCommand(pid: number) {
  if (!IS_LINUX) {
    return spawnSync('ps', ['-p', `${pid}`, '-o', 'command='], { encoding: 'utf8' }).stdout
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return '' // The process has ended.
  }
}

/** Undefined without a lock file, or with an unreadable one. In state `stopping` a server accepts no new sessions. */
function readLockFile(folder: string) {
  try {
    const lines = readFileSync(join(folder, LOCK_FILE), 'utf8').split('\n')
    const [pid, , , port] = lines.map(Number)
    return pid && port ? { pid, port, state: lines[7]?.trim() ?? '' } : undefined
  } catch {
    return undefined
  }
}

/** Deletes the lock file: Postgres refuses to start with an unreadable one, or one with a pid that is used again. */
export function removeLockFile(folder: string) {
  rmSync(join(folder, LOCK_FILE), { force: true })
}

export function nameFolder(folder: string) {
  return IS_LINUX ? '/proc/self/cwd' : folder
}

/** Leaves out our environment, which has secrets, and PG* variables that change Postgres. */
function buildSpawnOptions({ account, folder: cwd }: Pick<Cluster, 'account' | 'folder'>) {
  return { ...account, cwd, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }
}
