// How many requests a key may make, and what it is told of that.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { lt } from '../database/drizzle.ts'
import { SECOND_MS } from '../database/instant.ts'
import { limiterWindows } from '../database/tables.ts'
import { tooManyRequestsError } from '../http/errors.ts'
import type { Limit, Limiter } from '../http/limiter.ts'
import { purgeRows } from '../queue/purge.ts'

/** Limits every route of this scope by `keyOf`, and says how much is left in `RateLimit` and `RateLimit-*`. */
export function limitRequests(
  app: FastifyInstance,
  limiter: Limiter,
  limit: Limit,
  keyOf: (request: FastifyRequest) => string,
) {
  // A hook of the scope, so that what matches no route counts too, before its body is read.
  app.addHook('onRequest', async (request, reply) => {
    const { exceeded, current, retryAfterMs } = await limiter.countHit(keyOf(request), limit)
    const seconds = Math.ceil(retryAfterMs / SECOND_MS)
    const remaining = Math.max(0, limit.max - current)
    reply.header('ratelimit-limit', limit.max)
    reply.header('ratelimit-remaining', remaining)
    reply.header('ratelimit-reset', seconds)
    // The same as draft-ietf-httpapi-ratelimit-headers writes it.
    reply.header('ratelimit-policy', `"key";q=${limit.max};w=${limit.windowMs / SECOND_MS}`)
    reply.header('ratelimit', `"key";r=${remaining};t=${seconds}`)
    if (exceeded) throw tooManyRequestsError(seconds)
  })
}

/**
 * One batch of what was counted while Redis was gone, once it counts no more. No index finds it: each hit would
 * have to change it, and the table is empty again within the hour.
 */
export async function purgeLimiterWindows(db: Database, now: Date) {
  return purgeRows(db, limiterWindows, lt(limiterWindows.expiresAt, now.toISOString()))
}
