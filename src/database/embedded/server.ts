// Runs Postgres beside the program on a machine without one; its data stays in <dataDir>/postgres. The program that
// starts the server owns it: the server ends with the program, even when the program is killed. The service's role owns
// the database and is no superuser, like the role of .docker/role.sql; the superuser has no password.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSystemError, toError } from '../../system-error.ts'
import { prepareBinaries, readPostgresMajor } from './binaries.ts'
import {
  type Cluster,
  createCluster,
  findRunningServer,
  nameFolder,
  removeLockFile,
  runOnce,
  startPostgres,
} from './cluster.ts'
import {
  assertFolderOwner,
  changeOwner,
  changeOwnerOfAll,
  embeddedError,
  resolveAccount,
  UNPRIVILEGED_USER,
} from './os-user.ts'

type EmbeddedNeeds = {
  dataDir: string
  log: Record<'info' | 'warn' | 'error', (details: object, text: string) => void>
  onFirstStart?: () => void
}

const ROLE = 'vintem'
const DATABASE = 'postgres'
const ACCESS_RULES = 'host all all 127.0.0.1/32 scram-sha-256\n'

/** Enough for a command that runs the server for itself to finish. */
const OWNERSHIP_TIMEOUT_MS = 5_000
const TRANSIENT_TIMEOUT_MS = 15_000
const RETRY_INTERVAL_MS = 50
const RESTART_BACKOFF_MS = 5_000
const MAX_LOG_BYTES = 1_000_000
/** A second start may succeed soon: an earlier server is still running, or the port was taken. */
const TRANSIENT_ERROR = /is still in use|could not create any TCP/
/** The lock file is in the way; that of a server that was killed may name a pid that another process has by now. */
const LOCK_ERROR = /lock file "postmaster\.pid"/

/**
 * Starts the Postgres of `dataDir`, and creates it at the first start. If the server dies or is stopped, it is
 * restarted at the same url. `stop` keeps everything that was committed. Throws one sentence that says what to do.
 */
export async function startEmbeddedPostgres({ dataDir, log, onFirstStart }: EmbeddedNeeds) {
  const { cluster, password } = prepareHome(resolve(dataDir), onFirstStart)
  const { logFile } = cluster
  const stopped = new AbortController()
  const { signal } = stopped
  let server = await startServer(cluster, signal).catch((error) => {
    throw embeddedError('The embedded Postgres does not start', error)
  })
  const { port } = server
  const watching = keepAlive()
  log.info({ postgresPid: server.pid, port }, 'embedded Postgres is ready')

  return {
    url: buildServiceUrl(password, port),
    async stop() {
      stopped.abort()
      await server.stop()
      await watching
    },
  }

  async function keepAlive() {
    for (let waitMs = 0; !signal.aborted; ) {
      await server.ended
      try {
        await sleep(waitMs, undefined, { signal })
        log.warn({ postgresPid: server.pid, logFile }, 'embedded Postgres has stopped')
        server = await startServer(cluster, signal, port)
        log.info({ postgresPid: server.pid, port }, 'embedded Postgres is back')
        waitMs = 0
      } catch (err) {
        if (!signal.aborted) log.error({ err, logFile }, 'embedded Postgres does not restart')
        waitMs = RESTART_BACKOFF_MS
      }
    }
  }
}

/**
 * Returns the url of the server that another program runs on `dataDir`, for a command beside it. Waits while that
 * server starts or stops.
 */
export async function findEmbeddedPostgresUrl({ dataDir }: { dataDir: string }) {
  const { folder, passwordFile } = getPaths(resolve(dataDir))
  assertFolderOwner(folder)
  for (;;) {
    const running = findRunningServer(folder)
    if (!running) return undefined
    if (running.state === 'ready') {
      return buildServiceUrl(requirePassword(passwordFile, running.pid), running.port)
    }
    await sleep(RETRY_INTERVAL_MS)
  }
}

function prepareHome(dataDir: string, onFirstStart = () => {}) {
  const { folder, passwordFile, logFile } = getPaths(dataDir)
  try {
    mkdirSync(dataDir, { recursive: true })
    assertFolderOwner(folder)
    const account = resolveAccount(dataDir, folder)
    if (account.uid !== UNPRIVILEGED_USER.uid) changeOwner(dataDir, account)
    const binaries = prepareBinaries(account)
    const cluster = { folder, logFile, binaries, account, settings: [] }
    return { cluster, password: prepareData(cluster, passwordFile, onFirstStart) }
  } catch (error) {
    if (!readSystemError(error).code) throw error
    throw embeddedError(`The embedded Postgres can't keep its data in ${dataDir}`, error)
  }
}

