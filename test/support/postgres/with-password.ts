// A durable Postgres that asks for the password of its superuser, as one that an operator has set up.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareBinaries } from '../../../src/database/embedded/binaries.ts'
import {
  type Cluster,
  createCluster,
  nameFolder,
  runOnce,
  startPostgres,
} from '../../../src/database/embedded/cluster.ts'
import { UNPRIVILEGED_USER } from '../../../src/database/embedded/os-user.ts'
import { reservePort } from '../port.ts'

export async function startPostgresWithPassword(dataDir: string, settings: string[] = []) {
  const password = randomBytes(24).toString('base64url')
  const account = UNPRIVILEGED_USER
  const cluster = {
    folder: join(dataDir, 'postgres'),
    logFile: join(dataDir, 'postgres.log'),
    binaries: prepareBinaries(account),
    account,
    settings,
  }
  createCluster(cluster, (fresh) => requirePassword(fresh, password))
  const { port, stop } = await startPostgres(cluster, await reservePort())
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop,
  }
}

/** Requires a password over TCP. */
export function requirePassword(fresh: Cluster, password: string) {
  writeFileSync(join(fresh.folder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  const options = ['--single', '-D', nameFolder(fresh.folder), 'postgres']
  runOnce(fresh, 'postgres', options, `alter role postgres password '${password}'\n`)
}
