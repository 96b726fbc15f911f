// The session settings that our statements need: set by us on our own connections or, behind a pooler, by our role
// in the database.
import pg from 'pg'
import { readSystemError } from '../system-error.ts'
import { ROLE_SETTINGS_LOCK } from './locks.ts'

// A plan made while a table was nearly empty reads all of it until autovacuum has looked at it again, and
// every statement here has an index; compiling one takes longer than running it.
const SESSION_SETTINGS = {
  statement_timeout: '5s',
  // When a process stops in the middle of a transaction, others wait for its locks.
  idle_in_transaction_session_timeout: '5s',
  // A connection that waits in the pool is not given up, whatever our role or database says.
  idle_session_timeout: '0',
  // Decisions rely on conditional updates and row locks; serializable would refuse some of them.
  default_transaction_isolation: 'read committed',
  enable_seqscan: 'off',
  jit: 'off',
  // We read instants in this format only. Named as Postgres stores it.
  DateStyle: 'ISO',
}
const SETTINGS = [Object.keys(SESSION_SETTINGS), Object.values(SESSION_SETTINGS)]

const WANTED_SQL = 'unnest($1::text[], $2::text[]) as wanted (name, setting)'

/**
 * Whether the session is nobody's but ours: the process that serves it is the one that greeted us.
 * PgBouncer greets with a number of its own, a proxy that knows nothing of Postgres hands on the real one.
 */
export async function ownsSession(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ own: boolean }>('select pg_backend_pid() = $1 as own', [
    getGreetedPid(client),
  ])
  return rows[0]?.own === true
}

/** Leaves a session alone that is only lent to us. */
export async function applySessionSettings(client: pg.ClientBase) {
  await client.query(
    `select set_config(name, setting, false) from ${WANTED_SQL} where pg_backend_pid() = $3`,
    [...SETTINGS, getGreetedPid(client)],
  )
}

/** The settings that our role lacks, each as the SQL statement that sets it. */
export async function listMissingRoleSettings(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ sentence: string }>(MISSING_SETTINGS_SQL, SETTINGS)
  return rows.map(({ sentence }) => sentence)
}

const MISSING_SETTINGS_SQL = `
select format('alter role %I in database %I set %s = %L', session_user, current_database(), name, setting)
  as sentence
from ${WANTED_SQL}
where not exists (
  select from pg_db_role_setting given
  join pg_database on pg_database.oid = given.setdatabase and datname = current_database()
  join pg_roles on pg_roles.oid = given.setrole and rolname = session_user
  where exists (select from unnest(setconfig) as one where one like name || '=%')
)`

const INSUFFICIENT_PRIVILEGE = '42501'

/** Used behind a pooler, as far as our role may; `doctor` lists the rest. */
export async function applyRoleSettings(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    if (await ownsSession(client)) return
    await client.query(`begin; select pg_advisory_xact_lock(${ROLE_SETTINGS_LOCK})`)
    for (const sentence of await listMissingRoleSettings(client)) await client.query(sentence)
    await client.query('commit')
  } catch (error) {
    if (readSystemError(error).code !== INSUFFICIENT_PRIVILEGE) throw error
  } finally {
    await client.end().catch(() => {})
  }
}

function getGreetedPid(client: pg.ClientBase) {
  // Part of the protocol's greeting, and missing from the types of pg.
  return (client as pg.ClientBase & { processID: number | null }).processID
}
