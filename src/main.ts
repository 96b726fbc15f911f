// Reads the configuration, connects, builds and listens; on a signal does the reverse.

import { flushCompileCache } from 'node:module'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'
import { purgeFailedCalls } from './api/failed-calls.ts'
import { purgeIdempotencyKeys } from './api/idempotency.ts'
import { buildApp } from './app.ts'
import { purgeCardAttempts } from './checkout/payment/card-testing.ts'
import { CHALLENGE_PATH } from './checkout/payment/sandbox-routes.ts'
import { purgeAbuseReports } from './checkout/report/report.ts'
import { formatFailure, getErrorReason } from './commands/failure.ts'
import { purgeAuditEntries } from './companies/audit.ts'
import { replaceLostRedirectSecrets } from './companies/company.ts'
import { type Config, readConfig } from './config.ts'
import { connectDatabase, type Database, workWhenReachable } from './database/connect.ts'
import { verifySecretKey } from './database/encryption/canary.ts'
import { type Cipher, createCipher } from './database/encryption/cipher.ts'
import { openListener } from './database/listen.ts'
import { migrateDatabase } from './database/migrations/run.ts'
import { openDataSource, saveServiceFacts } from './database/open.ts'
import { type Lifecycle, stopAnswering } from './http/lifecycle.ts'
import { createLogger, type LogStream, openLogStream } from './http/log.ts'
import { createMetrics } from './http/metrics.ts'
import { createGuardedAgent } from './http/outbound.ts'
import { createMemoryLimiter, createRedisLimiter } from './http/rate-limit-store.ts'
import { startListening } from './http/server.ts'
import type { ClaimedMail } from './mail/claim.ts'
import { type Outbox, purgeMails } from './mail/outbox.ts'
import { openSmtp } from './mail/smtp.ts'
import { type MailWorkerNeeds, startMailWorker } from './mail/worker.ts'
import { purgeLinkBulks } from './payment-links/change/bulk.ts'
import { startExpirySweep } from './payment-links/expire.ts'
import { requireDueLinkMail, startReminders } from './payment-links/sending/reminders.ts'
import { purgeLinkVisits } from './payment-links/visits.ts'
import { openAccounts } from './providers/open-accounts.ts'
import { purgeSandboxCharges } from './providers/sandbox/purge.ts'
import { createSandboxProvider } from './providers/sandbox/sandbox.ts'
import { trackOutage } from './queue/outage-log.ts'
import { type PurgeBatch, startPurge } from './queue/purge.ts'
import { startAccountReading } from './transactions/reconciliation/account-lists.ts'
import { startReconciler } from './transactions/reconciliation/reconcile.ts'
import { startRegistrationCheck } from './transactions/reconciliation/registration-check.ts'
import { purgeSteps } from './transactions/steps.ts'
import { formatWelcome, initializeInstallation } from './users/first-owner.ts'
import { purgeInvitations, purgePasswordResets, purgeSessions } from './users/session.ts'
import { readBuild } from './version.ts'
import { startDeliveryWorker } from './webhooks/deliveries/delivery.ts'
import { replaceLostEndpointSecrets } from './webhooks/endpoints/secret.ts'
import { purgeEvents } from './webhooks/events/log.ts'

const SHUTDOWN_TIMEOUT_MS = 10_000
const DELIVERIES_TIMEOUT_MS = 5_000
const MAILS_TIMEOUT_MS = 2_000
const PROGRESS_LOG_INTERVAL_MS = 10_000
const POOLER_NOTE =
  'a pooler stands between this process and Postgres: workers ask each second and are not woken sooner'
const REDIS_GONE = 'Redis does not answer: each process counts its limits for itself'

/** Rows that are deleted after their retention; the largest tables come last. */
const PURGES: Record<string, PurgeBatch> = {
  sessions: purgeSessions,
  'calls that failed': purgeFailedCalls,
  'links to new passwords': purgePasswordResets,
  invitations: purgeInvitations,
  'answers to repeated requests': purgeIdempotencyKeys,
  'attempts to pay by card': purgeCardAttempts,
  'counts of visits': purgeLinkVisits,
  'changes of many links': purgeLinkBulks,
  'reports of links': purgeAbuseReports,
  'entries of the audit log': purgeAuditEntries,
  'e-mails': purgeMails,
  'charges of the sandbox': purgeSandboxCharges,
  'steps of payments': purgeSteps,
  events: purgeEvents,
}

/** Closes what each step has opened, in the opposite order. */
const closers: (() => Promise<unknown>)[] = []
const lifecycle: Lifecycle = { phase: 'starting' }

try {
  const config = readConfig()
  const output = openLogStream()
  const log = createLogger(config.logLevel, output)
  closeWithGrace({ delay: SHUTDOWN_TIMEOUT_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.error({ err }, 'stopping after an unhandled error')
    else log.info({ signal }, 'stopping')
    await closeAll()
  })
  await startProgram(config, log, output)
} catch (error) {
  process.stderr.write(`${formatFailure(error)}\n`)
  await endFailedStart()
}

