// Every answer by the pattern of its route: what somebody typed into an address is in no label. The series
// of a route are opened with it, so that an answer costs one step of a histogram.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../database/instant.ts'
import type { Metrics } from './metrics.ts'

const UNKNOWN_ROUTE = 'unknown'

/** Of all routes that are registered after this. */
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

  // What matches no route has no hooks of a route; a path that other methods have is named all the same.
  const observeUnknown = metrics.openResponseSeries('any', UNKNOWN_ROUTE)
  const findSeries = ({ method, refusedPath }: FastifyRequest) =>
    refusedPath ? metrics.openResponseSeries(method, refusedPath) : observeUnknown
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) findSeries(request)(reply.statusCode, reply.elapsedTime / SECOND_MS)
    done()
  })
}
