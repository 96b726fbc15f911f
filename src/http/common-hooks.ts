// Hooks for every request, in all scopes.
import type { FastifyInstance } from 'fastify'
import { MINUTE_MS } from '../database/instant.ts'
import { texts } from '../texts.ts'
import { refuseCardData } from './card-data.ts'
import { followLifecycle, type Lifecycle } from './lifecycle/health.ts'
import { buildNetworkLimits, enforceLimits, type Limiter } from './limiter.ts'
import { logRequests } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { measureResponses } from './metrics/responses.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { refuseUnserved } from './unparsed.ts'

export type CommonNeeds = {
  limiter: Limiter
  lifecycle: Lifecycle
  baseUrl: string
  /** When absent, nothing is counted. */
  metrics?: Metrics | undefined
  /** How long a request waits that arrives before the process is ready. */
  startPatienceMs?: number
}

/** Many people may share one address; the limits of the single forms are lower. */
const POST_LIMIT = { max: 600, windowMs: MINUTE_MS }

/** Must be called before the routes are registered, since it counts them. */
export function setCommonHooks(app: FastifyInstance, needs: CommonNeeds) {
  setSecurityHeaders(app, needs.baseUrl)
  logRequests(app)
  refuseUnserved(app, needs.baseUrl)
  if (needs.metrics) measureResponses(app, needs.metrics)
  followLifecycle(app, needs)
  limitPosts(app, needs.limiter)
  refuseCardData(app)
}

/**
 * Counts form posts by address before they cost anything: before the body is read, a password is hashed or the database
 * is asked. The API counts by key, and provider notifications have a limit of their own.
 */
function limitPosts(app: FastifyInstance, limiter: Limiter) {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request
    const { resource, mayHoldCardData } = routeOptions.config
    const isExempt = Boolean(resource ?? mayHoldCardData)
    if (method === 'GET' || method === 'HEAD' || isExempt) return done()
    const limits = buildNetworkLimits('post', request.ip, POST_LIMIT)
    void enforceLimits(limiter, limits, texts.tooManyAttempts).then(() => done(), done)
  })
}
