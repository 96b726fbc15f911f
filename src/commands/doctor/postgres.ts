// The Postgres that all stands on: its version, our role in it, its clock, and a pooler before it.

import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { HOUR_MS, SECOND_MS } from '../../database/instant.ts'
import { listMissingRoleSettings, ownsSession } from '../../database/session.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

const MIN_POSTGRES = 15
const CLOCK_SKEW_MS = { warn: 2_000, fail: 30_000 }

type PostgresVersion = { major: number; text: string; standby: boolean; encoding: string }

export async function checkPostgresVersion(db: Database) {
  const { rows } = await db.execute<PostgresVersion>(sql`
    select current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_version') as text, pg_is_in_recovery() as standby,
      current_setting('server_encoding') as encoding`)
  return judgeVersion(requireFound(rows[0]))
}

export function judgeVersion({ major, text, standby, encoding }: PostgresVersion): Finding {
  const what = `database: Postgres ${text} answers`
  if (standby)
    return reportFailure(`${what}, but is a read-only standby`, 'name the primary in DATABASE_URL')
  if (encoding !== 'UTF8') {
    const advice = 'move the data to a database that is encoded as UTF8: no other takes an emoji'
    return reportFailure(`${what}, but the database is encoded as ${encoding}`, advice)
  }
  if (major < MIN_POSTGRES) {
    return reportFailure(what, `upgrade it: ${MIN_POSTGRES} is the oldest that is supported`)
  }
  return reportOk(what)
}

export async function checkRole(db: Database) {
  const { rows } = await db.execute<{ name: string; superuser: boolean }>(sql`
    select rolname as name, rolsuper as superuser from pg_roles where rolname = current_user`)
  const { name, superuser } = requireFound(rows[0])
  if (!superuser) return reportOk(`role: ${name}, no superuser`)
  return reportWarning(
    `role: ${name} is a superuser`,
    'give the service a role of its own that owns its database and may no more; .docker/role.sql makes one',
  )
}

/** What is due goes by the database's; by ours the log is dated, and a bank's certificate believed. */
export async function checkClock(db: Database) {
  const requestedAt = Date.now()
  const theirs = await readDatabaseTime(db)
  return judgeClock((requestedAt + Date.now()) / 2 - theirs.getTime())
}

export async function readDatabaseTime(db: Database) {
  const { rows } = await db.execute<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  )
  return new Date(requireFound(rows[0]).ms)
}

export function judgeClock(differenceMs: number): Finding {
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

/** A pooler lends its sessions, and what our statements need of them has to be a setting of our role. */
export async function checkPooler(db: Database) {
  const session = await db.$client.connect()
  try {
    if (await ownsSession(session)) return reportOk('pooler: none stands between')
    const missing = await listMissingRoleSettings(session)
    if (missing.length === 0) return reportOk('pooler: our role has its settings')
    const advice = `run, as somebody who may: ${missing.join('; ')}`
    return reportWarning('pooler: our role lacks settings that statements need', advice)
  } finally {
    session.release()
  }
}
