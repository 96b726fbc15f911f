// What each request meets, whichever program answers it.
import type { FastifyInstance } from 'fastify'
import { refuseCardData } from './card-data.ts'
import { followLifecycle, type Lifecycle } from './lifecycle/health.ts'
import type { Limiter } from './limiter.ts'
import { logRequests } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { measureResponses } from './metrics/responses.ts'
import { limitPosts } from './post-limit.ts'
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

/** Must come before the routes, which it counts. */
export function setCommonHooks(app: FastifyInstance, needs: CommonNeeds) {
  setSecurityHeaders(app, needs.baseUrl)
  logRequests(app)
  refuseUnserved(app)
  if (needs.metrics) measureResponses(app, needs.metrics)
  followLifecycle(app, needs)
  // The API counts by key, notifications by address, before they read anything.
  limitPosts(app, needs.limiter, ({ routeOptions: { config } }) =>
    Boolean(config.resource ?? config.mayHoldCardData),
  )
  refuseCardData(app)
}
