// Reads the configuration, connects, builds, listens, and on a signal does the same backwards.
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { CHALLENGE_PATH } from './checkout/sandbox-routes.ts'
import { welcome, welcomeText } from './companies/first-start.ts'
import { type Config, readConfig } from './config.ts'
import { connect } from './database/connect.ts'
import { type Home, openHome } from './database/home.ts'
import { listen } from './database/listen.ts'
import { migrateWhenReachable } from './database/migrate.ts'
import { sealWith } from './database/seal.ts'
import type { Lifecycle } from './http/health.ts'
import { memoryLimiter, redisLimiter } from './http/limiter.ts'
import { newLogger } from './http/log.ts'
import { sandboxProvider } from './providers/sandbox.ts'
import { startReconciler } from './transactions/reconcile.ts'
import { guardedAgent } from './webhooks/address.ts'
import { startWorker } from './webhooks/worker.ts'

const CLOSE_WITHIN_MS = 10_000
const DELIVERIES_WITHIN_MS = 5_000

try {
  const config = readConfig()
  const log = newLogger(config.logLevel)
  await run(config, await openHome(config, log), log)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

async function run(config: Config, home: Home, log: ReturnType<typeof newLogger>) {
  const { baseUrl, checkoutUrl } = config
  const now = () => new Date()
  const onError = (err: Error) => log.warn({ err }, 'a connection broke')
  const db = connect(home.url, { onError })
  const listener = listen(home.url, onError)
  const limiter = config.redisUrl ? redisLimiter(config.redisUrl, onError) : memoryLimiter()
  const seal = sealWith(home.secretKey)
  const challengeUrl = (reference: string) => `${checkoutUrl}${CHALLENGE_PATH}/${reference}`
  const providers = { sandbox: sandboxProvider({ db, challengeUrl }) }
  const agent = guardedAgent({ allowPrivate: config.webhookAllowPrivate })
  const lifecycle: Lifecycle = { phase: 'starting' }
  const work: { stop(): Promise<unknown> }[] = []

  const { trustProxy } = config
  const needs = {
    db,
    listener,
    limiter,
    seal,
    providers,
    lifecycle,
    baseUrl,
    checkoutUrl,
    trustProxy,
    log,
    now,
  }
  const app = await buildApp(needs)
  closeWithGrace({ delay: CLOSE_WITHIN_MS, logger: false }, close)
  await listenOn(app, config)

  await migrateWhenReachable(home.url, (error) =>
    log.warn({ reason: error.message }, 'waiting for the database'),
  )
  const first = await welcome(db, seal, config.databaseUrl === undefined)
  if (first) process.stdout.write(welcomeText(first, baseUrl))
  const worker = startWorker({ db, seal, agent, listener, log })
  work.push({ stop: () => worker.stop(DELIVERIES_WITHIN_MS) }, { stop: startReconciler(needs) })
  lifecycle.phase = 'ready'
  log.info({ baseUrl, checkoutUrl }, 'ready')

  async function close({ err, signal }: { err?: Error; signal?: string }) {
    if (err) log.error({ err }, 'stopping after an error that nobody handled')
    else log.info({ signal }, 'stopping')
    lifecycle.phase = 'closing'
    await app.close()
    await Promise.all(work.map(({ stop }) => stop()))
    await Promise.all([agent.close(), limiter.close(), listener.close()])
    await db.$client.end()
    await home.stop()
  }
}

/** On IPv6 and IPv4 alike where no address is configured, else on IPv4 where there is no IPv6. */
async function listenOn(app: FastifyInstance, { port, host }: Config) {
  if (host) return app.listen({ port, host })
  try {
    return await app.listen({ port, host: '::' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error
    return app.listen({ port, host: '0.0.0.0' })
  }
}
