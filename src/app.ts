// The whole program on one page.
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import type { Dispatcher } from 'undici'
import { createApiKeyCache } from './api/api-key.ts'
import { authenticateRequests } from './api/authenticate.ts'
import { trackFailedCalls } from './api/failed-calls.ts'
import { registerIdempotency } from './api/idempotency.ts'
import { trackKeyUsage } from './api/key-usage.ts'
import { readListQueries } from './api/list-query.ts'
import { limitRequests } from './api/rate-limit.ts'
import { requireScopes } from './api/scope.ts'
import { createFailureDescriber, keepLanguageChoices } from './checkout/language.ts'
import { createLinkCache } from './checkout/link/cache.ts'
import { languageRoutes } from './checkout/link/language-routes.ts'
import { quoteRoutes } from './checkout/link/quote-routes.ts'
import { checkoutLinkRoutes } from './checkout/link/routes.ts'
import { createVisitCounter } from './checkout/link/visit-counter.ts'
import { visitRoutes } from './checkout/link/visit-routes.ts'
import type { CheckoutNeeds } from './checkout/needs.ts'
import { paymentRoutes } from './checkout/payment/routes.ts'
import { sandboxRoutes } from './checkout/payment/sandbox-routes.ts'
import { abuseReportRoutes } from './checkout/report/routes.ts'
import type { Retention } from './config.ts'
import { customerRoutes } from './customers/routes.ts'
import { setUpPages } from './dashboard/access/set-up.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { logoRoutes } from './dashboard/settings/logos.ts'
import { type Database, pingDatabase } from './database/connect.ts'
import { DEAF_ADVICE, type Listener } from './database/notifications.ts'
import type { Cipher } from './database/sealing/encryption.ts'
import { createWriteProbe } from './database/write-probe.ts'
import { apiNotes } from './docs/notes.ts'
import { docsRoutes } from './docs/routes.ts'
import { toolRoutes } from './docs/tool-routes.ts'
import { type GetAssetUrl, serveAssets } from './http/assets/serve.ts'
import { refuseCardData } from './http/card-data.ts'
import { endOnClosing } from './http/closing.ts'
import { notFoundError } from './http/errors.ts'
import { reportIgnoredForwarding } from './http/forwarding.ts'
import { createReadiness, type Lifecycle, reportHealth } from './http/health.ts'
import { serveHtml, serveViews } from './http/html.ts'
import { readJsonBodies } from './http/json-body.ts'
import type { Limiter } from './http/limiter.ts'
import { measureLimiter } from './http/limiters/measured.ts'
import { logRequests } from './http/log.ts'
import { refuseOtherMethods, refuseOtherPublicMethods } from './http/method-not-allowed.ts'
import { createGaugeSampler } from './http/metrics/gauges.ts'
import type { Metrics } from './http/metrics/metrics.ts'
import { measureResponses } from './http/metrics/responses.ts'
import { reportMetrics } from './http/metrics/routes.ts'
import { describeApi } from './http/openapi/document.ts'
import { limitPosts } from './http/post-limit.ts'
import { setSecurityHeaders } from './http/security-headers.ts'
import { createServer, type ServerNeeds } from './http/server.ts'
import { refuseUnserved } from './http/unparsed.ts'
import type { Outbox } from './mail/outbox.ts'
import { linkBatchRoutes } from './payment-links/batch/routes.ts'
import { linkChangeRoutes } from './payment-links/change-routes.ts'
import { linkImageRoutes } from './payment-links/image-routes.ts'
import { linkListRoutes } from './payment-links/list/routes.ts'
import { createQrDrawer } from './payment-links/qr.ts'
import { qrCodeRoutes } from './payment-links/qr-routes.ts'
import { paymentLinkRoutes } from './payment-links/routes.ts'
import type { Providers } from './providers/provider.ts'
import { reportRoutes } from './reports/routes.ts'
import { disputeRoutes } from './transactions/disputes/routes.ts'
import { notificationRoutes } from './transactions/reconciliation/routes.ts'
import { refundRoutes } from './transactions/refunds/routes.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { simulationRoutes } from './transactions/simulation/routes.ts'
import { deliveryRoutes } from './webhooks/deliveries/routes.ts'
import { endpointRoutes } from './webhooks/endpoints/routes.ts'
import { type EventFeed, openEventFeed } from './webhooks/events/feed.ts'
import { eventRoutes } from './webhooks/events/routes.ts'
import { eventStreamRoutes } from './webhooks/events/stream-routes.ts'

