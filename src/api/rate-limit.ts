// The API's limit as a store of @fastify/rate-limit: it asks, our limiter counts.

import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { lt } from '../database/drizzle.ts'
import { limiterWindows } from '../database/tables.ts'
import { tooManyRequestsError } from '../http/errors.ts'
import type { Limit, Limiter } from '../http/limiter.ts'
import { purgeRows } from '../queue/purge.ts'

type StoreCallback = (error: Error | null, result?: { current: number; ttl: number }) => void

/** Limits every route of this scope by `keyOf`, and says how much is left in `RateLimit-*`. */
export async function limitRequests(
  app: FastifyInstance,
  limiter: Limiter,
  { max, windowMs }: Limit,
  keyOf: (request: FastifyRequest) => string,
) {
  // The plugin builds its store with `new`: a function, since there are no classes here.
  function Store() {
    const store = {
      incr(key: string, answer: StoreCallback) {
        limiter.countHit(key, { max, windowMs }).then(
          ({ exceeded, current, retryAfterMs }) =>
            answer(null, { current: exceeded ? max + 1 : current, ttl: retryAfterMs }),
          (error) => answer(error),
        )
      },
      child: () => store,
    }
    return store
  }

  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: windowMs,
    keyGenerator: keyOf,
    enableDraftSpec: true,
    // Its types want a class.
    store: Store as never,
    errorResponseBuilder: (_request, { ttl }) => tooManyRequestsError(Math.ceil(ttl / 1000)),
  })
  // A hook of the scope, so that what matches no route counts too, before its body is read.
  app.addHook('onRequest', app.rateLimit())
}

/**
 * One batch of what was counted while Redis was gone, once it counts no more. No index finds it: each hit would
 * have to change it, and the table is empty again within the hour.
 */
export async function purgeLimiterWindows(db: Database, now: Date) {
  return purgeRows(db, limiterWindows, lt(limiterWindows.expiresAt, now.toISOString()))
}
