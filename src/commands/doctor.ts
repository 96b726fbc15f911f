// Whether this installation is sound: what it stands on here, what must be true of its data in
// integrity.ts. It changes nothing.

import { createClient } from '@redis/client'
import { type Config, readConfig } from '../config.ts'
import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { readSchemaState } from '../database/migrations/state.ts'
import { createCipher } from '../database/sealing/encryption.ts'
import { findIgnoredForwarding, isTrustedProxy } from '../http/forwarding.ts'
import { type Commands, defineCommand } from './command.ts'
import { withDatabase } from './context.ts'
import { getErrorReason } from './failure.ts'
import {
  type Finding,
  type IntegrityCheck,
  listDataChecks,
  reportFailure,
  reportOk,
  reportWarning,
} from './integrity.ts'
import { checkPooler } from './pooler-check.ts'

const MIN_POSTGRES = 15
const CLOCK_SKEW_MS = { warn: 2_000, fail: 30_000 }
const REDIS_CHECK_TIMEOUT_MS = 2_000

export const commands: Commands = {
  '': defineCommand({
    about: 'Checks the installation and its data; the exit status is 1 when something fails.',
    options: {},
    async run() {
      const checks = await runChecks()
      const failed = checks.some(({ status }) => status === 'fail')
      const lines = checks.map(
        ({ status, what, advice }) =>
          `${status.padEnd(4)}  ${[what, advice].filter(Boolean).join(' — ')}`,
      )
      return { json: { ok: !failed, checks }, text: lines.join('\n'), failed }
    },
  }),
}

async function runChecks(): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    return [reportFailure(getErrorReason(error), 'mend this variable; the README lists them all')]
  }
  return [...(await runDatabaseChecks(config)), await checkRedis(config)]
}

async function runDatabaseChecks(config: Config): Promise<Finding[]> {
  try {
    return await withDatabase(config, async (home, db) => {
      const found = [await checkPostgresVersion(db), await checkRole(db, config)]
      found.push(await checkClock(db))
      found.push(...(await checkPooler(db, home)))
      const { finding, usable } = await checkMigrations(db)
      found.push(finding)
      const cipher = createCipher(home.secretKey, config.previousSecretKey)
      for (const check of usable ? listDataChecks(cipher, config) : [])
        found.push(await runCheck(check, db))
      if (usable) found.push(await checkForwarding(db, config))
      return found
    })
  } catch (error) {
    const advice = config.databaseUrl
      ? 'check DATABASE_URL, and that Postgres is running'
      : 'the embedded Postgres keeps its log in .data/postgres.log'
    return [reportFailure(`database: ${getErrorReason(error)}`, advice)]
  }
}

/** One check that can't be made must not hide the others. */
async function runCheck({ about, run }: IntegrityCheck, db: Database) {
  try {
    return await run(db)
  } catch (error) {
    return reportFailure(
      `${about}: ${getErrorReason(error)}`,
      'this could not be checked; try again',
    )
  }
}

async function checkPostgresVersion(db: Database) {
  const { rows } = await db.execute<{ major: number; text: string; standby: boolean }>(sql`
    select current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_version') as text, pg_is_in_recovery() as standby`)
  const { major, text, standby } = requireFound(rows[0])
  const what = `database: Postgres ${text} answers`
  if (standby)
    return reportFailure(`${what}, but is a read-only standby`, 'name the primary in DATABASE_URL')
  if (major >= MIN_POSTGRES) return reportOk(what)
  return reportFailure(what, `upgrade it: ${MIN_POSTGRES} is the oldest that is supported`)
}

/** The embedded Postgres has nobody else's data. */
async function checkRole(db: Database, { databaseUrl }: Config) {
  const { rows } = await db.execute<{ name: string; superuser: boolean }>(sql`
    select rolname as name, rolsuper as superuser from pg_roles where rolname = current_user`)
  const { name, superuser } = requireFound(rows[0])
  if (!superuser) return reportOk(`role: ${name}, no superuser`)
  if (!databaseUrl) return reportOk('role: the superuser of a Postgres that serves nobody else')
  return reportWarning(
    `role: ${name} is a superuser`,
    'give the service a role of its own that owns its database and may no more; .docker/role.sql makes one',
  )
}

/** Leases and due times are judged by processes whose clocks must agree. */
async function checkClock(db: Database) {
  const requestedAt = Date.now()
  const { rows } = await db.execute<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  )
  const skewMs = Math.round(Math.abs((requestedAt + Date.now()) / 2 - requireFound(rows[0]).ms))
  const what = `clock: ${skewMs} ms from the database's`
  const advice = 'synchronise both machines (NTP)'
  if (skewMs > CLOCK_SKEW_MS.fail) return reportFailure(what, advice)
  return skewMs > CLOCK_SKEW_MS.warn ? reportWarning(what, advice) : reportOk(what)
}

async function checkMigrations(db: Database) {
  const { pending, ahead } = await readSchemaState(db)
  if (pending > 0) {
    const advice = 'run "migrate", or restart the service'
    return { usable: false, finding: reportFailure(`migrations: ${pending} to be run`, advice) }
  }
  const finding = ahead
    ? reportWarning('migrations: a newer version has been here', 'run that version everywhere')
    : reportOk('migrations: up to date')
  return { usable: true, finding }
}

/** As the service was asked while it ran; believed by now, it is mended. */
async function checkForwarding(db: Database, { trustProxy }: Config) {
  const ignored = await findIgnoredForwarding(db)
  if (!ignored || isTrustedProxy(trustProxy, ignored.peer))
    return reportOk('proxy: no forwarding header was ignored')
  return reportWarning(
    `proxy: a forwarding header from ${ignored.peer} was not believed on ${ignored.at.slice(0, 10)}`,
    'if a proxy of yours stands there, name it in TRUST_PROXY: until then all who come by it count as one',
  )
}

async function checkRedis({ redisUrl }: Config) {
  if (!redisUrl) return reportOk('redis: none is set, so each process counts its rate limits alone')
  const socket = { connectTimeout: REDIS_CHECK_TIMEOUT_MS, reconnectStrategy: false as const }
  const commandOptions = { timeout: REDIS_CHECK_TIMEOUT_MS }
  const client = createClient({ url: redisUrl, socket, commandOptions })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return reportOk('redis: answers')
  } catch (error) {
    return reportFailure(
      `redis: ${getErrorReason(error)}`,
      'check REDIS_URL, and that Redis is running; meanwhile the limits are counted in Postgres',
    )
  } finally {
    client.destroy()
  }
}