/** Creates the data if there is none. Returns the password of the service's role. */
function prepareData(cluster: Cluster, passwordFile: string, onFirstStart: () => void) {
  const { folder, logFile, account } = cluster
  const running = findRunningServer(folder)
  if (running) requirePassword(passwordFile, running.pid)
  const kept = readPassword(passwordFile)
  const password = kept ?? randomBytes(24).toString('base64url')
  const isNew = !existsSync(folder)
  if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) truncateSync(logFile)
  if (!isNew) {
    assertSameMajor(folder)
    changeOwnerOfAll(folder, account)
    // The file follows: after a kill in between, the password is lost once more, and not a wrong one.
    if (!kept) resetPassword(cluster, password)
  }
  if (!kept) writeFileSync(passwordFile, password, { mode: 0o600, flush: true })
  changeOwner(passwordFile, account)
  if (isNew) {
    onFirstStart()
    createCluster(cluster, (fresh) => makeServiceRole(fresh, password))
  }
  return password
}

function makeServiceRole(cluster: Cluster, password: string) {
  writeFileSync(join(cluster.folder, 'pg_hba.conf'), ACCESS_RULES, { flush: true })
  runByHand(cluster, [
    `create role ${ROLE} login password '${password}'`,
    `alter database ${DATABASE} owner to ${ROLE}`,
  ])
}

/** Write access to the folder gives access to the data anyway, so a lost password is simply replaced. */
function resetPassword(cluster: Cluster, password: string) {
  const said = runByHand(cluster, [`alter role ${ROLE} password '${password}'`])
  if (!said.includes(`role "${ROLE}" does not exist`)) return
  const cause = new Error(
    'its data is older than the role of the service: start commit 638e0d07 on it once',
  )
  throw embeddedError('The embedded Postgres does not start', cause)
}

/** Runs statements while the server is stopped, in Postgres's single-user mode, which asks for no password. */
function runByHand(cluster: Cluster, statements: string[]) {
  const options = ['--single', '-D', nameFolder(cluster.folder), DATABASE]
  return runOnce(cluster, 'postgres', options, `${statements.join('\n')}\n`)
}

function assertSameMajor(folder: string) {
  const made = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  const major = readPostgresMajor()
  if (made === major) return
  throw embeddedError(
    `${folder} holds data of Postgres ${made}, and this version comes with Postgres ${major}, which cannot read it`,
  )
}

function getPaths(dataDir: string) {
  return {
    folder: join(dataDir, 'postgres'),
    passwordFile: join(dataDir, 'postgres-password'),
    logFile: join(dataDir, 'postgres.log'),
  }
}

/** Undefined when there is no file, or none with a password. */
function readPassword(file: string) {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return /^[\w-]+$/.test(text) ? text : undefined
}

/** The password of a server that runs cannot be replaced. */
function requirePassword(file: string, pid: number) {
  const password = readPassword(file)
  if (password) return password
  throw new Error(
    `${file} is lost: put it back, or end process ${pid}, which serves its data, and start again.`,
  )
}

function buildServiceUrl(password: string, port: number) {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`
}

/** Starts our server as soon as the server of another program, such as a command or a killed process, has ended. */
async function startServer(cluster: Cluster, signal: AbortSignal, port?: number) {
  for (const since = performance.now(); ; ) {
    const waitedMs = performance.now() - since
    const running = findRunningServer(cluster.folder)
    const isTaken = running?.state === 'ready' && waitedMs > OWNERSHIP_TIMEOUT_MS
    if (isTaken) throw new Error('another program is using it')
    const freePort = port ?? (await findFreePort())
    const starting = running ? undefined : startPostgres(cluster, freePort, signal)
    const server = await starting?.catch((error) => requireTransient(cluster, error, waitedMs))
    if (server) return server
    await sleep(RETRY_INTERVAL_MS, undefined, { signal })
  }
}

/** Throws the error of a start unless the next one may succeed. */
function requireTransient({ folder }: Cluster, error: unknown, waitedMs: number): undefined {
  const { message } = toError(error)
  const isLocked = LOCK_ERROR.test(message)
  if (waitedMs > TRANSIENT_TIMEOUT_MS || !(isLocked || TRANSIENT_ERROR.test(message))) throw error
  if (isLocked && !findRunningServer(folder)) removeLockFile(folder)
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host has an address with a port.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
