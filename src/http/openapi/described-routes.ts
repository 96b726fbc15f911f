import type { FastifyInstance, RouteOptions } from 'fastify'

/** What the document tells of a route. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>

/** The routes that this program will have, for a document that another one writes (docs/program.ts). */
export function collectDescribedRoutes(app: FastifyInstance) {
  const routes: DescribedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (method === 'HEAD' || !schema || schema.hide) return
    routes.push({ method, url, schema, ...(config && { config }) })
  })
  return routes
}
