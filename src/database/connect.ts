// A function says in its first parameter where it may run:
//   db: Database     outside any transaction: it opens its own, or it waits for the network
//   tx: Transaction  only inside one: what it writes must stand or fall with its caller's work
//   db: Db           either
import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isOutage, readSystemError, toError } from '../system-error.ts'
import { type NodePgDatabase, nodePostgres, sql } from './drizzle.ts'
import { applySessionSettings } from './session.ts'
import * as tables from './tables.ts'
import { installation } from './tables.ts'

export type Database = NodePgDatabase<typeof tables> & {
  $client: pg.Pool
  /** Throws when the database accepts no new connections, even if the open ones still work. */
  probeConnection(): Promise<void>
}
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
export type Db = Database | Transaction

const POOL_SIZE = 10
const POOL_CONNECT_TIMEOUT_MS = 3_000
/** Longer than any statement may take: a connection without an answer by then is lost. */
const ANSWER_TIMEOUT_MS = 10_000
const POOL_IDLE_TIMEOUT_MS = 30_000
const MAX_LIFETIME_S = 1_800
const SHARED = { connectionTimeoutMillis: POOL_CONNECT_TIMEOUT_MS, application_name: 'vintem' }
const DRIZZLE_OPTIONS = { casing: 'snake_case' } as const
const CANNOT_CONNECT_NOW = '57P03'
const RETRY_MS = { first: 250, most: 5_000 }

type ConnectOptions = {
  max?: number
  answerTimeoutMs?: number
  onError?: (error: Error) => void
  /** Called when Postgres refuses connections because it is shutting down or starting; see createRetirement. */
  onRefusal?: () => void
}

/**
 * Creates a pool that fails instead of hanging: waiting for a connection and running a statement both have a limit. A
 * connection that breaks while idle is reported to `onError` and replaced.
 */
export function connectDatabase(
  url: string,
  {
    max = POOL_SIZE,
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
    onError = () => {},
    onRefusal = () => {},
  }: ConnectOptions = {},
): Database {
  function createPooledClient(config: pg.ClientConfig) {
    // With `pipeline`, statements that do not depend on each other are sent together.
    return createClient({ ...config, connectionString: url, pipeline: true }, noteRefusal)
  }
  function noteRefusal() {
    retireConnections()
    onRefusal()
  }
  const client: pg.Pool = new pg.Pool({
    // The pool passes its options, which its type does not show.
    Client: createPooledClient as unknown as new () => pg.Client,
    connectionString: url,
    max,
    ...SHARED,
    query_timeout: answerTimeoutMs,
    idleTimeoutMillis: POOL_IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: MAX_LIFETIME_S,
    keepAlive: true,
    // These are not start-up parameters, because PgBouncer refuses unknown ones.
    onConnect: async (connection) => {
      connection.on('error', onError)
      await applySessionSettings(connection)
    },
  })
  // Each connection reports its own errors; without a listener the pool's would end the process.
  client.on('error', () => {})
  const retireConnections = createRetirement(client)
  const db = nodePostgres.drizzle({ client, schema: tables, ...DRIZZLE_OPTIONS })
  return Object.assign(db, {
    transaction: createTransactionRunner(client),
    probeConnection: () => probeConnection(createPooledClient(SHARED)),
  })
}

/**
 * Closes the socket of a client that fails to connect, for example without a password. The pool forgets such a client,
 * and its open socket would keep a command waiting until Postgres closes it a minute later.
 */
function createClient(config: pg.ClientConfig, onRefusal: () => void) {
  const client = new pg.Client(config)
  // Missing from the types of pg. Errors that Postgres sends are no `error` event; after that event a connection is
  // useless.
  const { connection } = client as pg.Client & { connection: EventEmitter & { stream: Duplex } }
  connection.on('error', () => connection.stream.destroy())
  connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
    if (code === CANNOT_CONNECT_NOW) onRefusal()
  })
  return client
}

/**
 * Stops using all open connections until a new one can be made. A Postgres that refuses connections may be waiting for
 * the open ones to end (a smart shutdown), and would not come back while they are in use.
 */
