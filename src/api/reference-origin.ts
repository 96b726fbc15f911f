// Calls that the reference makes for its reader: its page runs a library in a sandbox (docs/routes.ts), so that browsers
// ask us whether it may read our answers. It may, like any page that is nobody's: what counts here is a key that its
// reader has typed, never a cookie.
import type { FastifyInstance } from 'fastify'

const NOBODYS_ORIGIN = 'null'
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '600',
}

/** Before the calls of a scope are authenticated: browsers ask without the key. */
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
