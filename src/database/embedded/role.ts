// The role that the service has in the embedded Postgres, and its password in a file beside the data. The role owns the
// database and is no superuser, as .docker/role.sql makes one; the superuser has no password. Who may write to the
// folder has the data anyway, so that a password that was lost is set anew.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readSystemError } from '../../system-error.ts'
import { EMBEDDED_OWNER_LOCK } from '../locks.ts'
import { type Cluster, nameFolder, runOnce } from './cluster.ts'

const ROLE = 'vintem'
const DATABASE = 'postgres'
const ACCESS_RULES = 'host all all 127.0.0.1/32 scram-sha-256\n'
const INVALID_PASSWORD = '28P01'
const CONNECT_TIMEOUT_MS = 3_000

/** That of the file, which is written where it is missing or holds none. */
export function ensurePassword(file: string) {
  const kept = readPassword(file)
  if (kept) return kept
  const password = randomBytes(24).toString('base64url')
  writeFileSync(file, password, { mode: 0o600, flush: true })
  return password
}

/** Undefined where there is no such file, or one that holds no password. */
export function readPassword(file: string) {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return /^[\w-]+$/.test(text) ? text : undefined
}

/** In a cluster that was just made. */
export function makeServiceRole(cluster: Cluster, password: string) {
  writeFileSync(join(cluster.folder, 'pg_hba.conf'), ACCESS_RULES, { flush: true })
  runByHand(cluster, [
    `create role ${ROLE} login password '${password}'`,
    `alter database ${DATABASE} owner to ${ROLE}`,
  ])
}

export function resetPassword(cluster: Cluster, password: string) {
  const said = runByHand(cluster, [`alter role ${ROLE} password '${password}'`])
  if (said.includes(`role "${ROLE}" does not exist`)) {
    throw new Error('its data is older than the role of the service: start the version before once')
  }
}

/** For a server that does not run: Postgres asks nobody for a password who runs it on the data by hand. */
function runByHand(cluster: Cluster, statements: string[]) {
  const options = ['--single', '-D', nameFolder(cluster.folder), DATABASE]
  return runOnce(cluster, 'postgres', options, `${statements.join('\n')}\n`)
}

export function isPasswordRefusal(error: unknown) {
  return readSystemError(error).code === INVALID_PASSWORD
}

export function buildServiceUrl(password: string, port: number) {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`
}

/** The connection that makes the server ours for as long as it stands; undefined while it is another program's. */
export async function claimOwnership(url: string) {
  const owner = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'vintem owner',
  })
  owner.on('error', () => {})
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
