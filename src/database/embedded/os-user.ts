// Whom the embedded Postgres runs as and to whom its files belong: to us, unless we are root.
import { chmodSync, chownSync, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Empty for ourselves. Postgres refuses to run as root. */
export type Account = { uid?: number; gid?: number }

/** When we are root, the account nobody, which owns nothing else on this machine. */
export const UNPRIVILEGED: Account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** The one sentence with which the embedded Postgres gives up, always naming the way out. */
export function failure(what: string, cause?: unknown) {
  const why = cause instanceof Error ? ` (${cause.message})` : ''
  return new Error(`${what}${why}: set DATABASE_URL to a Postgres of your own.`, { cause })
}

/** As root, whose the data or else the checkout is, so that they can use it too; nobody if root's. */
export function accountFor(dataDir: string, folder: string): Account {
  if (UNPRIVILEGED.uid === undefined) return UNPRIVILEGED
  const owners = [folder, dirname(dataDir)]
    .filter((path) => existsSync(path))
    .map((p) => statSync(p))
  const owner = owners.find(({ uid }) => uid !== 0)
  return owner ? { uid: owner.uid, gid: owner.gid } : UNPRIVILEGED
}

/** Root may read every folder; anybody else is told whose it is. */
export function assertOurs(folder: string) {
  const [us, owner] = [process.getuid?.(), statSync(folder, { throwIfNoEntry: false })?.uid]
  if (!us || owner === undefined || owner === us) return
  throw new Error(
    `${folder} belongs to another user: run this as that user, or set DATABASE_URL to a Postgres of your own.`,
  )
}

/** Makes the account the owner. Nothing to do when we are not root. */
export function give(path: string, { uid, gid }: Account) {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** Takes over a folder that root owns, such as one restored from a backup. */
export function giveAll(folder: string, account: Account) {
  if (account.uid === undefined || statSync(folder).uid === account.uid) return
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    give(join(folder, name), account)
  }
  give(folder, account)
  chmodSync(folder, 0o700)
}
