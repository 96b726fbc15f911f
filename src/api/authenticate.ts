// Authenticates the caller of the API by its key before the request is read any further, and limits the requests of
// each key.

import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Company } from '../companies/company.ts'
import type { Database } from '../database/connect.ts'
import { and, inArray, isNull, lt, or } from '../database/drizzle.ts'
import type { Scope } from '../database/enums.ts'
import { addDelay, MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import { apiKeys } from '../database/tables.ts'
import { AppError, tooManyRequestsError } from '../http/errors.ts'
import { buildNetworkLimits, enforceLimits, type Limiter } from '../http/limiter.ts'
import { createRateLimitStore } from '../http/rate-limit-store.ts'
import type { ApiNeeds } from '../http/zod.ts'
import { createUnawaitedWriter } from '../queue/unawaited.ts'
import { texts } from '../texts.ts'
import { type ActiveKey, createActiveKeyFinder } from './api-key.ts'
import { isWellFormedApiKey } from './key-text.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The company and the key of the caller; only set in the API's scope, after authentication. */
    company: Company
    apiKeyId: string
    /** The rights of the key; null means all. */
    scopes: Scope[] | null
    /** Whether the key is still accepted, for a request that takes long. */
    isStillAllowed(): Promise<boolean>
  }
}

const BEARER_PATTERN = /^Bearer +(\S+) *$/i
const BAD_KEY_LIMIT = { max: 100, windowMs: MINUTE_MS }

export function authenticateRequests(app: FastifyInstance, needs: ApiNeeds) {
  const { db, limiter, now } = needs
  const findActiveKey = createActiveKeyFinder(db, now)
  const noteUse = trackKeyUsage(app, needs)
  app.decorateRequest('company')
  app.decorateRequest('apiKeyId', '')
  app.decorateRequest('scopes', null)
  app.decorateRequest('isStillAllowed', async function () {
    const secret = readBearer(this)
    const key = secret && (await findActiveKey(secret))
    return Boolean(key && (key.isAllowedFrom?.(this.ip) ?? true))
  })

  app.addHook('onRequest', async (request) => {
    const secret = readBearer(request)
    const key = secret && isWellFormedApiKey(secret) ? await findActiveKey(secret) : undefined
    if (!key) {
      await countRefusal(request)
      const headers = { 'www-authenticate': 'Bearer' }
      throw new AppError(401, '', texts.unauthorized, { headers })
    }
    const { isAllowedFrom, id, company, scopes } = key
    Object.assign(request, { company, apiKeyId: id, scopes })
    if (isAllowedFrom?.(request.ip) === false) {
      await countRefusal(request)
      throw new AppError(403, 'ip_not_allowed', texts.ipNotAllowed)
    }
    noteUse(key)
  })

  /**
   * Limits, by address and apart from the limit of each key, the requests with an invalid key, which may be guesses, and
   * those with a key from a forbidden address.
   */
  async function countRefusal({ ip }: FastifyRequest) {
    await enforceLimits(limiter, buildNetworkLimits('bad-key', ip, BAD_KEY_LIMIT))
  }
}

function readBearer({ headers }: FastifyRequest) {
  return headers.authorization?.match(BEARER_PATTERN)?.[1]
}

const PRECISION_MS = MINUTE_MS

/** Records when a key was last used, to the minute. No request waits for the write. */
function trackKeyUsage(app: FastifyInstance, { db, log, now }: ApiNeeds) {
  const uses = createUnawaitedWriter<string>({
    write: (ids) => writeUse(db, ids, now()),
    // Two processes that each update several keys could deadlock.
    maxItems: 1,
    log,
    failure: 'the last use of keys could not be written',
  })
  app.addHook('onClose', uses.close)

  return function noteUse({ id, lastUsedAt }: ActiveKey) {
    const isRecent = lastUsedAt && now().getTime() - Date.parse(lastUsedAt) < PRECISION_MS
    if (!isRecent) uses.add(id)
  }
}

function writeUse(db: Database, ids: string[], now: Date) {
  const isOld = lt(apiKeys.lastUsedAt, addDelay(now, -PRECISION_MS))
  return db
    .update(apiKeys)
    .set({ lastUsedAt: now.toISOString() })
    .where(and(inArray(apiKeys.id, ids), or(isNull(apiKeys.lastUsedAt), isOld)))
}

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

/**
 * CORS for the API reference: its page runs a library in a sandbox (docs/routes.ts), so its requests have this origin.
 * Any page without an origin may read our answers, because access depends on a key that the reader types and never on a
 * cookie.
 */
const SANDBOX_ORIGIN = 'null'
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '600',
}

/** Must run before authentication: browsers send the preflight without the key. */
export function answerReference(scope: FastifyInstance) {
  scope.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request
    if (headers.origin !== SANDBOX_ORIGIN) return done()
    reply.headers({ 'access-control-allow-origin': SANDBOX_ORIGIN, vary: 'Origin' })
    const isPreflight = method === 'OPTIONS' && 'access-control-request-method' in headers
    if (isPreflight) reply.code(204).headers(PREFLIGHT_HEADERS).send()
    else done()
  })
}
