// A Postgres as its packager has set it, JIT included: its binaries with a cluster of ours.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../src/database/embedded/cluster.ts'
import { UNPRIVILEGED_USER } from '../../../src/database/embedded/os-user.ts'
import { reservePort } from '../port.ts'

const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** The oldest that Debian's packages have brought: a folder with `bin`. */
export function findPackagedPostgres() {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).sort() : []
  const [oldest] = versions.filter((version) =>
    existsSync(join(DEBIAN_FOLDER, version, 'bin/initdb')),
  )
  return oldest && join(DEBIAN_FOLDER, oldest)
}

/** @param binaries A folder with `bin`, such as /usr/lib/postgresql/15. */
export async function startPackagedPostgres(binaries: string, dataDir: string) {
  const account = UNPRIVILEGED_USER
  const folder = join(dataDir, 'postgres')
  mkdirSync(folder, { mode: 0o700 })
  for (const path of [dataDir, folder]) {
    if (account.uid !== undefined && account.gid !== undefined)
      chownSync(path, account.uid, account.gid)
  }
  const args = ['-D', folder, '-U', 'postgres', '-E', 'UTF8', '--locale', 'C.UTF-8', '-A', 'trust']
  const made = spawnSync(join(binaries, 'bin', 'initdb'), args, {
    ...account,
    cwd: folder,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw made.error ?? new Error(made.stderr)
  const logFile = join(dataDir, 'postgres.log')
  const cluster = { folder, logFile, binaries, account, settings: [] }
  const { port, stop } = await startPostgres(cluster, await reservePort())
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop,
  }
}