export type AppNeeds = ServerNeeds & {
  db: Database
  /** Where reports and tables are read; absent: in `db` too. */
  readDb?: Database
  listener: Listener
  limiter: Limiter
  cipher: Cipher
  providers: Providers
  lifecycle: Lifecycle
  baseUrl: string
  checkoutUrl: string
  /** What the pages say of what is no longer kept. */
  retention: Retention
  now: () => Date
  /** Absent: nothing is counted. */
  metrics?: Metrics | undefined
  /** Lets its bearer read them; absent: nobody. */
  metricsToken?: string | undefined
  /** Null or absent: no e-mail is written. */
  mail?: Outbox | null
  /** From createGuardedAgent (http/outbound.ts). */
  agent: Dispatcher
  /** Lets webhooks go to http and to private addresses; never unless told. */
  webhookAllowPrivate?: boolean
  retryDelaysMs?: readonly number[]
  capacityDelaysMs?: readonly number[]
  /** How long a request waits that comes before the process is ready. */
  startPatienceMs?: number
}

type ScopeNeeds = AppNeeds & { readDb: Database; eventFeed: EventFeed }

const API_LIMIT = { max: 100, windowMs: 60_000 }

export async function buildApp({ limiter: counting, ...given }: AppNeeds) {
  const { metrics } = given
  const limiter = metrics ? measureLimiter(counting, metrics) : counting
  const shared = { readDb: given.db, ...given, limiter }
  const app = createServer(shared)
  const eventFeed = openEventFeed(shared)
  endOnClosing(app, eventFeed.close)
  const needs: ScopeNeeds = { ...shared, eventFeed }
  setSecurityHeaders(app, needs.baseUrl)
  logRequests(app)
  refuseUnserved(app)
  reportIgnoredForwarding(app, needs.db)
  reportSignals(app, needs)
  // The API counts by key, notifications by address, before they read anything.
  limitPosts(app, needs.limiter, ({ routeOptions: { config } }) =>
    Boolean(config.resource ?? config.mayHoldCardData),
  )
  refuseCardData(app)
  refuseOtherPublicMethods(app, ({ url, config }) => url.startsWith('/api/') && !config?.resource)
  await describeApi(app, needs.baseUrl, apiNotes())
  const asset = serveAssets(app)
  await serveViews(app, asset)

  await app.register((api) => apiScope(api, needs), { prefix: '/api' })
  await app.register((scope) => toolRoutes(scope, needs))
  await app.register((pages) => docsScope(pages, needs, asset), { prefix: '/api/docs' })
  app.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect('/api/docs'))
  await app.register((scope) => notificationRoutes(scope, needs), { prefix: '/webhooks' })
  const mount = new URL(needs.checkoutUrl).pathname.replace(/\/$/, '')
  await app.register((pages) => checkoutScope(pages, needs, { asset, mount }), { prefix: mount })

  await app.register((pages) => dashboardScope(pages, needs, asset))
  if (mount !== '')
    app.get('/', { schema: { hide: true } }, (_r, reply) => reply.redirect('/painel'))

  return app
}

