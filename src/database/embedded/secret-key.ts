// The SECRET_KEY of an installation with the embedded Postgres, in a file beside the data.
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readSystemError } from '../../system-error.ts'

const KEY_BYTES = 32

/**
 * Reads the key from the file that the first start creates. Throws an Error with a message for the operator when it is
 * missing.
 */
export function readSecretKey(dataDir: string) {
  const file = join(dataDir, 'secret-key')
  const key = Buffer.from(existsSync(file) ? readFileSync(file, 'utf8') : '', 'base64')
  if (key.length === KEY_BYTES) return key
  throw new Error(
    '.data/secret-key is missing, or holds no key: put the file back that was made together with .data/postgres, or give its text as SECRET_KEY; where nothing has been stored yet, remove .data and start again.',
  )
}

/** Creates the key file; if several programs do so at the same time, the first file stays. */
export function makeSecretKey(dataDir: string) {
  writeKeyFile(dataDir, randomBytes(KEY_BYTES), linkSync)
}

/** Stores `key` once all secrets are encrypted with it. Returns whether a file with another key was replaced. */
export function replaceSecretKey(dataDir: string, key: Buffer) {
  const file = join(dataDir, 'secret-key')
  if (!existsSync(file) || readFileSync(file, 'utf8') === key.toString('base64')) return false
  writeKeyFile(dataDir, key, renameSync)
  return true
}

/** Writes the file completely or not at all, and to the disk before a secret is encrypted with the key. */
function writeKeyFile(dataDir: string, key: Buffer, move: (fresh: string, file: string) => void) {
  const file = join(dataDir, 'secret-key')
  const fresh = `${file}-new-${process.pid}`
  try {
    writeFileSync(fresh, key.toString('base64'), { mode: 0o600, flush: true })
    // When root starts the service, the owner of the folder must still be able to read the key.
    const { uid, gid } = statSync(dataDir)
    if (process.getuid?.() === 0) chownSync(fresh, uid, gid)
    move(fresh, file)
  } catch (error) {
    if (readSystemError(error).code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}
