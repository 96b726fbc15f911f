// What a stranger sends is counted by address before it costs anything: before its body is read and
// searched, a password is hashed or the database is asked. Unknown addresses count too.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MINUTE_MS } from '../database/instant.ts'
import { texts } from '../texts.ts'
import { buildNetworkLimits, enforceLimits, type Limiter } from './limiter.ts'

/** Many people may be behind one address; what each form allows is less. */
const POST_LIMIT = { max: 600, windowMs: MINUTE_MS }

/** Of a whole program, but for what `isExempt` since it has limits of its own before the body. */
export function limitPosts(
  app: FastifyInstance,
  limiter: Limiter,
  isExempt: (request: FastifyRequest) => boolean,
) {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method } = request
    if (method === 'GET' || method === 'HEAD' || isExempt(request)) return done()
    const limits = buildNetworkLimits('post', request.ip, POST_LIMIT)
    void enforceLimits(limiter, limits, texts.tooManyAttempts).then(() => done(), done)
  })
}