/** Registered before the routes that it counts. */
function reportSignals(app: FastifyInstance, needs: AppNeeds) {
  const { db, lifecycle, listener, metrics, metricsToken: token, now, startPatienceMs } = needs
  const requireReady = createReadiness({
    lifecycle,
    ping: () => pingDatabase(db),
    probeWrite: createWriteProbe(db),
  })
  if (metrics) measureResponses(app, metrics)
  reportHealth(app, {
    lifecycle,
    requireReady,
    findCacheProblem: () => (listener.isDeaf() ? DEAF_ADVICE : undefined),
    ...(startPatienceMs !== undefined && { startPatienceMs }),
  })
  if (metrics && token) {
    const sample = createGaugeSampler({ metrics, db, listener, requireReady, now })
    reportMetrics(app, { metrics, token, sample })
  }
}

async function apiScope(api: FastifyInstance, { db, listener, limiter, ...needs }: ScopeNeeds) {
  await api.register(async (scope) => {
    readJsonBodies(scope)
    trackFailedCalls(scope, { db, ...needs })
    authenticateRequests(scope, {
      apiKeyCache: createApiKeyCache(db, listener, needs.now),
      noteUse: trackKeyUsage(scope, { db, ...needs }),
      limiter,
    })
    limitRequests(scope, limiter, API_LIMIT, ({ apiKeyId }) => apiKeyId)
    scope.setNotFoundHandler(() => {
      throw notFoundError()
    })
    requireScopes(scope)
    readListQueries(scope)
    registerIdempotency(scope, { db, cipher: needs.cipher, now: needs.now })
    refuseOtherMethods(scope)
    await scope.register(paymentLinkRoutes, { db, ...needs })
    await scope.register(linkBatchRoutes, { db, ...needs })
    await scope.register(linkListRoutes, { db, ...needs })
    await scope.register(linkChangeRoutes, { db, ...needs })
    await scope.register(qrCodeRoutes, { db, ...needs })
    await scope.register(linkImageRoutes, { db, ...needs })
    await scope.register(customerRoutes, { db, ...needs })
    await scope.register(transactionRoutes, { db, ...needs })
    await scope.register(refundRoutes, { db, ...needs })
    await scope.register(reportRoutes, needs)
    await scope.register(disputeRoutes, { db })
    await scope.register(simulationRoutes, { db, ...needs })
    await scope.register(eventRoutes, { db, ...needs })
    await scope.register(eventStreamRoutes, { db, listener, eventFeed: needs.eventFeed })
    await scope.register(endpointRoutes, { db, ...needs })
    await scope.register(deliveryRoutes, { db, ...needs })
  })
}

async function checkoutScope(
  pages: FastifyInstance,
  needs: ScopeNeeds,
  { asset, mount }: { asset: GetAssetUrl; mount: string },
) {
  await pages.register(cookie)
  await serveHtml(pages, asset, createFailureDescriber({ mount }))
  const secure = needs.checkoutUrl.startsWith('https:')
  keepLanguageChoices(pages, { mount, secure })
  const checkout: CheckoutNeeds = {
    ...needs,
    asset,
    mount,
    secure,
    findLink: createLinkCache(needs.db, needs.listener),
    visits: createVisitCounter(pages, needs),
    drawQr: createQrDrawer(),
  }
  await checkoutLinkRoutes(pages, checkout)
  await languageRoutes(pages, checkout)
  await quoteRoutes(pages, checkout)
  await visitRoutes(pages, checkout)
  await paymentRoutes(pages, checkout)
  await abuseReportRoutes(pages, checkout)
  await pages.register((scope) => sandboxRoutes(scope, checkout))
}

async function docsScope(pages: FastifyInstance, needs: ScopeNeeds, asset: GetAssetUrl) {
  await serveHtml(pages, asset)
  await docsRoutes(pages, { ...needs, asset })
}

async function dashboardScope(pages: FastifyInstance, needs: ScopeNeeds, asset: GetAssetUrl) {
  await pages.register(cookie)
  await serveHtml(pages, asset)
  await logoRoutes(pages, needs)
  await pages.register((scope) => setUpPages(scope, { ...needs, asset }))
  await pages.register(
    (scope) => dashboardRoutes(scope, { ...needs, asset, mail: needs.mail ?? null }),
    { prefix: '/painel' },
  )
}
