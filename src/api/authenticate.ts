// Who is calling the API. Runs before anything of the request is read.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Company } from '../companies/company.ts'
import type { Scope } from '../database/enums.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { AppError } from '../http/errors.ts'
import { getNetwork } from '../http/ip.ts'
import { enforceLimit, enforceLimits, type Limiter, undoHits } from '../http/limiter.ts'
import { texts } from '../texts.ts'
import type { ApiKeyCache } from './api-key.ts'
import { isWellFormedApiKey } from './key-text.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling company and its key; only in the API's scope, after authentication. */
    company: Company
    apiKeyId: string
    /** What the key may do; null is everything. */
    scopes: Scope[] | null
  }
}

const BEARER_PATTERN = /^Bearer +(\S+) *$/i
const BAD_KEY_LIMIT = { max: 100, windowMs: MINUTE_MS }
/** Of keys under way too: many may call at once after a start. */
const KEY_LOOKUP_LIMIT = { max: 300, windowMs: MINUTE_MS }

type AuthenticationNeeds = {
  apiKeyCache: ApiKeyCache
  /** From trackKeyUsage. */
  noteUse: (keyId: string) => void
  limiter: Limiter
}

export function authenticateRequests(
  app: FastifyInstance,
  { apiKeyCache, noteUse, limiter }: AuthenticationNeeds,
) {
  app.decorateRequest('company')
  app.decorateRequest('apiKeyId', '')
  app.decorateRequest('scopes', null)

  app.addHook('onRequest', async (request) => {
    const secret = request.headers.authorization?.match(BEARER_PATTERN)?.[1]
    const key =
      secret && isWellFormedApiKey(secret) ? await findKeyWithinLimit(secret, request) : undefined
    if (!key) throw await buildUnauthorizedError(request)
    request.company = key.company
    request.apiKeyId = key.id
    request.scopes = key.scopes
    const { isAllowedFrom } = key
    if (isAllowedFrom && !isAllowedFrom(request.ip)) throw await buildForbiddenError(request)
    noteUse(key.id)
  })

  /** Whoever makes keys up must not make the database look for each; a known key is not looked for. */
  async function findKeyWithinLimit(secret: string, { ip }: FastifyRequest) {
    if (apiKeyCache.isCached(secret)) return apiKeyCache.findActiveKey(secret)
    const lookups = [{ key: `key-lookup:${getNetwork(ip)}`, limit: KEY_LOOKUP_LIMIT }]
    await enforceLimits(limiter, lookups)
    const key = await apiKeyCache.findActiveKey(secret)
    if (key) await undoHits(limiter, lookups)
    return key
  }

  /** Whoever has a key that is not theirs is limited as whoever guesses, and takes nothing of its own limit. */
  async function buildForbiddenError(request: FastifyRequest) {
    await enforceLimit(limiter, `bad-key:${getNetwork(request.ip)}`, BAD_KEY_LIMIT)
    return new AppError(403, 'ip_not_allowed', texts.ipNotAllowed)
  }

  /** Guessing is limited by address, apart from the limit of each key. */
  async function buildUnauthorizedError(request: FastifyRequest) {
    await enforceLimit(limiter, `bad-key:${getNetwork(request.ip)}`, BAD_KEY_LIMIT)
    const headers = { 'www-authenticate': 'Bearer' }
    return new AppError(401, '', texts.unauthorized, { headers })
  }
}
