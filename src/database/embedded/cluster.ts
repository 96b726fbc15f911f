// One Postgres data folder: made, served, found again, stopped. Postgres runs with that folder as its
// working directory, which we enter before we give up being root, and names it /proc/self/cwd: that
// link leads there even when the folders above are closed to the account Postgres runs as.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, failure, give, giveAll, UNPRIVILEGED } from './os-user.ts'

export type Cluster = {
  folder: string
  /** Where the server writes; unlike a pipe to us it outlives us. */
  logFile: string
  binaries: string
  account: Account
  /** Each as `name=value`. */
  settings: string[]
}

export type Running = { pid: number; port: number; ready: boolean }

const LINUX = process.platform === 'linux'
const WINDOWS = process.platform === 'win32'
const START_LIMIT_MS = 300_000
const STOP_LIMIT_MS = 8_000
const HALF_MADE_MS = 60_000
const LOOK_MS = 10

const SETTINGS = [
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
 * Makes an empty cluster in `folder`, whole or not at all.
 * @param passwordFile holds the superuser's password; without one everybody on this machine may in.
 */
export function createCluster({ folder, binaries, account }: Cluster, passwordFile?: string) {
  clearHalfMade(folder)
  const fresh = mkdtempSync(`${folder}-new-`)
  try {
    initdb(binaries, fresh, passwordFile)
    giveAll(fresh, account)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another start may have been quicker.
    if (!/ENOTEMPTY|EEXIST/.test(String(error))) {
      throw failure('The embedded Postgres could not be set up', error)
    }
  } finally {
    if (passwordFile) give(passwordFile, account)
  }
}

// As nobody when we are root: it looks up its account's name, and the checkout's owner may have none
// on this machine. It reads the password from what we have opened, past the closed folders above.
function initdb(binaries: string, folder: string, passwordFile?: string) {
  give(folder, UNPRIVILEGED)
  if (passwordFile) give(passwordFile, UNPRIVILEGED)
  const password = passwordFile && openSync(passwordFile, 'r')
  const access = passwordFile
    ? ['-A', 'scram-sha-256', '--pwfile', LINUX ? '/proc/self/fd/3' : passwordFile]
    : ['-A', 'trust', '--no-sync']
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const { error, status, stderr } = spawnSync(
    join(binaries, 'bin', 'initdb'),
    ['-D', nameOf(folder), '-U', 'postgres', '-E', 'UTF8', ...locale, ...access],
    {
      ...runAs(UNPRIVILEGED, folder),
      stdio: ['ignore', 'ignore', 'pipe', password || 'ignore'],
      encoding: 'utf8',
    },
  )
  if (password) closeSync(password)
  if (error) throw error
  if (status !== 0) throw new Error(/(error|FATAL): +.+/.exec(stderr)?.[0] ?? stderr.trim())
}

/** What a kill in the first second of the first start leaves. */
function clearHalfMade(folder: string) {
  for (const name of readdirSync(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}-new-`)) continue
    const path = join(dirname(folder), name)
    const ageMs = Date.now() - statSync(path).mtimeMs
    if (ageMs > HALF_MADE_MS) rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Starts the server in a session of its own, so that a Ctrl-C meant for us does not reach it.
 * `ready` rejects with the server's own words when it gives up.
 */
export function startPostgres(cluster: Cluster, port: number) {
  dropForeignLock(cluster.folder)
  const log = openSync(cluster.logFile, 'a', 0o600)
  give(cluster.logFile, cluster.account)
  const from = fstatSync(log).size
  const settings = [...SETTINGS, ...cluster.settings].flatMap((setting) => ['-c', setting])
  const child = spawn(
    join(cluster.binaries, 'bin', 'postgres'),
    ['-D', nameOf(cluster.folder), '-p', String(port), ...settings],
    { ...runAs(cluster.account, cluster.folder), detached: true, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  child.unref()
  return { pid: child.pid, ready: becomeReady(cluster, child, from) }
}

async function becomeReady({ folder, logFile }: Cluster, child: ChildProcess, from: number) {
  let failed: Error | undefined
  child.once('error', (error) => {
    failed = error
  })
  for (const startedAt = performance.now(); performance.now() - startedAt < START_LIMIT_MS; ) {
    await sleep(LOOK_MS)
    if (failed) throw failed
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(lastWords(logFile, from) ?? `it ended with ${child.exitCode}`)
    }
    const running = readPidFile(folder)
    if (running?.ready && running.pid === child.pid) return running
  }
  child.kill('SIGKILL')
  throw new Error(`it was not ready within ${START_LIMIT_MS / 1_000} s`)
}

function lastWords(logFile: string, from: number) {
  const lines = readFileSync(logFile).subarray(from).toString('utf8').trim().split('\n')
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1)
}

/** Whether the same start may do better in a moment: a predecessor is still going, or a port went. */
export function isPassing(error: unknown) {
  return (
    error instanceof Error &&
    /is still in use|postmaster\.pid" already exists|could not create any TCP/.test(error.message)
  )
}

/** The server of that folder, however it was started, be it only starting or already stopping. */
export function findRunning(folder: string): Running | undefined {
  const running = readPidFile(folder)
  return running && serves(running.pid, folder) ? running : undefined
}

/** Fast shutdown: open transactions are rolled back, what was committed is written. */
export async function stopPostgres(folder: string, pid: number) {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    signalPostgres(folder, pid, signal)
    for (const sentAt = performance.now(); performance.now() - sentAt < STOP_LIMIT_MS; ) {
      if (!serves(pid, folder)) return
      await sleep(LOOK_MS)
    }
  }
}

/** Sends nothing to a process that is not the server of that folder. */
export function signalPostgres(folder: string, pid: number, signal: NodeJS.Signals) {
  if (!serves(pid, folder)) return
  try {
    process.kill(pid, signal)
  } catch {} // It went by itself.
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Postgres refuses to start while any process has the pid that a killed one has left behind. */
function dropForeignLock(folder: string) {
  const left = readPidFile(folder)
  if (left && !WINDOWS && isAlive(left.pid) && !serves(left.pid, folder)) {
    unlinkSync(join(folder, 'postmaster.pid'))
  }
}

function readPidFile(folder: string): Running | undefined {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, , , port] = lines.map(Number)
    if (!pid || !port) return undefined
    return { pid, port, ready: lines[7]?.trim() === 'ready' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function serves(pid: number, folder: string) {
  if (WINDOWS) return isAlive(pid)
  if (!LINUX) {
    const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
    return stdout.includes(`-D ${folder}`)
  }
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(folder)]
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    return its.dev === ours.dev && its.ino === ours.ino && name === 'postgres'
  } catch {
    return false // It is no more, or it is not ours to look at.
  }
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function nameOf(folder: string) {
  return LINUX ? '/proc/self/cwd' : folder
}

/** Without our environment: it holds secrets, and PG* variables that change what Postgres does. */
function runAs(account: Account, cwd: string) {
  return WINDOWS ? { cwd } : { ...account, cwd, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }
}
