// One Postgres data folder: made, served, found again, stopped. Postgres runs with that folder as its
// working directory, which we enter before we give up being root, and names it /proc/self/cwd: that
// link leads there even when the folders above are closed to the account Postgres runs as.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  dropDeadLock,
  IS_LINUX,
  isAlive,
  isServerOf,
  type RunningServer,
  readPidFile,
} from './lock-file.ts'
import {
  changeOwner,
  changeOwnerOfAll,
  embeddedError,
  type OsUser,
  UNPRIVILEGED_USER,
} from './os-user.ts'

export type Cluster = {
  folder: string
  /** Where the server writes; unlike a pipe to us it outlives us. */
  logFile: string
  binaries: string
  account: OsUser
  /** Each as `name=value`. */
  settings: string[]
}

const START_TIMEOUT_MS = 300_000
const STOP_TIMEOUT_MS = 8_000
const POLL_MS = 10

const SERVER_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  // No statements and no values of rows: they are what payers typed.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_checkpoints=off',
]

/**
 * Makes an empty cluster in `folder`, whole or not at all. Of several programs that begin to at the same moment each
 * makes one, the first gives it its name, and all go on with that.
 * @param passwordFile holds the superuser's password; without one everybody on this machine may in.
 */
export function createCluster({ folder, binaries, account }: Cluster, passwordFile?: string) {
  removeHalfMade(folder)
  const fresh = `${folder}-new-${process.pid}`
  mkdirSync(fresh, { mode: 0o700 })
  try {
    runInitdb(binaries, fresh, passwordFile)
    changeOwnerOfAll(fresh, account)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw embeddedError('The embedded Postgres could not be set up', error)
  } finally {
    if (passwordFile) changeOwner(passwordFile, account)
  }
}

/**
 * What programs left that were killed. Their initdb goes on in there, and clears it when it fails for want of what we
 * take away: what vanishes under `rmSync` makes it leave the rest, without a word.
 */
function removeHalfMade(folder: string) {
  const beginning = `${basename(folder)}-new`
  for (const name of readdirSync(dirname(folder))) {
    if (!name.startsWith(beginning)) continue
    const pid = Number(name.slice(beginning.length + 1))
    if (pid && pid !== process.pid && isAlive(pid)) continue
    const path = join(dirname(folder), name)
    do rmSync(path, { recursive: true, force: true, maxRetries: 10 })
    while (existsSync(path))
  }
}

// As nobody when we are root: it looks up its account's name, and the checkout's owner may have none
// on this machine. It reads the password from what we have opened, past the closed folders above.
function runInitdb(binaries: string, folder: string, passwordFile?: string) {
  changeOwner(folder, UNPRIVILEGED_USER)
  if (passwordFile) changeOwner(passwordFile, UNPRIVILEGED_USER)
  const password = passwordFile && openSync(passwordFile, 'r')
  const access = passwordFile
    ? ['-A', 'scram-sha-256', '--pwfile', IS_LINUX ? '/proc/self/fd/3' : passwordFile]
    : ['-A', 'trust', '--no-sync']
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const { error, status, stderr } = spawnSync(
    join(binaries, 'bin', 'initdb'),
    ['-D', nameFolder(folder), '-U', 'postgres', '-E', 'UTF8', ...locale, ...access],
    {
      ...buildSpawnOptions({ account: UNPRIVILEGED_USER, folder }),
      stdio: ['ignore', 'ignore', 'pipe', password || 'ignore'],
      encoding: 'utf8',
    },
  )
  if (password) closeSync(password)
  if (error) throw error
  if (status !== 0) throw new Error(/(error|FATAL): +.+/.exec(stderr)?.[0] ?? stderr.trim())
}

/**
 * Starts the server in a session of its own, so that a Ctrl-C meant for us does not reach it.
 * Answers once it is ready; throws the server's own words when it gives up, or stops what it has started.
 */
export async function startPostgres(cluster: Cluster, port: number, signal?: AbortSignal) {
  dropDeadLock(cluster.folder)
  const log = openSync(cluster.logFile, 'a', 0o600)
  changeOwner(cluster.logFile, cluster.account)
  const from = fstatSync(log).size
  const settings = [...SERVER_SETTINGS, ...cluster.settings].flatMap((setting) => ['-c', setting])
  const child = spawn(
    join(cluster.binaries, 'bin', 'postgres'),
    ['-D', nameFolder(cluster.folder), '-p', String(port), ...settings],
    { ...buildSpawnOptions(cluster), detached: true, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  child.unref()
  try {
    return await awaitReady(cluster, child, from, signal)
  } catch (error) {
    child.kill('SIGINT')
    throw error
  }
}

async function awaitReady(
  { folder, logFile }: Cluster,
  child: ChildProcess,
  from: number,
  signal: AbortSignal | undefined,
) {
  let failed: Error | undefined
  child.once('error', (error) => {
    failed = error
  })
  for (const startedAt = performance.now(); ; ) {
    if (failed) throw failed
    await sleep(POLL_MS, undefined, { signal })
    const running = readPidFile(folder)
    if (running?.ready && running.pid === child.pid) return running
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

/** Whether the same start may do better in a moment: a predecessor is still going, or a port went. */
export function isTransientStartError(error: unknown) {
  return (
    error instanceof Error &&
    /is still in use|postmaster\.pid" already exists|could not create any TCP/.test(error.message)
  )
}

/** The server of that folder, however it was started, be it only starting or already stopping. */
export function findRunningServer(folder: string): RunningServer | undefined {
  const running = readPidFile(folder)
  return running && isServerOf(folder, running.pid) ? running : undefined
}

/** Fast shutdown: open transactions are rolled back, what was committed is written. */
export async function stopPostgres(folder: string, pid: number) {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    signalPostgres(folder, pid, signal)
    for (const sentAt = performance.now(); performance.now() - sentAt < STOP_TIMEOUT_MS; ) {
      if (!isServerOf(folder, pid)) return
      await sleep(POLL_MS)
    }
  }
}

/** Has a server that was told to end once all its sessions have, and refuses new ones until then, end at once. */
export function hurryStop(folder: string) {
  const running = readPidFile(folder)
  if (running?.stopping) signalPostgres(folder, running.pid, 'SIGINT')
}

/** Sends nothing to a process that is not the server of that folder. */
export function signalPostgres(folder: string, pid: number, signal: NodeJS.Signals) {
  if (!isServerOf(folder, pid)) return
  try {
    process.kill(pid, signal)
  } catch {} // It went by itself.
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port to be had')
  const { port } = address
  server.close()
  await once(server, 'close')
  return port
}

export function nameFolder(folder: string) {
  return IS_LINUX ? '/proc/self/cwd' : folder
}

/** Without our environment: it holds secrets, and PG* variables that change what Postgres does. */
export function buildSpawnOptions({ account, folder: cwd }: Pick<Cluster, 'account' | 'folder'>) {
  return { ...account, cwd, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }
}