async function startProgram(config: Config, log: FastifyBaseLogger, output: LogStream) {
  const { baseUrl, checkoutUrl, trustProxy, retention } = config
  const onError = createConnectionLog(log)
  const home = await openDataSource(config, log)
  closers.push(home.stop)

  const listening = trackOutage(onError)
  const listener = openListener(home.url, {
    onError: listening.noteFailure,
    onConnect: listening.noteSuccess,
    onPooler: () => log.info(POOLER_NOTE),
  })
  const db = connectDatabase(home.url, { onError, onRefusal: listener.renew })
  const now = () => new Date()
  const limiter = await openLimiter(config, log)
  const { allowPrivate, metricsToken } = config
  const metrics = metricsToken ? await createMetrics() : undefined
  const agent = createGuardedAgent({ allowPrivate })
  closers.push(
    () => db.$client.end(),
    listener.close,
    limiter.close,
    () => agent.close(),
  )

  const cipher = createCipher(home.secretKey, config.previousSecretKey)
  const challengeUrl = (reference: string) => `${checkoutUrl}${CHALLENGE_PATH}/${reference}`
  const sandbox = createSandboxProvider({ db, challengeUrl })
  const accounts = { db, cipher, sandbox, log, metrics, now }
  const providers = openAccounts({ ...accounts, allowPrivate })
  closers.push(providers.close)
  const mail = config.smtpUrl ? { cipher } : null
  const needs = {
    ...{ db, listener, limiter, cipher, providers, mail, agent, log, metrics, now },
    ...{ baseUrl, checkoutUrl, trustProxy, allowPrivate, retention },
  }
  const app = await buildApp({ ...needs, lifecycle, metricsToken })
  await startListening(app, config)
  limiter.connect()
  const answering = () => stopAnswering(app)
  closers.push(answering)

  const onProgress = createProgressLog(log)
  const first = await workWhenReachable(
    async () => {
      await migrateDatabase(home.url, { onProgress })
      await prepareData(db, cipher, config)
      await saveServiceFacts(db, config)
      return initializeInstallation(db, cipher, config.databaseUrl === undefined)
    },
    (error) => log.warn({ reason: formatFailure(error) }, 'waiting for the database'),
  )
  // Written like the log: a full disk must not stop the start.
  if (first.kind === 'initialized') output.write(formatWelcome(first, baseUrl))
  const stopDeliveries = startDeliveryWorker(needs)
  const working = [
    () => stopDeliveries(DELIVERIES_TIMEOUT_MS),
    startReconciler(needs),
    startAccountReading(needs),
    startRegistrationCheck(needs),
    startExpirySweep(needs),
    startReminders(needs),
    startPurge(needs, PURGES),
    ...startConfiguredMailWorker(config, needs),
  ]
  // While the workers finish, requests are still answered; accepting connections stops first.
  closers.splice(closers.indexOf(answering), 0, ...working)
  flushCompileCache()
  lifecycle.phase = 'ready'
  log.info({ ...readBuild(), baseUrl, checkoutUrl }, 'ready')
}

function createConnectionLog(log: FastifyBaseLogger) {
  return (error: unknown) => {
    if (lifecycle.phase === 'closing') return
    log.warn({ reason: getErrorReason(error) }, 'a connection to the database broke')
  }
}

/** Throws a message for the operator when this database does not belong to the configuration. */
async function prepareData(db: Database, cipher: Cipher, config: Config) {
  await verifySecretKey(db, cipher, config)
  await replaceLostRedirectSecrets(db, cipher)
  await replaceLostEndpointSecrets(db, cipher)
}

async function openLimiter({ redisUrl }: Config, log: FastifyBaseLogger) {
  if (!redisUrl) return createMemoryLimiter()
  const { noteFailure: onError, noteSuccess: onSuccess } = trackOutage(
    (error) => log.warn({ reason: getErrorReason(error) }, REDIS_GONE),
    () => log.info('Redis is back'),
  )
  return createRedisLimiter(redisUrl, { onError, onSuccess })
}

/** Logs at most one line in a while. */
function createProgressLog(log: FastifyBaseLogger) {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (progress: string) => {
    if (performance.now() - loggedAt < PROGRESS_LOG_INTERVAL_MS) return
    loggedAt = performance.now()
    log.info({ progress }, 'migrating')
  }
}

/** Returns a function that stops the worker; it does nothing without a mail server. */
function startConfiguredMailWorker(
  { smtpUrl, mailFrom }: Config,
  needs: Omit<MailWorkerNeeds, 'smtp'> & { mail: Outbox | null },
) {
  const { db, mail, now } = needs
  if (!smtpUrl || !mail) return []
  const smtp = openSmtp(smtpUrl, mailFrom)
  const requireDue = (claimed: ClaimedMail) => requireDueLinkMail(db, claimed, now())
  const stop = startMailWorker({ ...needs, smtp, requireDue })
  return [() => stop(MAILS_TIMEOUT_MS)]
}

async function closeAll() {
  lifecycle.phase = 'closing'
  for (const undo of closers.splice(0).reverse()) await undo()
}

/** The exit status reports the failed start, even when a signal ends the process first. */
async function endFailedStart() {
  process.once('exit', () => {
    process.exitCode = 1
  })
  // Ends the process even if something does not close in time.
  setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS)
  await closeAll().finally(() => process.exit(1))
}
