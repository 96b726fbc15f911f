// Measures every answer by its route's pattern, so that no label contains user input. The series are opened with the
// route, so that an answer only adds to a histogram.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../database/instant.ts'
import type { Metrics } from './metrics.ts'

const UNKNOWN_ROUTE = 'unknown'

/** Measures all routes that are registered afterwards. */
export function measureResponses(app: FastifyInstance, metrics: Metrics) {
  app.addHook('onRoute', (route) => {
    const byMethod = new Map(
      [route.method]
        .flat()
        .map((method) => [method, metrics.openResponseSeries(method, route.url)]),
    )
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        byMethod.get(request.method)?.(reply.statusCode, reply.elapsedTime / SECOND_MS)
        done()
      },
    ]
  })

  // A request without a route runs no hooks of a route, but a path that is known with other methods still has a name.
  const observeUnknown = metrics.openResponseSeries('any', UNKNOWN_ROUTE)
  const findSeries = ({ method, refusedPath }: FastifyRequest) =>
    refusedPath ? metrics.openResponseSeries(method, refusedPath) : observeUnknown
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) findSeries(request)(reply.statusCode, reply.elapsedTime / SECOND_MS)
    done()
  })
}
