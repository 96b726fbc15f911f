// Runs Postgres beside the program on a machine without one; its data stays in <dataDir>/postgres. The program that
// starts the server owns it: the server ends with the program, even when the program is killed.

import { existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSystemError } from '../../system-error.ts'
import { prepareBinaries, readPostgresMajor } from './binaries.ts'
import {
  type Cluster,
  createCluster,
  findFreePort,
  findRunningServer,
  hurryStop,
  isTransientStartError,
  startPostgres,
  stopPostgres,
} from './cluster.ts'
import {
  assertFolderOwner,
  changeOwner,
  changeOwnerOfAll,
  embeddedError,
  resolveAccount,
  UNPRIVILEGED_USER,
} from './os-user.ts'
import {
  buildServiceUrl,
  makePassword,
  makeServiceRole,
  readPassword,
  resetPassword,
} from './role.ts'

type EmbeddedLog = Record<'info' | 'warn' | 'error', (details: object, text: string) => void>
type EmbeddedNeeds = {
  dataDir: string
  log: EmbeddedLog
  /** Called before any data exists. */
  onFirstStart?: () => void
}
type EmbeddedHome = { cluster: Cluster; password: string }

/** Enough for a command that runs the server for itself to finish. */
const OWNERSHIP_TIMEOUT_MS = 5_000
const TRANSIENT_TIMEOUT_MS = 15_000
const RETRY_INTERVAL_MS = 50
const RESTART_BACKOFF_MS = 5_000
const STOP_CHECK_INTERVAL_MS = 1_000
const MAX_LOG_BYTES = 1_000_000

/**
 * Starts the Postgres of `dataDir`, and creates it at the first start. If the server dies or is stopped, it is
 * restarted at the same url. `stop` keeps everything that was committed. Throws one sentence that says what to do.
 */
export async function startEmbeddedPostgres({ dataDir, log, onFirstStart }: EmbeddedNeeds) {
  const { cluster, password } = prepareHome(resolve(dataDir), onFirstStart)
  const { folder, logFile } = cluster
  const stopped = new AbortController()
  const { signal } = stopped
  // Stops the server at once when it waits for sessions to end: these are our own or forgotten ones.
  const hurrying = setInterval(() => hurryStop(folder), STOP_CHECK_INTERVAL_MS).unref()
  let server = await startServer(cluster, signal).catch((error) => {
    clearInterval(hurrying)
    throw embeddedError('The embedded Postgres does not start', error)
  })
  const { port } = server
  const watching = keepAlive()
  log.info({ postgresPid: server.pid, port }, 'embedded Postgres is ready')

  return {
    url: buildServiceUrl(password, port),
    async stop() {
      stopped.abort()
      clearInterval(hurrying)
      await stopPostgres(folder, server.pid)
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
  const running = await awaitState(folder)
  const password = readPassword(passwordFile)
  if (!running) return undefined
  if (password) return buildServiceUrl(password, running.port)
  throw new Error(describeLostPassword(passwordFile, running.pid))
}

/** Returns the same url without waiting. */
export function readEmbeddedPostgresUrl({ dataDir }: { dataDir: string }) {
  const { folder, passwordFile } = getPaths(resolve(dataDir))
  const running = findRunningServer(folder)
  const password = readPassword(passwordFile)
  return running && password && buildServiceUrl(password, running.port)
}

function prepareHome(dataDir: string, onFirstStart = () => {}): EmbeddedHome {
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
  const kept = readPassword(passwordFile)
  const running = findRunningServer(folder)
  if (running && !kept) throw new Error(describeLostPassword(passwordFile, running.pid))
  const password = kept ?? makePassword(passwordFile)
  changeOwner(passwordFile, account)
  if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) truncateSync(logFile)
  if (existsSync(folder)) {
    assertSameMajor(folder)
    changeOwnerOfAll(folder, account)
    if (!kept) resetPassword(cluster, password)
  } else {
    onFirstStart()
    createCluster(cluster, (fresh) => makeServiceRole(fresh, password))
  }
  return password
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

function describeLostPassword(file: string, pid: number) {
  return `${file} is lost: put it back, or end process ${pid}, which serves its data, and start again.`
}

/** Starts our server as soon as the server of another program, such as a command or a killed process, has ended. */
async function startServer(cluster: Cluster, signal: AbortSignal, port?: number) {
  for (const since = performance.now(); ; ) {
    const running = findRunningServer(cluster.folder)
    const waitedMs = performance.now() - since
    const isTaken = running?.state === 'ready' && waitedMs > OWNERSHIP_TIMEOUT_MS
    if (isTaken) throw new Error('another program is using it')
    const isLast = waitedMs > TRANSIENT_TIMEOUT_MS
    const server = running ? undefined : await tryStart(cluster, signal, port, isLast)
    if (server) return server
    await sleep(RETRY_INTERVAL_MS, undefined, { signal })
  }
}

/** Undefined when another try may succeed soon, and this was not the last one. */
async function tryStart(
  cluster: Cluster,
  signal: AbortSignal,
  port: number | undefined,
  isLast: boolean,
) {
  try {
    return await startPostgres(cluster, port ?? (await findFreePort()), signal)
  } catch (error) {
    if (isLast || !isTransientStartError(error)) throw error
    return undefined
  }
}

/** Waits until the server is ready or gone. */
async function awaitState(folder: string) {
  for (;;) {
    const running = findRunningServer(folder)
    if (!running || running.state === 'ready') return running
    await sleep(RETRY_INTERVAL_MS)
  }
}
