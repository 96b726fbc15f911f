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
  /** Absent: nothing is counted. */
  metrics?: Metrics | undefined
  /** How long a request waits that comes before the process is ready. */
  startPatienceMs?: number
}

/** Many people may be behind one address; what each form allows is less. */
const POST_LIMIT = { max: 600, windowMs: MINUTE_MS }

/** Must come before the routes, which it counts. */
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
 * Counts posts of strangers by address before they cost anything: before the body is read and searched, a password
 * is hashed or the database is asked. The API counts by key, and notifications by address, on their own.
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
