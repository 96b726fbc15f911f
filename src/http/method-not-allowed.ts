// Answers 405, with the allowed methods, to a known path with another method. This includes methods that the router
// doesn't know, and paths where it would take a word such as `batch` for an id.
import type { FastifyInstance, RouteOptions } from 'fastify'
import { texts } from '../texts.ts'
import { AppError, sendProblem } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The pattern of the route when its path has other methods only; else null. */
    refusedPath: string | null
  }
}

type ServedPath = { url: string; pattern: RegExp; methods: Set<string> }

const METHODS_IN_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Refuses other methods on the paths of the routes that are registered in this scope afterwards, before a body is read.
 * With `isPublic`, only those routes count, and the refusal is sent at once: an unknown method would otherwise reach a
 * scope that asks for a key or answers with a page.
 */
export function refuseOtherMethods(
  scope: FastifyInstance,
  baseUrl: string,
  isPublic?: (route: RouteOptions) => boolean,
) {
  const served = new Map<string, ServedPath>()
  if (!scope.hasRequestDecorator('refusedPath')) scope.decorateRequest('refusedPath', null)
  scope.addHook('onRoute', (route) => {
    if (isPublic && !isPublic(route)) return
    const url = trimPath(route.url)
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    const path = served.get(url) ?? { url, pattern, methods: new Set() }
    for (const method of [route.method].flat()) path.methods.add(method)
    served.set(url, path)
  })
  scope.addHook('onRequest', (request, reply, done) => {
    const asked = trimPath(request.url)
    const matching = () => [...served.values()].find(({ pattern }) => pattern.test(asked))
    const path = served.get(asked) ?? (request.is404 ? matching() : undefined)
    if (!path || path.methods.has(request.method)) return done()
    request.refusedPath = path.url
    const allow = METHODS_IN_ORDER.filter((one) => path.methods.has(one)).join(', ')
    const error = new AppError(405, 'method_not_allowed', texts.methodNotAllowed, {
      headers: { allow },
    })
    if (isPublic) sendProblem(reply, error, baseUrl)
    else done(error)
  })
}

/** Removes the query and a slash at the end, which the router ignores too. */
function trimPath(url: string) {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.endsWith('/') ? path.slice(0, -1) : path
}
