// The role that the service has in the embedded Postgres: it owns the database and all that is in it, and is no
// superuser, as .docker/role.sql makes one. Data that a version before this one made belongs to the superuser;
// what is found so changes hands here, in one transaction, and the superuser is left without a password.
import pg from 'pg'
import { EMBEDDED_OWNER_LOCK } from '../locks.ts'
import { isPasswordRefusal } from './password.ts'

const SERVICE_ROLE = 'vintem'
const SUPERUSER = 'postgres'
const CONNECT_TIMEOUT_MS = 3_000

export function buildServiceUrl(password: string, port: number) {
  return buildUrl(SERVICE_ROLE, password, port)
}

/** The connection that makes the server ours for as long as it stands; undefined while it is another program's. */
export async function claimOwnership(password: string, port: number) {
  const url = buildServiceUrl(password, port)
  try {
    return await lockServer(url)
  } catch (error) {
    if (!isPasswordRefusal(error)) throw error
    // The superuser is let in where the data is new, or a version before this one had it last.
    return (await makeServiceRole(password, port)) ? lockServer(url) : undefined
  }
}

export async function isServiceRefused(url: string) {
  const client = createClient(url)
  try {
    await client.connect()
    return false
  } catch (error) {
    return isPasswordRefusal(error)
  } finally {
    await client.end().catch(() => {})
  }
}

async function lockServer(url: string) {
  const owner = createClient(url)
  await owner.connect()
  const lost = new Promise<void>((end) => owner.once('end', end))
  const lock = [EMBEDDED_OWNER_LOCK]
  const { rows } = await owner.query('select pg_try_advisory_lock($1) as mine', lock)
  if (!rows[0].mine) {
    await owner.end()
    return undefined
  }
  // It must not keep a program going that has nothing left to do; its types don't know this method.
  ;(owner as pg.Client & { unref(): void }).unref()
  return { owner, lost }
}

/** False while another program has the database: one of a version before this one may serve it. */
async function makeServiceRole(password: string, port: number): Promise<boolean> {
  const superuser = createClient(buildUrl(SUPERUSER, password, port))
  const lock = [EMBEDDED_OWNER_LOCK]
  try {
    await superuser.connect()
    await superuser.query('begin')
    const { rows } = await superuser.query('select pg_try_advisory_xact_lock($1) as mine', lock)
    if (!rows[0].mine) return false
    await handOver(superuser, password)
    await superuser.query('commit')
    return true
  } finally {
    await superuser.end().catch(() => {})
  }
}

function createClient(connectionString: string) {
  const client = new pg.Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'vintem owner',
  })
  client.on('error', () => {})
  return client
}

/** @param password of letters, digits, `-` and `_`: these sentences take no parameters. */
async function handOver(superuser: pg.Client, password: string) {
  const { rowCount } = await superuser.query('select from pg_roles where rolname = $1', [
    SERVICE_ROLE,
  ])
  if (rowCount === 0) await superuser.query(`create role ${SERVICE_ROLE}`)
  await superuser.query(`alter role ${SERVICE_ROLE} nosuperuser login password '${password}'`)
  await superuser.query(`alter database ${SUPERUSER} owner to ${SERVICE_ROLE}`)
  const { rows } = await superuser.query<{ type: string; identity: string }>(OWNED_SQL)
  for (const { type, identity } of rows) {
    await superuser.query(`alter ${type} ${identity} owner to ${SERVICE_ROLE}`)
  }
  await superuser.query(`alter role ${SUPERUSER} password null`)
}

function buildUrl(role: string, password: string, port: number) {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${SUPERUSER}`
}

// What the superuser (10) owns, less Postgres's own (its oids are below 16384), what an extension brought along and
// what goes with its table: indexes, row types, sequences of columns.
const OWNED_SQL = `
with owned (kind, id) as (
  select 'pg_namespace'::regclass, oid from pg_namespace
  where nspowner = 10 and nspname !~ '^pg_(toast_)?temp_'
  union all
  select 'pg_class'::regclass, oid from pg_class
  where relowner = 10 and (relkind in ('r', 'p', 'v', 'm', 'f') or relkind = 'S' and not exists (
    select from pg_depend where classid = 'pg_class'::regclass and objid = oid and deptype in ('a', 'i')))
  union all
  select 'pg_proc'::regclass, oid from pg_proc where proowner = 10
  union all
  select 'pg_type'::regclass, oid from pg_type
  where typowner = 10 and (typtype in ('d', 'e', 'r') or typtype = 'c' and exists (
    select from pg_class where pg_class.oid = typrelid and relkind = 'c'))
  union all
  select 'pg_statistic_ext'::regclass, oid from pg_statistic_ext where stxowner = 10
)
select case type when 'statistics object' then 'statistics' when 'composite type' then 'type' else type end as type,
  identity
from owned, pg_identify_object(kind, id, 0)
where id >= 16384
  and not exists (select from pg_depend where classid = kind and objid = id and deptype = 'e')
order by id`
