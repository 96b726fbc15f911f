// Postgres beside the program, for a machine that has none: its data is durable and stays in
// <dataDir>/postgres. One program at a time owns it, shown by an advisory lock on a connection; when
// that program is killed the server lives on, and the next one adopts it.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isOutage } from '../../outage.ts'
import { OWNER_LOCK } from '../locks.ts'
import { prepareBinaries } from './binaries.ts'
import {
  type Cluster,
  createCluster,
  findRunning,
  freePort,
  isPassing,
  type Running,
  signalPostgres,
  startPostgres,
  stopPostgres,
} from './cluster.ts'
import {
  type Account,
  accountFor,
  assertOurs,
  failure,
  give,
  giveAll,
  UNPRIVILEGED,
} from './os-user.ts'

type Log = Record<'info' | 'warn' | 'error', (details: object, text: string) => void>
type Home = { cluster: Cluster; passwordFile: string }
type Owned = Running & { owner: pg.Client }

const ANOTHERS = 'another program is using it'
const CLAIM_LIMIT_MS = 1_000
const PASSING_LIMIT_MS = 15_000
const TRY_AGAIN_MS = 50
const RESTART_WAIT_MS = { min: 100, max: 30_000 }
const STEADY_MS = 60_000
const LOG_MAX_BYTES = 1_000_000

/**
 * Starts the Postgres of `dataDir`, made at the first start, or adopts the one that a killed program
 * left running. Should it die it comes back at the same url, at most every 30 s if it keeps dying.
 * `stop` lets it finish what was committed. Throws one sentence that says what to do instead.
 */
export async function startEmbedded({ dataDir, log }: { dataDir: string; log: Log }) {
  const home = prepare(resolve(dataDir))
  const { folder, logFile } = home.cluster
  const stopped = new AbortController()
  const { signal } = stopped
  let pid: number | undefined
  let waitMs = 0
  let recovering: Promise<void> | undefined
  process.once('exit', quit)

  const first = await take(home, { began, signal }).catch(async (error) => {
    if (pid) await stopPostgres(folder, pid)
    process.off('exit', quit)
    throw failure('The embedded Postgres does not start', error)
  })
  let { owner } = keep(first)
  log.info({ pid, port: first.port }, 'embedded Postgres is ready')

  return {
    url: urlOf(home, first.port),
    async stop() {
      stopped.abort()
      await owner.end().catch(() => {})
      if (pid) await stopPostgres(folder, pid)
      await recovering
      if (pid) await stopPostgres(folder, pid)
      process.off('exit', quit)
    },
  }

  function began(started: number | undefined) {
    pid = started
  }

  function keep(owned: Owned) {
    const readyAt = performance.now()
    pid = owned.pid
    owned.owner.once('end', () => {
      if (signal.aborted) return
      if (performance.now() - readyAt > STEADY_MS) waitMs = 0
      recovering = recover()
    })
    return owned
  }

  async function recover() {
    log.warn({ pid, logFile }, 'embedded Postgres went away')
    while (!signal.aborted) {
      try {
        await sleep(waitMs, undefined, { signal })
        waitMs = Math.min(Math.max(waitMs * 2, RESTART_WAIT_MS.min), RESTART_WAIT_MS.max)
        owner = keep(await take(home, { began, signal, port: first.port })).owner
        log.info({ pid, port: first.port }, 'embedded Postgres is back')
        return
      } catch (err) {
        if (!signal.aborted) log.error({ err, logFile }, 'embedded Postgres does not come back')
      }
    }
  }

  function quit() {
    if (pid) signalPostgres(folder, pid, 'SIGINT')
  }
}

/** The url of the server that another program keeps running on `dataDir`, for a command beside it. */
export async function findEmbedded({ dataDir }: { dataDir: string }) {
  const { folder, passwordFile } = pathsIn(resolve(dataDir))
  assertOurs(folder)
  const running = await settle(folder)
  return running && urlOf({ passwordFile }, running.port)
}

