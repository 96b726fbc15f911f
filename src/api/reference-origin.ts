// CORS for the API reference: its page runs a library in a sandbox (docs/routes.ts), so its requests have the origin
// `null`. Any page without an origin may read our answers, because access depends on a key that the reader types and
// never on a cookie.
import type { FastifyInstance } from 'fastify'

const NOBODYS_ORIGIN = 'null'
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '600',
}

/** Must run before authentication: browsers send the preflight without the key. */
export function answerReference(scope: FastifyInstance) {
  scope.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request
    if (headers.origin !== NOBODYS_ORIGIN) return done()
    reply.headers({ 'access-control-allow-origin': NOBODYS_ORIGIN, vary: 'Origin' })
    const isPreflight = method === 'OPTIONS' && 'access-control-request-method' in headers
    if (isPreflight) reply.code(204).headers(PREFLIGHT_HEADERS).send()
    else done()
  })
}
