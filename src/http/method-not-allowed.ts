// A path that exists but not with this method is a 405 that names those it has.
import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'

const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Collects this scope's routes; `close()`, after the last of them, answers the methods they lack. */
export function refuseOtherMethods(app: FastifyInstance) {
  const known = new Map<string, Set<string>>()

  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    known.set(url, methods)
  })

  return function addMethodNotAllowedRoutes() {
    for (const [path, methods] of [...known]) {
      const allow = HTTP_METHODS.filter((one) => methods.has(one)).join(', ')
      app.route({
        method: HTTP_METHODS.filter((one) => !methods.has(one)),
        url: path.slice(app.prefix.length),
        exposeHeadRoute: false,
        schema: { hide: true },
        handler: () => {
          throw new AppError(405, 'method_not_allowed', texts.methodNotAllowed, {
            headers: { allow },
          })
        },
      })
    }
  }
}