function prepare(dataDir: string): Home {
  const { folder, passwordFile, logFile } = pathsIn(dataDir)
  try {
    mkdirSync(dataDir, { recursive: true })
    assertOurs(folder)
    const account = accountFor(dataDir, folder)
    if (account.uid !== UNPRIVILEGED.uid) give(dataDir, account)
    keepPassword(passwordFile, account)
    if (existsSync(logFile) && statSync(logFile).size > LOG_MAX_BYTES) truncateSync(logFile)
    const binaries = prepareBinaries(account)
    const cluster = { folder, logFile, binaries, account, settings: [] }
    if (existsSync(folder)) giveAll(folder, account)
    else createCluster(cluster, passwordFile)
    return { cluster, passwordFile }
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code) throw error
    throw failure(`The embedded Postgres can't keep its data in ${dataDir}`, error)
  }
}

function pathsIn(dataDir: string) {
  return {
    folder: join(dataDir, 'postgres'),
    passwordFile: join(dataDir, 'postgres-password'),
    logFile: join(dataDir, 'postgres.log'),
  }
}

/** A link appears with its whole content or not at all, and only where there is none yet. */
function keepPassword(passwordFile: string, account: Account) {
  if (!existsSync(passwordFile)) {
    const fresh = `${passwordFile}-${process.pid}`
    writeFileSync(fresh, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    try {
      linkSync(fresh, passwordFile)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(fresh)
    }
  }
  give(passwordFile, account)
  chmodSync(passwordFile, 0o600)
}

function urlOf({ passwordFile }: Pick<Home, 'passwordFile'>, port: number) {
  return `postgresql://postgres:${readFileSync(passwordFile, 'utf8')}@127.0.0.1:${port}/postgres`
}

type Taking = {
  /** Hears the pid of what we have started, and nothing once it proves to be another's. */
  began: (pid: number | undefined) => void
  signal: AbortSignal
  port?: number
}

/** Adopts the server or starts it, as often as it takes for it to be ours. */
async function take(home: Home, taking: Taking): Promise<Owned> {
  for (const since = performance.now(); ; ) {
    try {
      return await tryToTake(home, taking)
    } catch (error) {
      if (performance.now() - since > patienceMs(error)) throw error
    }
    await sleep(TRY_AGAIN_MS, undefined, { signal: taking.signal })
  }
}

async function tryToTake(home: Home, { began, signal, port }: Taking): Promise<Owned> {
  let running = await settle(home.cluster.folder, signal)
  if (!running) {
    const { pid, ready } = startPostgres(home.cluster, port ?? (await freePort()))
    began(pid)
    running = await ready
  }
  const owner = await claim(urlOf(home, running.port))
  if (owner) return { ...running, owner }
  began(undefined)
  throw new Error(ANOTHERS)
}

function patienceMs(error: unknown) {
  if (error instanceof Error && error.message === ANOTHERS) return CLAIM_LIMIT_MS
  return isPassing(error) || isOutage(error) ? PASSING_LIMIT_MS : 0
}

/** The server once it is ready, or nothing once it is gone. */
async function settle(folder: string, signal?: AbortSignal) {
  for (;;) {
    const running = findRunning(folder)
    if (!running || running.ready) return running
    await sleep(TRY_AGAIN_MS, undefined, { signal })
  }
}

/** The connection that makes the server ours for as long as it stands. */
async function claim(url: string) {
  const owner = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    application_name: 'vintem owner',
  })
  owner.on('error', () => {})
  await owner.connect()
  const { rows } = await owner.query('select pg_try_advisory_lock($1) as mine', [OWNER_LOCK])
  if (!rows[0].mine) {
    await owner.end()
    return undefined
  }
  // It must not keep a program going that has nothing left to do. Its types don't know this method.
  ;(owner as pg.Client & { unref(): void }).unref()
  return owner
}
