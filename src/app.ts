// The whole program on one page.
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { answerReference, authenticateRequests, limitKeys } from './api/authenticate.ts'
import { trackFailedCalls } from './api/failed-calls.ts'
import { registerIdempotency } from './api/idempotency.ts'
import { readListQueries } from './api/list-query.ts'
import { requireScopes } from './api/scope.ts'
import { createFailureDescriber, keepLanguageChoices } from './checkout/language.ts'
import { cardSessionRoutes } from './checkout/link/card-session-routes.ts'
import { mailStopRoutes } from './checkout/link/mail-stop.ts'
import { quoteRoutes } from './checkout/link/quote-routes.ts'
import { receiptRequestRoutes } from './checkout/link/receipt-request.ts'
import { checkoutLinkRoutes, createLinkFinder, visitRoutes } from './checkout/link/routes.ts'
import type { CheckoutNeeds } from './checkout/needs.ts'
import { paymentRoutes } from './checkout/payment/routes.ts'
import { sandboxRoutes } from './checkout/payment/sandbox-routes.ts'
import { abuseReportRoutes } from './checkout/report/routes.ts'
import { createVisitCounter } from './checkout/visit-counter.ts'
import { logoRoutes } from './companies/logo-routes.ts'
import { securityTextRoutes } from './companies/security-text.ts'
import type { Retention } from './config.ts'
import { customerRoutes } from './customers/routes.ts'
import { setUpPages } from './dashboard/access/set-up.ts'
import type { DashboardNeeds } from './dashboard/layout/needs.ts'
import { createPageRenderer } from './dashboard/layout/page.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { createWriteProbe, type Database } from './database/connect.ts'
import { isKeyInUse } from './database/encryption/canary.ts'
import type { Cipher } from './database/encryption/cipher.ts'
import type { Listener } from './database/listen.ts'
import { DOCS_PATH } from './docs/guides.ts'
import { describeApi, type OpenApiDocument } from './docs/openapi.ts'
import { API_VERSION } from './docs/responses.ts'
import { docsRoutes } from './docs/routes.ts'
import { toolRoutes } from './docs/tool-routes.ts'
import { type GetAssetUrl, serveAssets } from './http/assets.ts'
import { compressFirstPages } from './http/compress.ts'
import { notFoundError, unavailableError } from './http/errors.ts'
import { reportIgnoredForwarding } from './http/forwarding.ts'
import { reportMetrics } from './http/gauges.ts'
import { refuseSiblings, serveHtml, serveUnknown } from './http/html.ts'
import { readJsonBodies } from './http/json-body.ts'
import { endOnClosing, reportHealth } from './http/lifecycle.ts'
import { measureLimiter } from './http/limiter.ts'
import { createServer, type ServerNeeds } from './http/server.ts'
import { refuseOtherMethods } from './http/unserved.ts'
import type { Outbox } from './mail/outbox.ts'
import { linkBatchRoutes } from './payment-links/batch/routes.ts'
import { linkChangeRoutes } from './payment-links/change/routes.ts'
import { linkImageRoutes } from './payment-links/image-routes.ts'
import { linkListRoutes } from './payment-links/list/routes.ts'
import { resolveLinkId } from './payment-links/payment-link.ts'
import { createQrDrawer } from './payment-links/qr.ts'
import { qrCodeRoutes } from './payment-links/qr-routes.ts'
import { paymentLinkRoutes } from './payment-links/routes.ts'
import { linkSendingRoutes } from './payment-links/sending/routes.ts'
import type { Providers } from './providers/provider.ts'
import { reportRoutes } from './reports/routes.ts'
import { disputeRoutes } from './transactions/disputes/routes.ts'
import { notificationRoutes } from './transactions/reconciliation/routes.ts'
import { refundRoutes } from './transactions/refunds/routes.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { simulationRoutes } from './transactions/simulation/routes.ts'
import { buildSampleData } from './transactions/simulation/sample-event.ts'
import { unmatchedActionRoutes, unmatchedRoutes } from './transactions/unmatched/routes.ts'
import { deliveryRoutes } from './webhooks/deliveries/routes.ts'
import { endpointRoutes } from './webhooks/endpoints/routes.ts'
import { type EventFeed, openEventFeed } from './webhooks/events/feed.ts'
import { eventRoutes } from './webhooks/events/routes.ts'
import { eventStreamRoutes } from './webhooks/events/stream.ts'

export type AppNeeds = ServerNeeds & {
  db: Database
  listener: Pick<Listener, 'subscribe'>
  cipher: Cipher
  providers: Providers
  checkoutUrl: string
  /** The retention periods, which pages name. */
  retention: Retention
  now: () => Date
  /** The token for reading the metrics; when absent, they cannot be read. */
  metricsToken?: string | undefined
  /** When null or absent, no e-mail is written. */
  mail?: Outbox | null
  /** Allows webhooks and providers at http and private addresses; off by default. */
  allowPrivate?: boolean
  retryDelaysMs?: readonly number[]
  capacityDelaysMs?: readonly number[]
  /** How often the events that are followed are read. */
  pollMs?: number
}

type ScopeNeeds = AppNeeds & { eventFeed: EventFeed }

const DOCS_PATHS =
  /^\/(?:docs|llms(?:-full)?\.txt|api\/(?:docs|openapi\.json|openapi\.yaml))(?=\/|$)/
const KEY_REPLACED =
  'SECRET_KEY is not the one that the secrets in this database are encrypted with by now: start this process with the new one'

