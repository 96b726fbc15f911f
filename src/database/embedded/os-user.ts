// Chooses the operating system's user that runs the embedded Postgres and owns its files: our own user, unless we are
// root.
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Empty for our own user. Postgres refuses to run as root. */
export type OsUser = { uid?: number; gid?: number }

/** The account nobody, used when we are root. */
export const UNPRIVILEGED_USER: OsUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

const WAY_OUT = 'set DATABASE_URL to a Postgres of your own.'

export class EmbeddedError extends Error {}

/** Creates the error with which the embedded Postgres fails, with the advice to use DATABASE_URL. */
export function embeddedError(what: string, cause?: unknown) {
  const why = cause instanceof Error ? ` (${cause.message})` : ''
  return new EmbeddedError(`${what}${why}: ${WAY_OUT}`, { cause })
}

/**
 * Chooses the account when we are root: the owner of the database's folder, else of the folder around the data folder,
 * so that this user can use the files; an unprivileged account when root owns both.
 */
export function resolveAccount(dataDir: string, folder: string): OsUser {
  if (UNPRIVILEGED_USER.uid === undefined) return UNPRIVILEGED_USER
  const owners = [folder, dirname(dataDir)].map((one) => statSync(one, { throwIfNoEntry: false }))
  const owner = owners.find((one) => one && one.uid !== 0)
  return owner ? { uid: owner.uid, gid: owner.gid } : UNPRIVILEGED_USER
}

/** Throws, with advice, when the folder belongs to another user. Root may read every folder. */
export function assertFolderOwner(folder: string) {
  const [us, owner] = [process.getuid?.(), statSync(folder, { throwIfNoEntry: false })?.uid]
  if (!us || owner === undefined || owner === us) return
  throw new Error(`${folder} belongs to another user: run this as that user, or ${WAY_OUT}`)
}

/** Does nothing when we are not root. */
export function changeOwner(path: string, { uid, gid }: OsUser) {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** Changes the owner of a folder that root owns, such as one restored from a backup. */
export function changeOwnerOfAll(folder: string, account: OsUser) {
  if (account.uid === undefined || statSync(folder).uid === account.uid) return
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of [...names, '']) changeOwner(join(folder, name), account)
  chmodSync(folder, 0o700)
}
