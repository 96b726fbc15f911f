// Checks Postgres: its version, our role, whether it can be written, its clock, a pooler in front of it, and that the
// schema belongs to this version and is complete, which it is not after an interrupted restore.

import { type Database, writeProbeRow } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { HOUR_MS, SECOND_MS } from '../../database/instant.ts'
import { findMissingParts } from '../../database/migrations/parts.ts'
import { readSchemaState } from '../../database/migrations/run.ts'
import { listMissingRoleSettings, ownsSession } from '../../database/session.ts'
import { readSystemError, toError } from '../../system-error.ts'
import { findDatabaseAdvice, getErrorReason, OWNER_ADVICE } from '../failure.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

const MIN_POSTGRES = 15
const NO_SUCH_TABLE = '42P01'
const CLOCK_SKEW_MS = { warn: 2_000, fail: 30_000 }

type PostgresVersion = { major: number; text: string; encoding: string }

export async function checkPostgresVersion(db: Database) {
  const { rows } = await db.execute<PostgresVersion>(sql`
    select current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_version') as text, current_setting('server_encoding') as encoding`)
  return classifyVersion(requireFound(rows[0]))
}

export function classifyVersion({ major, text, encoding }: PostgresVersion): Finding {
  const what = `database: Postgres ${text} answers`
  if (encoding !== 'UTF8') {
    const advice = 'move the data to a database with encoding UTF8: others refuse emoji'
    return reportFailure(`${what}, but the database is encoded as ${encoding}`, advice)
  }
  if (major < MIN_POSTGRES) {
    return reportFailure(what, `upgrade it: ${MIN_POSTGRES} is the oldest that is supported`)
  }
  return reportOk(what)
}

type Role = { name: string; superuser: boolean; mayCreate: boolean }

export async function checkRole(db: Database) {
  const { rows } = await db.execute<Role>(sql`
    select rolname as name, rolsuper as superuser,
      has_database_privilege(current_database(), 'create') as "mayCreate"
    from pg_roles where rolname = current_user`)
  const { name, superuser, mayCreate } = requireFound(rows[0])
  if (!mayCreate) {
    const what = `role: ${name} may not create tables in this database, so the service does not start`
    return reportFailure(what, OWNER_ADVICE)
  }
  if (!superuser) return reportOk(`role: ${name}, no superuser`)
  return reportWarning(
    `role: ${name} is a superuser`,
    'give the service a role of its own that only owns its database; .docker/role.sql creates one',
  )
}

/** Writes a row and rolls it back: a database may be read-only or its disk full, whatever the role may do. */
export async function checkWriting(db: Database): Promise<Finding> {
  const takenBack = new Error('taken back')
  const thrown = await db
    .transaction(async (tx) => {
      await writeProbeRow(tx)
      throw takenBack
    })
    .catch(toError)
  // Before the first migration there is no table to write.
  if (thrown === takenBack || readSystemError(thrown.cause).code === NO_SUCH_TABLE)
    return reportOk('writing: the database can be written')
  const advice = findDatabaseAdvice(thrown) ?? 'look at its disk and its log'
  return reportFailure(`writing: ${getErrorReason(thrown)}`, advice)
}

/** Checks our clock, which decides what is due, dates the log, and checks certificates. */
export async function checkClock(db: Database) {
  const requestedAt = Date.now()
  const { rows } = await db.execute<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  )
  return classifyClock((requestedAt + Date.now()) / 2 - requireFound(rows[0]).ms)
}

export function classifyClock(differenceMs: number): Finding {
  const skewMs = Math.round(Math.abs(differenceMs))
  const what = `clock: ${describeSpan(skewMs)} from the database's`
  const advice = 'synchronise both machines (NTP)'
  if (skewMs > CLOCK_SKEW_MS.fail) return reportFailure(what, advice)
  return skewMs > CLOCK_SKEW_MS.warn ? reportWarning(what, advice) : reportOk(what)
}

function describeSpan(ms: number) {
  if (ms < 10 * SECOND_MS) return `${ms} ms`
  return ms < 2 * HOUR_MS ? `${Math.round(ms / SECOND_MS)} s` : `${Math.round(ms / HOUR_MS)} hours`
}

/** A pooler shares its sessions, so the session settings of our statements must be settings of the role. */
export async function checkPooler(db: Database) {
  const session = await db.$client.connect()
  try {
    if (await ownsSession(session)) return reportOk('pooler: none')
    const missing = await listMissingRoleSettings(session)
    if (missing.length === 0) return reportOk('pooler: our role has its settings')
    const advice = `run as a role that may: ${missing.join('; ')}`
    return reportWarning('pooler: our role lacks settings that statements need', advice)
  } finally {
    session.release()
  }
}

const MAX_NAMED = 3

/** `usable`: whether the data can be read. */
export async function checkSchema(db: Database): Promise<{ usable: boolean; findings: Finding[] }> {
  const { pending, refusal, ahead } = await readSchemaState(db)
  if (refusal) {
    const { what, advice } = refusal
    return { usable: false, findings: [reportFailure(`migrations: ${what}`, advice)] }
  }
  if (pending > 0) {
    const advice = 'run "migrate", or restart the service'
    return { usable: false, findings: [reportFailure(`migrations: ${pending} to be run`, advice)] }
  }
  if (ahead) {
    const what = 'migrations: a newer version has migrated this database'
    return { usable: true, findings: [reportWarning(what, 'run that version everywhere')] }
  }
  const { expected, missing } = await findMissingParts(db)
  if (missing.length === 0) {
    return { usable: true, findings: [reportOk('migrations: up to date')] }
  }
  const named = missing.slice(0, MAX_NAMED).join(', ') + (missing.length > MAX_NAMED ? ', …' : '')
  const what = `migrations: up to date, but ${missing.length} of ${expected} indexes and constraints are missing (${named})`
  const advice =
    'create them as in a healthy installation, or restore the backup again into an empty database and read the errors of pg_restore: without them a payment may be booked twice'
  return { usable: true, findings: [reportFailure(what, advice)] }
}