export async function buildApp({ limiter: counting, ...given }: AppNeeds) {
  const { metrics } = given
  const limiter = metrics ? measureLimiter(counting, metrics) : counting
  const shared = { ...given, limiter }
  const app = createServer(shared)
  const eventFeed = openEventFeed(shared)
  endOnClosing(app, eventFeed.close)
  const needs: ScopeNeeds = { ...shared, eventFeed }
  reportIgnoredForwarding(app, needs.db)
  reportSignals(app, needs)
  refuseOtherMethods(app, needs.baseUrl, ({ url }) => DOCS_PATHS.test(url))
  const getDocument = describeApi(app, needs.baseUrl)
  const asset = serveAssets(app)
  serveUnknown(app, asset)

  await app.register((api) => apiScope(api, needs), { prefix: '/api' })
  await app.register((scope) => notificationRoutes(scope, needs), { prefix: '/webhooks' })
  const checkout = new URL(needs.checkoutUrl)
  const mount = checkout.pathname.replace(/\/$/, '')
  await app.register((pages) => checkoutScope(pages, needs, { asset, mount }), { prefix: mount })

  await app.register((pages) => dashboardScope(pages, needs, asset))
  await app.register((pages) => docsScope(pages, { ...needs, asset, getDocument }))
  await app.register((pages) => logoScope(pages, needs, asset))
  await app.register(securityTextRoutes, needs)
  // A checkout on a host of its own serves this address too, but its payers do not use the dashboard.
  const isCheckoutHost = mount === '' && checkout.host !== new URL(needs.baseUrl).host
  app.get('/', ({ host }, reply) => {
    if (isCheckoutHost && host === checkout.host) return reply.callNotFound()
    return reply.redirect('/painel')
  })

  return app
}

function reportSignals(app: FastifyInstance, needs: AppNeeds) {
  const { db, cipher, lifecycle, metrics, metricsToken: token, now } = needs
  const probeWrite = createWriteProbe(db)
  /** Throws while this process should receive no requests. */
  async function requireReady() {
    if (lifecycle.phase !== 'ready') throw unavailableError()
    await probeWrite()
    if (await isKeyInUse(db, cipher)) return
    app.log.error(KEY_REPLACED)
    throw unavailableError()
  }
  reportHealth(app, requireReady)
  if (metrics && token) {
    reportMetrics(app, { metrics, token, db, requireReady, now })
  }
}

async function apiScope(api: FastifyInstance, needs: ScopeNeeds) {
  await api.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('api-version', API_VERSION)
      done()
    })
    readJsonBodies(scope)
    answerReference(scope)
    trackFailedCalls(scope, needs)
    authenticateRequests(scope, needs)
    await limitKeys(scope, needs.limiter)
    scope.setNotFoundHandler(() => {
      throw notFoundError()
    })
    requireScopes(scope)
    readListQueries(scope)
    registerIdempotency(scope, needs)
    refuseOtherMethods(scope, needs.baseUrl)
    await scope.register(paymentLinkRoutes, needs)
    await scope.register(linkBatchRoutes, needs)
    await scope.register(linkListRoutes, needs)
    await scope.register(linkChangeRoutes, needs)
    await scope.register(linkSendingRoutes, needs)
    await scope.register(qrCodeRoutes, needs)
    await scope.register(linkImageRoutes, needs)
    await scope.register(customerRoutes, needs)
    await scope.register(transactionRoutes, needs)
    await scope.register(refundRoutes, needs)
    await scope.register(reportRoutes, needs)
    await scope.register(disputeRoutes, needs)
    await scope.register(unmatchedRoutes, needs)
    await scope.register(unmatchedActionRoutes, needs)
    await scope.register(simulationRoutes, needs)
    await scope.register(eventRoutes, { ...needs, resolveLinkId })
    await scope.register(eventStreamRoutes, needs)
    await scope.register(endpointRoutes, needs)
    await scope.register(deliveryRoutes, { ...needs, buildSampleData })
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
  compressFirstPages(pages)
  const checkout: CheckoutNeeds = {
    ...needs,
    asset,
    mount,
    secure,
    findLink: createLinkFinder(needs.db),
    visits: createVisitCounter(pages, needs),
    drawQr: createQrDrawer(),
  }
  await checkoutLinkRoutes(pages, checkout)
  await quoteRoutes(pages, checkout)
  await cardSessionRoutes(pages, checkout)
  await receiptRequestRoutes(pages, checkout)
  await visitRoutes(pages, checkout)
  await pages.register((scope) => mailStopRoutes(scope, checkout))
  await paymentRoutes(pages, checkout)
  await abuseReportRoutes(pages, checkout)
  await pages.register((scope) => sandboxRoutes(scope, checkout))
}

async function dashboardScope(pages: FastifyInstance, needs: ScopeNeeds, asset: GetAssetUrl) {
  const show = createPageRenderer({ ...needs, asset })
  const dashboard: DashboardNeeds = { ...needs, asset, show, mail: needs.mail ?? null }
  await pages.register(cookie)
  await serveHtml(pages, asset)
  refuseSiblings(pages)
  await pages.register((scope) => setUpPages(scope, dashboard))
  await pages.register((scope) => dashboardRoutes(scope, dashboard), { prefix: '/painel' })
}

async function docsScope(
  scope: FastifyInstance,
  needs: ScopeNeeds & { asset: GetAssetUrl; getDocument: () => OpenApiDocument },
) {
  await toolRoutes(scope, needs)
  scope.get('/docs', (_request, reply) => reply.redirect(DOCS_PATH))
  await scope.register(
    async (pages) => {
      await serveHtml(pages, needs.asset)
      await docsRoutes(pages, needs)
    },
    { prefix: DOCS_PATH },
  )
}

async function logoScope(pages: FastifyInstance, needs: ScopeNeeds, asset: GetAssetUrl) {
  await serveHtml(pages, asset)
  await logoRoutes(pages, needs)
}
