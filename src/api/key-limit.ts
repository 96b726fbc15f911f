// Limits the requests of each key; they are counted after authentication (authenticate.ts).
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import { tooManyRequestsError } from '../http/errors.ts'
import type { Limiter } from '../http/limiter.ts'
import { createRateLimitStore } from '../http/rate-limit-store.ts'

const MAX_PER_MINUTE = 100

/** Limits every route of this scope, and reports what is left in `RateLimit` and `RateLimit-*`. */
export async function limitKeys(app: FastifyInstance, limiter: Limiter) {
  await app.register(rateLimit, {
    global: false,
    max: MAX_PER_MINUTE,
    timeWindow: MINUTE_MS,
    enableDraftSpec: true,
    store: createRateLimitStore(limiter),
    keyGenerator: ({ apiKeyId }) => apiKeyId,
    errorResponseBuilder: (_request, { ttl }) => tooManyRequestsError(Math.ceil(ttl / SECOND_MS)),
  })
  // A hook of the scope also counts requests without a route, before their body is read.
  app.addHook('onRequest', app.rateLimit())
  // The header of draft-ietf-httpapi-ratelimit-headers.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const { 'ratelimit-remaining': remaining, 'ratelimit-reset': seconds } = reply.getHeaders()
    if (remaining !== undefined) {
      reply.header('ratelimit-policy', `"key";q=${MAX_PER_MINUTE};w=${MINUTE_MS / SECOND_MS}`)
      reply.header('ratelimit', `"key";r=${remaining};t=${seconds}`)
    }
    done()
  })
}
