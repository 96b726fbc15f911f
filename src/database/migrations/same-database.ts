// Whether DATABASE_URL and DATABASE_DIRECT_URL lead to one database, asked before anything is changed: a schema in
// one and payments in the other would be of use to nobody.
import { randomInt } from 'node:crypto'
import pg from 'pg'
import { readSystemError } from '../../system-error.ts'
import { DATABASE_IDENTITY_LOCK } from '../locks.ts'

const TIMEOUT_MS = 3_000
const MAX_NUMBER = 2 ** 31

type Addresses = { url: string; directUrl: string }

/** Throws the sentence to show where they are two. */
export async function requireSameDatabase(addresses: Addresses) {
  if (await isSameDatabase(addresses)) return
  throw new Error(
    'Refused: DATABASE_DIRECT_URL leads to another database than DATABASE_URL; it has to name the Postgres behind the pooler that DATABASE_URL names, and the same database there.',
  )
}

/**
 * By a lock that one takes and the other finds taken: whoever may connect may take it, an empty database has it
 * too, a copy of the database has one of its own, and inside a transaction a pooler is not in its way.
 */
export async function isSameDatabase({ url, directUrl }: Addresses): Promise<boolean> {
  if (url === directUrl) return true
  const [direct, other] = [openAsker(directUrl), openAsker(url)]
  const take = `select pg_try_advisory_xact_lock(${DATABASE_IDENTITY_LOCK}, ${randomInt(MAX_NUMBER)}) as taken`
  try {
    await connectDirect(direct)
    await other.connect()
    await direct.query('begin')
    await direct.query(take)
    const { rows } = await other.query<{ taken: boolean }>(take)
    return rows[0]?.taken !== true
  } catch (error) {
    // A pooler in both addresses that lends a single connection: it leads to one database.
    if (readSystemError(error).message === 'Query read timeout') return true
    throw error
  } finally {
    await Promise.all([direct, other].map((client) => client.end().catch(() => {})))
  }
}

async function connectDirect(client: pg.Client) {
  try {
    await client.connect()
  } catch (cause) {
    const { message, code } = readSystemError(cause)
    throw new Error(`DATABASE_DIRECT_URL: ${message || code}`, { cause })
  }
}

function openAsker(connectionString: string) {
  const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
  const client = new pg.Client({ connectionString, ...limits })
  client.on('error', () => {})
  return client
}
