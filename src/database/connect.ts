import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { isOutage, readSystemError } from '../system-error.ts'
import { type NodePgDatabase, nodePostgres, sql } from './drizzle.ts'
import { applySessionSettings } from './session.ts'
import * as tables from './tables.ts'

// A function says in its first parameter where it may run:
//   db: Database     outside any transaction: it opens its own, or it waits for the network
//   tx: Transaction  only inside one: what it writes must stand or fall with its caller's work
//   db: Db           either
export type Database = NodePgDatabase<typeof tables> & {
  $client: pg.Pool
  /** Throws when the database takes no new connections, however well it answers on those that there are. */
  probeConnection(): Promise<void>
}
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
export type Db = Database | Transaction

/** The pool size of a serving process. */
export const POOL_SIZE = 10
const POOL_CONNECT_TIMEOUT_MS = 3_000
/** Longer than any statement may take: what answers by then no more is gone without a word. */
const ANSWER_TIMEOUT_MS = 10_000
const POOL_IDLE_TIMEOUT_MS = 30_000
const MAX_LIFETIME_S = 1_800
const SHARED = { connectionTimeoutMillis: POOL_CONNECT_TIMEOUT_MS, application_name: 'vintem' }
const DRIZZLE_OPTIONS = { casing: 'snake_case' } as const
const CANNOT_CONNECT_NOW = '57P03'

type ConnectOptions = {
  max?: number
  answerTimeoutMs?: number
  /** Called before each connection: the current address of the same database, where it is known. */
  findUrl?: (() => string | undefined) | undefined
  onError?: (error: Error) => void
  /** Postgres takes no more connections for now: it may be waiting for those that there are. */
  onRefusal?: () => void
}

/**
 * A pool that refuses rather than hangs: waiting for a connection and running a statement both have
 * a limit, and a connection that breaks while idle is reported to `onError` and replaced.
 */
export function connectDatabase(
  url: string,
  {
    max = POOL_SIZE,
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
    findUrl = () => url,
    onError = () => {},
    onRefusal = () => {},
  }: ConnectOptions = {},
): Database {
  function createPooledClient(config: pg.ClientConfig) {
    const connectionString = findUrl() ?? url
    // Statements that nobody waited between go out together.
    const own = { ...config, connectionString, pipeline: true }
    return createClient(own, noteRefusal)
  }
  function noteRefusal() {
    retireConnections()
    onRefusal()
  }
  const client: pg.Pool = new pg.Pool({
    // The pool gives it its options, which its type keeps to itself.
    Client: createPooledClient as unknown as new () => pg.Client,
    connectionString: url,
    max,
    ...SHARED,
    query_timeout: answerTimeoutMs,
    idleTimeoutMillis: POOL_IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: MAX_LIFETIME_S,
    keepAlive: true,
    // Not start-up parameters: PgBouncer refuses those it does not know.
    onConnect: async (connection) => {
      connection.on('error', onError)
      await applySessionSettings(connection)
    },
  })
  client.on('error', onError)
  const retireConnections = createRetirement(client)
  const db = nodePostgres.drizzle({ client, schema: tables, ...DRIZZLE_OPTIONS })
  return Object.assign(db, {
    transaction: createTransactionRunner(client),
    probeConnection: () => probeConnection(createPooledClient(SHARED)),
  })
}

/**
 * A client that gives up while it connects, as for want of a password, leaves its socket open, and the pool
 * forgets it: that would keep a command waiting until Postgres gives up too, a minute later.
 */
function createClient(config: pg.ClientConfig, onRefusal: () => void) {
  const client = new pg.Client(config)
  // Missing from the types of pg. What Postgres says is no `error`: after one the connection is of no more use.
  const { connection } = client as pg.Client & { connection: EventEmitter & { stream: Duplex } }
  connection.on('error', () => connection.stream.destroy())
  connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
    if (code === CANNOT_CONNECT_NOW) onRefusal()
  })
  return client
}

/**
 * Until the pool has a new connection it uses none again. A Postgres that takes no more of them may be waiting
 * for those that there are (a smart shutdown): most of what is asked would fail for as long as some go on.
 */
function createRetirement(pool: pg.Pool) {
  let isRetiring = false
  pool.on('connect', () => {
    isRetiring = false
  })
  // A connection that is ended when it is given back is not kept.
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

/** A transaction that Postgres ended because of another is run again, so many times in all. */
const TRANSACTION_TRIES = 3
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

/**
 * Drizzle's own `transaction` takes its connection from the pool before it guards it: when `begin`
 * fails, as after a restart of Postgres, the connection is never given back. This one always is, and
 * one that may be broken is thrown away. A deadlock or a conflict of two transactions is no failure: nothing of this
 * one was written, and it is run again.
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

/** The name of the constraint that a write broke, if that is what the error says. */
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
    // As for being too many: then the pool has enough.
    if (isConnectionRefusal(error)) throw error
  } finally {
    void client.end().catch(() => {})
  }
}

/** Whether Postgres takes no connections at all for now: it starts, recovers or ends. */
export function isConnectionRefusal(error: unknown) {
  return readSystemError(error).code === CANNOT_CONNECT_NOW
}

/** Throws when the database does not answer. */
export async function pingDatabase(db: Database) {
  await db.execute(sql`select 1`)
}
