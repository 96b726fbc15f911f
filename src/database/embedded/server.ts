// Postgres beside the program, for a machine that has none: its data is durable and stays in
// <dataDir>/postgres. One program at a time owns it, shown by an advisory lock on a connection; when
// that program is killed the server lives on, and the next one adopts it.

import { existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isOutage, readSystemError } from '../../system-error.ts'
import { prepareBinaries, readPostgresMajor } from './binaries.ts'
import {
  type Cluster,
  createCluster,
  findFreePort,
  findRunningServer,
  hurryStop,
  isTransientStartError,
  signalPostgres,
  startPostgres,
  stopPostgres,
} from './cluster.ts'
import type { RunningServer } from './lock-file.ts'
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
  claimOwnership,
  ensurePassword,
  isPasswordRefusal,
  makeServiceRole,
  readPassword,
  resetPassword,
} from './role.ts'

type EmbeddedLog = Record<'info' | 'warn' | 'error', (details: object, text: string) => void>
type EmbeddedNeeds = {
  dataDir: string
  log: EmbeddedLog
  /** Before there is any data. */
  onFirstStart?: () => void
}
type EmbeddedHome = { cluster: Cluster; password: string }
type OwnedServer = RunningServer & { owner: pg.Client; lost: Promise<void> }

const TAKEN = 'another program is using it'
/** A command that has started it for itself is done by then. */
const OWNERSHIP_TIMEOUT_MS = 5_000
const TRANSIENT_TIMEOUT_MS = 15_000
const RETRY_INTERVAL_MS = 50
const RESTART_BACKOFF_MS = 5_000
const STOP_CHECK_INTERVAL_MS = 1_000
const MAX_LOG_BYTES = 1_000_000

/**
 * Starts the Postgres of `dataDir`, made at the first start, or adopts the one that a killed program
 * left running. Should it die, or be told to end, it comes back at the same url, as soon as it can.
 * `stop` lets it finish what was committed. Throws one sentence that says what to do instead.
 */
export async function startEmbeddedPostgres({ dataDir, log, onFirstStart }: EmbeddedNeeds) {
  const home = prepareHome(resolve(dataDir), onFirstStart)
  const { folder, logFile } = home.cluster
  const stopped = new AbortController()
  const { signal } = stopped
  // Sessions that would keep it from ending are our own, which nobody ends, or one that was left open somewhere.
  const hurrying = setInterval(() => hurryStop(folder), STOP_CHECK_INTERVAL_MS).unref()
  let server = await acquireServer(home, signal).catch((error) => {
    clearInterval(hurrying)
    throw embeddedError('The embedded Postgres does not start', error)
  })
  const { port } = server
  const stopSoon = () => signalPostgres(folder, server.pid, 'SIGINT')
  process.once('exit', stopSoon)
  const watching = keepAlive()
  log.info({ postgresPid: server.pid, port }, 'embedded Postgres is ready')

  return {
    url: buildServiceUrl(home.password, port),
    async stop() {
      stopped.abort()
      clearInterval(hurrying)
      await server.owner.end().catch(() => {})
      await watching
      await stopPostgres(folder, server.pid)
      process.off('exit', stopSoon)
    },
  }

  async function keepAlive() {
    for (let waitMs = 0; !signal.aborted; ) {
      await server.lost
      try {
        await sleep(waitMs, undefined, { signal })
        log.warn({ postgresPid: server.pid, logFile }, 'embedded Postgres went away')
        server = await acquireServer(home, signal, port)
        log.info({ postgresPid: server.pid, port }, 'embedded Postgres is back')
        waitMs = 0
      } catch (err) {
        if (!signal.aborted) log.error({ err, logFile }, 'embedded Postgres does not come back')
        waitMs = RESTART_BACKOFF_MS
      }
    }
  }
}

/**
 * The url of the server that another program keeps running on `dataDir`, for a command beside it, which
 * waits for one that starts or ends.
 */
export async function findEmbeddedPostgresUrl({ dataDir }: { dataDir: string }) {
  const { folder, passwordFile } = getPaths(resolve(dataDir))
  assertFolderOwner(folder)
  const running = await awaitState(folder)
  const password = readPassword(passwordFile)
  if (!running) return undefined
  if (password) return buildServiceUrl(password, running.port)
  throw new Error(`${passwordFile} is lost: start the service anew, which makes another one.`)
}

/** The same at once, whether that server takes sessions or not. */
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
    const password = ensurePassword(passwordFile)
    changeOwner(passwordFile, account)
    if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) truncateSync(logFile)
    const binaries = prepareBinaries(account)
    const cluster = { folder, logFile, binaries, account, settings: [] }
    if (existsSync(folder)) {
      assertSameMajor(folder)
      changeOwnerOfAll(folder, account)
    } else {
      onFirstStart()
      createCluster(cluster, (fresh) => makeServiceRole(fresh, password))
    }
    // As it is by now, where others began at the same moment.
    return { cluster, password: ensurePassword(passwordFile) }
  } catch (error) {
    if (!readSystemError(error).code) throw error
    throw embeddedError(`The embedded Postgres can't keep its data in ${dataDir}`, error)
  }
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

/** Adopts the server or starts it, as often as it takes for it to be ours. */
async function acquireServer(home: EmbeddedHome, signal: AbortSignal, port?: number) {
  for (const since = performance.now(); ; ) {
    try {
      return await tryAcquire(home, signal, port)
    } catch (error) {
      if (performance.now() - since > getPatienceMs(error)) throw error
    }
    await sleep(RETRY_INTERVAL_MS, undefined, { signal })
  }
}

async function tryAcquire({ cluster, password }: EmbeddedHome, signal: AbortSignal, port?: number) {
  const running = await awaitState(cluster.folder, signal)
  const server = running ?? (await startServer())
  try {
    return await claimServer(password, server)
  } catch (error) {
    if (!isPasswordRefusal(error)) throw error
    // Another program may have that server: nobody sets its password anew.
    if (running) throw new Error(describeOtherPassword(running))
    await stopPostgres(cluster.folder, server.pid)
    resetPassword(cluster, password)
    return claimServer(password, await startServer())
  }

  async function startServer() {
    return startPostgres(cluster, port ?? (await findFreePort()), signal)
  }
}

function describeOtherPassword({ pid }: RunningServer) {
  return `process ${pid} serves it, by another password than postgres-password says; put that file back, or end that process`
}

async function claimServer(password: string, running: RunningServer): Promise<OwnedServer> {
  const claim = await claimOwnership(buildServiceUrl(password, running.port))
  if (!claim) throw new Error(TAKEN)
  return { ...running, ...claim }
}

function getPatienceMs(error: unknown) {
  if (error instanceof Error && error.message === TAKEN) return OWNERSHIP_TIMEOUT_MS
  return isTransientStartError(error) || isOutage(error) ? TRANSIENT_TIMEOUT_MS : 0
}

/** The server once it is ready, or nothing once it is gone. */
async function awaitState(folder: string, signal?: AbortSignal) {
  for (;;) {
    const running = findRunningServer(folder)
    if (!running || running.state === 'ready') return running
    await sleep(RETRY_INTERVAL_MS, undefined, { signal })
  }
}
