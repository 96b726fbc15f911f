// The service's role in the embedded Postgres, and its password in a file beside the data. The role owns the database
// and is no superuser, like the role of .docker/role.sql; the superuser has no password. A lost password is simply
// replaced, because write access to the folder already gives access to the data.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, nameFolder, runOnce } from './cluster.ts'
import { embeddedError } from './os-user.ts'

const ROLE = 'vintem'
const DATABASE = 'postgres'
const ACCESS_RULES = 'host all all 127.0.0.1/32 scram-sha-256\n'

/** Undefined when there is no file, or none with a password. */
export function readPassword(file: string) {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return /^[\w-]+$/.test(text) ? text : undefined
}

export function makePassword(file: string) {
  const password = randomBytes(24).toString('base64url')
  writeFileSync(file, password, { mode: 0o600, flush: true })
  return password
}

export function makeServiceRole(cluster: Cluster, password: string) {
  writeFileSync(join(cluster.folder, 'pg_hba.conf'), ACCESS_RULES, { flush: true })
  runByHand(cluster, [
    `create role ${ROLE} login password '${password}'`,
    `alter database ${DATABASE} owner to ${ROLE}`,
  ])
}

/** Sets the password again when its file was lost or damaged. */
export function resetPassword(cluster: Cluster, password: string) {
  const said = runByHand(cluster, [`alter role ${ROLE} password '${password}'`])
  if (said.includes(`role "${ROLE}" does not exist`)) {
    const cause = new Error(
      'its data is older than the role of the service: start the version before once',
    )
    throw embeddedError('The embedded Postgres does not start', cause)
  }
}

/** Runs statements while the server is stopped, in Postgres's single-user mode, which asks for no password. */
function runByHand(cluster: Cluster, statements: string[]) {
  const options = ['--single', '-D', nameFolder(cluster.folder), DATABASE]
  return runOnce(cluster, 'postgres', options, `${statements.join('\n')}\n`)
}

export function buildServiceUrl(password: string, port: number) {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`
}
