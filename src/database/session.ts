// The session settings that our statements need. We set them on our own connections; behind a pooler our role has them.
import pg from 'pg'
import { readSystemError } from '../system-error.ts'
import { ROLE_SETTINGS_LOCK } from './locks.ts'

// All statements have an index, but a plan made while a table was nearly empty would scan the table until the next
// autovacuum. Compiling a statement (JIT) takes longer than running it.
const SESSION_SETTINGS = {
  statement_timeout: '5s',
  // When a process stops in the middle of a transaction, others wait for its locks.
  idle_in_transaction_session_timeout: '5s',
  // Idle connections of the pool are kept, even if the role or the database has a limit.
  idle_session_timeout: '0',
  // Decisions rely on conditional updates and row locks; serializable transactions would fail more often.
  default_transaction_isolation: 'read committed',
  enable_seqscan: 'off',
  jit: 'off',
  // The only format that we read. Its name is written as Postgres stores it.
  DateStyle: 'ISO',
}
const SETTINGS = [Object.keys(SESSION_SETTINGS), Object.values(SESSION_SETTINGS)]

const WANTED_SQL = 'unnest($1::text[], $2::text[]) as wanted (name, setting)'

/**
 * Whether the session belongs to us alone: then the process that serves it is the one of the protocol's greeting.
 * PgBouncer greets with a number of its own; proxies that do not speak Postgres forward the real one.
 */
export async function ownsSession(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ own: boolean }>('select pg_backend_pid() = $1 as own', [
    getGreetedPid(client),
  ])
  return rows[0]?.own === true
}

/** Applies the settings, except to a shared session. */
export async function applySessionSettings(client: pg.ClientBase) {
  await client.query(
    `select set_config(name, setting, false) from ${WANTED_SQL} where pg_backend_pid() = $3`,
    [...SETTINGS, getGreetedPid(client)],
  )
}

/** Returns, for each setting that our role lacks, the SQL statement that sets it. */
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

/** Sets the role's settings, for use behind a pooler, where our role may; `doctor` lists the others. */
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
  // The number of the protocol's greeting stands nowhere else, and the types of pg lack the field
  // (brianc/node-postgres#2665).
  return (client as pg.ClientBase & { processID: number | null }).processID
}
