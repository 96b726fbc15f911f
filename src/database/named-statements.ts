// Whether a pooler keeps what its clients prepare: PgBouncer does from 1.21 on, and only when told to.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { readSystemError } from '../system-error.ts'
import { ownsSession } from './session.ts'

const ROUNDS = 5
const TIMEOUT_MS = 3_000

const STATEMENT_UNKNOWN = '26000'
const STATEMENT_EXISTS = '42P05'
const LOST_CODES = [STATEMENT_UNKNOWN, STATEMENT_EXISTS]

export const LOST_STATEMENTS_ADVICE =
  'the pooler in DATABASE_URL loses prepared statements: it has to be PgBouncer 1.21 or newer with max_prepared_statements greater than 0, or to pool sessions'

/** Throws the sentence to show where they are lost. */
export async function requireNamedStatements(url: string) {
  if (!(await keepsNamedStatements(url))) throw new Error(`Refused: ${LOST_STATEMENTS_ADVICE}.`)
}

export async function keepsNamedStatements(url: string): Promise<boolean> {
  const [client, other] = [openProbe(url), openProbe(url)]
  try {
    await client.connect()
    if (await ownsSession(client)) return true
    await other.connect()
    await runStatementElsewhere(client, other)
    return true
  } catch (error) {
    if (LOST_CODES.includes(readSystemError(error).code)) return false
    throw error
  } finally {
    await Promise.all([client, other].map((one) => one.end().catch(() => {})))
  }
}

/** Prepares a statement, and runs it while `other` holds the connection that knows it. */
async function runStatementElsewhere(client: pg.Client, other: pg.Client) {
  const statement = { name: `vintem_probe_${randomUUID()}`, text: 'select 1' }
  for (let round = 0; round < ROUNDS; round++) {
    await client.query(statement)
    await other.query('begin')
    const answered = await client.query(statement).then(() => true, throwUnlessTimeout)
    await other.query('commit')
    // A pool of one connection, which knows the name by now.
    if (!answered) break
  }
  await other.query(statement)
}

function throwUnlessTimeout(error: unknown) {
  if (readSystemError(error).message !== 'Query read timeout') throw error
  return false
}

function openProbe(url: string) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => {})
  return client
}
