// A path that is served, but not by this method, is a 405 that names those it has. Whatever method it is: what
// the router knows none of would else be an unknown path, and a word such as `batch` the id of something.
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { texts } from '../texts.ts'
import { AppError, sendProblem } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** As it is registered, of a path that is served by other methods; else null. */
    refusedPath: string | null
  }
}

const METHODS_IN_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Of the routes that this scope will have, after its hooks of before; no body has been read then. */
export function refuseOtherMethods(scope: FastifyInstance) {
  const findRefusal = watchServedPaths(scope)
  scope.addHook('onRequest', (request, _reply, done) => done(findRefusal(request)))
}

/**
 * Of the routes that need no key: before any scope is asked, for an unknown method would come to one that wants a
 * key, or that answers with a page.
 */
export function refuseOtherPublicMethods(app: FastifyInstance, isPublic: RouteFilter) {
  const findRefusal = watchServedPaths(app, isPublic)
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = request.is404 ? findRefusal(request) : undefined
    if (refusal) sendProblem(reply, refusal)
    else done()
  })
}

type RouteFilter = (route: RouteOptions) => boolean
type ServedPath = { url: string; parts: string[]; methods: Set<string> }

/** Answers what a request is refused with; undefined where it is not. */
function watchServedPaths(app: FastifyInstance, isWatched: RouteFilter = () => true) {
  const served = new Map<string, ServedPath>()
  if (!app.hasRequestDecorator('refusedPath')) app.decorateRequest('refusedPath', null)
  app.addHook('onRoute', (route) => {
    if (!isWatched(route)) return
    const url = trimPath(route.url)
    const path = served.get(url) ?? { url, parts: url.split('/'), methods: new Set() }
    for (const method of [route.method].flat()) path.methods.add(method)
    served.set(url, path)
  })

  return function findRefusal(request: FastifyRequest) {
    const path = trimPath(request.url)
    const found = served.get(path) ?? (request.is404 ? findMatching(path) : undefined)
    if (!found || found.methods.has(request.method)) return undefined
    request.refusedPath = found.url
    return buildMethodError(found)
  }

  function findMatching(path: string) {
    const asked = path.split('/')
    return [...served.values()].find(({ parts }) => isMatching(parts, asked))
  }
}

/** Without its query, and without a slash at its end, which the router does not see either. */
function trimPath(url: string) {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.endsWith('/') ? path.slice(0, -1) : path
}

function isMatching(parts: string[], asked: string[]) {
  if (parts.length !== asked.length) return false
  return parts.every((part, i) => (part.startsWith(':') ? asked[i] !== '' : asked[i] === part))
}

function buildMethodError({ methods }: ServedPath) {
  const allow = METHODS_IN_ORDER.filter((one) => methods.has(one)).join(', ')
  const headers = { allow }
  return new AppError(405, 'method_not_allowed', texts.methodNotAllowed, { headers })
}
