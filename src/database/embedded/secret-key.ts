// The SECRET_KEY of an installation on the embedded Postgres, in a file beside its data.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32

/** That of the file, which the first start makes. Throws the sentence to show where it holds none. */
export function ensureSecretKey(dataDir: string) {
  const file = join(dataDir, 'secret-key')
  if (!existsSync(file)) makeSecretKey(file, dataDir)
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length === KEY_BYTES) return key
  throw new Error(
    '.data/secret-key holds no key: put the file back that was made together with .data/postgres or, where nothing has been stored yet, remove it and start again.',
  )
}

function makeSecretKey(file: string, dataDir: string) {
  const text = randomBytes(KEY_BYTES).toString('base64')
  // On the disk before anything is that is sealed with it.
  writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true })
  // Started by root in somebody's checkout, the key must stay readable to that somebody.
  const { uid, gid } = statSync(dataDir)
  if (process.getuid?.() === 0) chownSync(file, uid, gid)
}
