// The password of the embedded Postgres, in a file beside its data. Whoever may write to that folder has the data
// anyway, so that one that was lost is set anew.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSystemError } from '../../system-error.ts'
import { buildSpawnOptions, type Cluster, nameFolder } from './cluster.ts'

const INVALID_PASSWORD = '28P01'

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

export function isPasswordRefusal(error: unknown) {
  return readSystemError(error).code === INVALID_PASSWORD
}

/** For a server that does not run: Postgres asks nobody for a password who runs it on the data by hand. */
export function resetPassword(cluster: Cluster, password: string) {
  const { error, status, stderr } = spawnSync(
    join(cluster.binaries, 'bin', 'postgres'),
    ['--single', '-D', nameFolder(cluster.folder), 'postgres'],
    {
      ...buildSpawnOptions(cluster),
      input: `alter role postgres password '${password}'\n`,
      encoding: 'utf8',
    },
  )
  if (error) throw error
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1))
}
