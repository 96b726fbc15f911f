// The routes of the API as the program itself registers them while it is built.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify'
import type { Resource } from '../../src/database/enums.ts'

export type ApiRoute = { method: HTTPMethods; url: string; resource: Resource }

const PUBLIC = /^\/api\/(openapi\.json|openapi\.yaml|docs)(\/|$)/

/** An answer that does not end. */
export const STREAM_PATH = '/api/events/stream'

/** Those that name their resource, and the others; `url` as it is registered. */
export async function collectApiRoutes<T>(build: () => Promise<T>) {
  const routes: ApiRoute[] = []
  const unnamed: string[] = []
  subscribe('fastify.initialization', watch)
  try {
    return { built: await build(), routes, unnamed }
  } finally {
    unsubscribe('fastify.initialization', watch)
  }

  function watch(message: unknown) {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', note)
  }

  function note({ method, url, config }: RouteOptions) {
    if (!url.startsWith('/api/') || PUBLIC.test(url)) return
    const [methods, resource] = [[method].flat(), config?.resource]
    if (resource) routes.push(...methods.map((one) => ({ method: one, url, resource })))
    else unnamed.push(`${methods} ${url}`)
  }
}
