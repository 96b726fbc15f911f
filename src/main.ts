// Reads the configuration, connects, builds, listens, and on a signal does the same backwards.
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { startForgetting } from './api/idempotency.ts'
import { buildApp } from './app.ts'
import { startCardAttemptPurge } from './checkout/payment/card-attempt-purge.ts'
import { CHALLENGE_PATH } from './checkout/payment/sandbox-routes.ts'
import { type Config, readConfig } from './config.ts'
import { connect } from './database/connect.ts'
import { sealWith } from './database/encryption.ts'
import { migrateWhenReachable } from './database/migrate.ts'
import { listen } from './database/notifications.ts'
import { openHome } from './database/open.ts'
import type { Lifecycle } from './http/health.ts'
import { memoryLimiter, redisLimiter } from './http/limiter.ts'
import { newLogger } from './http/log.ts'
import { guardedAgent } from './http/outbound.ts'
import { openSmtp } from './mail/smtp.ts'
import { type MailNeeds, startForgettingMails, startMailer } from './mail/worker.ts'
import { startExpirySweep } from './payment-links/expire.ts'
import { openAccounts } from './providers/open-accounts.ts'
import { createSandboxProvider } from './providers/sandbox/sandbox.ts'
import { startReconciler } from './transactions/reconciliation/reconcile.ts'
import { welcome, welcomeText } from './users/first-owner.ts'
import { startForgettingSessions } from './users/session.ts'
import { startDeliveryWorker } from './webhooks/deliveries/worker.ts'

const CLOSE_WITHIN_MS = 10_000
const DELIVERIES_WITHIN_MS = 5_000
const MAILS_WITHIN_MS = 2_000

/** What each step has opened, to be closed in the opposite order. */
const opened: (() => Promise<unknown>)[] = []
const lifecycle: Lifecycle = { phase: 'starting' }

try {
  const config = readConfig()
  const log = newLogger(config.logLevel)
  closeWithGrace({ delay: CLOSE_WITHIN_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.error({ err }, 'stopping after an error that nobody handled')
    else log.info({ signal }, 'stopping')
    await close()
  })
  await run(config, log)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  await close()
  process.exit(1)
}

async function run(config: Config, log: FastifyBaseLogger) {
  const { baseUrl, checkoutUrl, trustProxy } = config
  const now = () => new Date()
  const onError = (err: Error) => log.warn({ err }, 'a connection broke')
  const home = await openHome(config, log)
  opened.push(home.stop)

  const db = connect(home.url, { onError })
  const listener = listen(home.url, onError)
  const limiter = config.redisUrl ? redisLimiter(config.redisUrl, onError) : memoryLimiter()
  const agent = guardedAgent({ allowPrivate: config.webhookAllowPrivate })
  opened.push(
    () => db.$client.end(),
    listener.close,
    limiter.close,
    () => agent.close(),
  )

  const seal = sealWith(home.secretKey)
  const challengeUrl = (reference: string) => `${checkoutUrl}${CHALLENGE_PATH}/${reference}`
  const sandbox = createSandboxProvider({ db, challengeUrl })
  const accounts = { db, seal, listener, sandbox, log, baseUrl, now }
  const providers = openAccounts({ ...accounts, allowPrivate: config.webhookAllowPrivate })
  opened.push(providers.close)
  const mail = config.smtpUrl ? { seal } : null
  const shared = { db, listener, limiter, seal, providers, mail, agent, log, now }
  const { webhookAllowPrivate } = config
  const addresses = { baseUrl, checkoutUrl, trustProxy, webhookAllowPrivate }
  const app = await buildApp({ ...shared, lifecycle, ...addresses })
  await listenOn(app, config)
  const answering = () => app.close()
  opened.push(answering)

  await migrateWhenReachable(home.url, ({ message: reason }) => {
    log.warn({ reason }, 'waiting for the database')
  })
  const first = await welcome(db, seal, config.databaseUrl === undefined)
  if (first) process.stdout.write(welcomeText(first, baseUrl))
  const stopDeliveries = startDeliveryWorker({ db, seal, agent, listener, mail, log })
  const working = [
    () => stopDeliveries(DELIVERIES_WITHIN_MS),
    startReconciler({ ...shared, checkoutUrl }),
    startExpirySweep(shared),
    startForgetting(shared),
    startForgettingSessions(shared),
    startForgettingMails(shared),
    ...startMails(config, shared),
    startCardAttemptPurge(shared),
  ]
  // While the workers finish, requests are still being answered; they stop being accepted first.
  opened.splice(opened.indexOf(answering), 0, ...working)
  lifecycle.phase = 'ready'
  log.info({ baseUrl, checkoutUrl }, 'ready')
}

/** Nothing to stop where no mail server is configured. */
function startMails(
  { smtpUrl, mailFrom, baseUrl }: Config,
  shared: Omit<MailNeeds, 'smtp' | 'baseUrl'>,
) {
  if (!smtpUrl) return []
  const stop = startMailer({ ...shared, smtp: openSmtp(smtpUrl, mailFrom), baseUrl })
  return [() => stop(MAILS_WITHIN_MS)]
}

async function close() {
  lifecycle.phase = 'closing'
  for (const undo of opened.splice(0).reverse()) await undo()
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
