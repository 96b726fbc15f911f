// The embedded Postgres as versions before the service's own role made it: all belongs to the superuser, who has the
// password of the file.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareBinaries } from '../../../src/database/embedded/binaries.ts'
import {
  createCluster,
  startPostgres,
  stopPostgres,
} from '../../../src/database/embedded/cluster.ts'
import { UNPRIVILEGED_USER } from '../../../src/database/embedded/os-user.ts'
import { reservePort } from '../port.ts'

export async function startOlderEmbedded(dataDir: string) {
  const password = randomBytes(24).toString('base64url')
  const passwordFile = join(dataDir, 'postgres-password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  const account = UNPRIVILEGED_USER
  const cluster = {
    folder: join(dataDir, 'postgres'),
    logFile: join(dataDir, 'postgres.log'),
    binaries: prepareBinaries(account),
    account,
    settings: [],
  }
  createCluster(cluster, passwordFile)
  const { pid, port } = await startPostgres(cluster, await reservePort())
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: () => stopPostgres(cluster.folder, pid),
  }
}
