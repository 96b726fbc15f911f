// `/metrics`, for callers with its token. While the database is unreachable or slow, its figures are left out, and all
// others are still answered in time.
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { texts } from '../../texts.ts'
import { AppError } from '../errors.ts'
import { METRICS_PATH } from '../lifecycle/health.ts'
import type { Metrics } from './metrics.ts'

type MetricsRouteNeeds = {
  metrics: Metrics
  token: string
  /** Sets the gauges to their current values. */
  sample(): Promise<void>
}

export function reportMetrics(app: FastifyInstance, { metrics, token, sample }: MetricsRouteNeeds) {
  const expected = hash('sha256', `Bearer ${token}`, 'buffer')

  app.get(METRICS_PATH, async (request, reply) => {
    const given = hash('sha256', request.headers.authorization ?? '', 'buffer')
    if (!timingSafeEqual(given, expected)) {
      const headers = { 'www-authenticate': 'Bearer' }
      throw new AppError(401, '', texts.metricsUnauthorized, { headers })
    }
    await sample()
    reply.type(metrics.contentType)
    return metrics.format()
  })
}