function createRetirement(pool: pg.Pool) {
  let isRetiring = false
  pool.on('connect', () => {
    isRetiring = false
  })
  // A connection that is ended at its release is not kept by the pool.
  pool.on('release', (_error, connection) => {
    if (isRetiring) connection.end().catch(() => {})
  })
  return () => {
    isRetiring = true
    for (let idle = pool.idleCount; idle > 0; idle--) {
      pool.connect().then(
        (connection) => connection.release(),
        () => {},
      )
    }
  }
}

/** The number of tries for a transaction that Postgres rolls back because of another one. */
const TRANSACTION_TRIES = 3
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

/**
 * Replaces Drizzle's `transaction`, which leaks its connection when `begin` fails, as after a restart of Postgres. This
 * one always releases the connection, and closes it when it may be broken. After a deadlock or a conflict nothing was
 * written, so the transaction is run again.
 */
function createTransactionRunner(pool: pg.Pool): Database['transaction'] {
  const known = new WeakMap<pg.PoolClient, NodePgDatabase<typeof tables>>()
  const getOwn = (client: pg.PoolClient) => {
    const own =
      known.get(client) ?? nodePostgres.drizzle({ client, schema: tables, ...DRIZZLE_OPTIONS })
    known.set(client, own)
    return own
  }
  const runOnce: Database['transaction'] = async (run, config) => {
    const connection = await pool.connect()
    let broken = false
    try {
      return await getOwn(connection).transaction(run, config)
    } catch (error) {
      broken = isOutage(error)
      throw error
    } finally {
      connection.release(broken)
    }
  }
  return async (run, config) => {
    for (let left = TRANSACTION_TRIES - 1; ; left--) {
      try {
        return await runOnce(run, config)
      } catch (error) {
        if (left === 0 || !isConflict(error)) throw error
      }
    }
  }
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = readSystemError(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || isConflict(error.cause)
}

/** Does `work` as soon as the database is reachable and can be written; it is begun anew after each outage. */
export async function workWhenReachable<Result>(
  work: () => Promise<Result>,
  onWait: (error: Error) => void,
): Promise<Result> {
  for (let waitMs = RETRY_MS.first; ; waitMs = Math.min(waitMs * 2, RETRY_MS.most)) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error)) throw error
      onWait(toError(error))
      await sleep(waitMs)
    }
  }
}

/** Returns the name of the constraint that a write violated, if the error has one. */
export function getViolatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (readSystemError(error).code.startsWith('23')) {
    return 'constraint' in error ? String(error.constraint ?? '') : ''
  }
  return getViolatedConstraint(error.cause)
}

async function probeConnection(client: pg.Client) {
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    // With too many connections the pool has enough of them.
    if (isConnectionRefusal(error)) throw error
  } finally {
    void client.end().catch(() => {})
  }
}

/** Whether Postgres accepts no connections for now because it starts, recovers or stops. */
function isConnectionRefusal(error: unknown) {
  return readSystemError(error).code === CANNOT_CONNECT_NOW
}

const PROBE_NAME = 'write_probe'
/** The shortest time between two probes. */
const PROBE_INTERVAL_MS = 2_000
/** More rows than the smallest `work_mem` holds, so that Postgres writes a temporary file. */
const SPILLED_ROWS = 10_000

/**
 * Returns a check that throws while nothing can be written, with a delay of up to two seconds: it connects, which a
 * database that is stopping refuses, and writes (writeProbeRow).
 */
export function createWriteProbe(db: Database, getNowMs = () => performance.now()) {
  let probedAt = Number.NEGATIVE_INFINITY
  let latest = Promise.resolve()

  return () => {
    const nowMs = getNowMs()
    if (nowMs - probedAt >= PROBE_INTERVAL_MS) {
      probedAt = nowMs
      latest = probeWrite(db)
    }
    return latest
  }
}

async function probeWrite(db: Database) {
  await db.probeConnection()
  await db.transaction(writeProbeRow)
}

/**
 * Writes a row, which a read-only standby refuses, and a temporary file, which a full disk refuses even if a row still
 * fits into an existing page.
 */
export async function writeProbeRow(tx: Transaction) {
  await tx
    .insert(installation)
    .values({ name: PROBE_NAME, value: '' })
    .onConflictDoUpdate({ target: installation.name, set: { createdAt: sql`now()` } })
  await tx.execute(sql`set local work_mem = '64kB'`)
  await tx.execute(sql`select count(*) from generate_series(1, ${sql.raw(`${SPILLED_ROWS}`)})`)
}
