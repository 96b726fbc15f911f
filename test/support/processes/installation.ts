// All that operators run: three processes behind nginx, PgBouncer, Redis, a Postgres and its standby, behind
// one address. Each can be hurt and mended.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { connectDatabase } from '../../../src/database/connect.ts'
import { changeOwner, UNPRIVILEGED_USER } from '../../../src/database/embedded/os-user.ts'
import { reservePort } from '../port.ts'
import { startPrimary, startStandby } from '../postgres/database-server.ts'
import { openAddress } from './address.ts'
import { startHookReceiver } from './hook-receiver.ts'
import { startNginx } from './nginx.ts'
import { findPoolers, startPooler } from './pooler.ts'
import { makeFolder } from './reaper.ts'
import { startRedis } from './redis.ts'
import { type Service, startService } from './service.ts'
import { createTestMerchant } from './traffic.ts'

const SOON = { timeout: 30_000, interval: 25 }

/** Payers come through one more proxy, which gives each an address. */
const ENVIRONMENT = { WEBHOOK_ALLOW_PRIVATE: 'true', TRUST_PROXY: '2', LOG_LEVEL: 'warn' }

export type Installation = Awaited<ReturnType<typeof openInstallation>>

type InstallationOptions = {
  /** Where the primary's data goes; a folder in memory when absent. */
  disk?: string
  /** More of each process's environment, from the first to the third. */
  environments?: Record<string, string>[]
}

export function requirePooler() {
  const found = findPoolers()[0]
  if (found) return found
  throw new Error('No PgBouncer: name one in PGBOUNCER; .ci/pgbouncer/find makes one.')
}

export async function openInstallation({ disk, environments = [] }: InstallationOptions = {}) {
  const folder = makeFolder('postgres', findMemory())
  changeOwner(folder, UNPRIVILEGED_USER)
  const primary = await startPrimary(join(disk ?? folder, 'primary'))
  const address = await openAddress(primary.port)
  const direct = `postgresql://postgres@127.0.0.1:${address.port}/postgres`
  const [pooler, redis] = await Promise.all([
    startPooler(requirePooler(), direct, { poolSize: 20 }),
    startRedis(),
  ])
  const ports = [await reservePort(), await reservePort(), await reservePort()]
  const services = await Promise.all(ports.map((_, i) => start(i)))
  // The first start gave our role its settings: they count for connections from now on.
  await pooler.kill()
  await pooler.resume()
  const nginx = await startNginx(ports)
  const db = connectDatabase(direct)
  const receiver = await startHookReceiver()
  const merchant = await createTestMerchant(db, nginx.url, { receiverUrl: receiver.url })
  receiver.trust(merchant.secret)

  return {
    ...{ url: nginx.url, nginx, pooler, redis, services, db, receiver, merchant, address, primary },
    addStandby: () => startStandby(primary, join(folder, 'standby')),
    /** How ready each process says it is. */
    readReadiness: () => Promise.all(ports.map(readStatus)),
    async awaitReady() {
      await expect.poll(() => Promise.all(ports.map(readStatus)), SOON).toEqual([200, 200, 200])
    },
    /** As a machine does that is suspended, or swaps. */
    freeze: (i: number) => services[i]!.process.kill('SIGSTOP'),
    thaw: (i: number) => services[i]!.process.kill('SIGCONT'),
    /** Ended as asked, and started again where it was; answers how it ended. */
    async restart(i: number, signal: NodeJS.Signals) {
      const end = await services[i]!.end(signal)
      services[i] = await start(i)
      return end
    },
    async close() {
      await Promise.all(services.map((service) => service.end('SIGKILL')))
      await db.$client.end()
      await Promise.all([nginx.end(), redis.kill(), pooler.end(), receiver.goAway()])
      await address.close()
      await primary.end()
    },
  }

  function start(i: number): Promise<Service> {
    const port = String(ports[i])
    return startService(pooler.url, {
      ...ENVIRONMENT,
      REDIS_URL: redis.url,
      ...environments[i],
      port,
    })
  }
}

async function readStatus(port: number) {
  const signal = AbortSignal.timeout(5_000)
  return fetch(`http://localhost:${port}/readyz`, { signal }).then(
    ({ status }) => status,
    () => 0,
  )
}

/** The temporary folder where memory has little room, as in a container. */
function findMemory() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize > 1_024 ** 3) return '/dev/shm'
  } catch {}
  return tmpdir()
}
