// Who is calling the API. Runs before anything of the request is read.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Company } from '../companies/company.ts'
import type { Scope } from '../database/enums.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { AppError } from '../http/errors.ts'
import { buildNetworkLimits, enforceLimits, type Limiter, undoHits } from '../http/limiter.ts'
import { texts } from '../texts.ts'
import type { ActiveKey, ApiKeyCache } from './api-key.ts'
import { isWellFormedApiKey } from './key-text.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling company and its key; only in the API's scope, after authentication. */
    company: Company
    apiKeyId: string
    /** What the key may do; null is everything. */
    scopes: Scope[] | null
    /** Whether its key would let it in now, for a request that goes on for long. */
    isStillAllowed(): Promise<boolean>
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
  app.decorateRequest('isStillAllowed', async function () {
    const secret = readBearer(this)
    const key = secret && (await apiKeyCache.findActiveKey(secret))
    return Boolean(key && (key.isAllowedFrom?.(this.ip) ?? true))
  })

  app.addHook('onRequest', (request, _reply, done) => {
    const secret = readBearer(request)
    // Nearly every request: its key is in memory, and nothing is waited for.
    const known = secret && apiKeyCache.peekActiveKey(secret)
    if (known && isKeyAllowed(known, request)) {
      acceptKey(request, known)
      return done()
    }
    void authenticateSlowly(request, secret).then(() => done(), done)
  })

  async function authenticateSlowly(request: FastifyRequest, secret: string | undefined) {
    const key =
      secret && isWellFormedApiKey(secret) ? await findKeyWithinLimit(secret, request) : undefined
    if (!key) throw await buildUnauthorizedError(request)
    if (!isKeyAllowed(key, request)) {
      bindKey(request, key)
      throw await buildForbiddenError(request)
    }
    acceptKey(request, key)
  }

  function acceptKey(request: FastifyRequest, key: ActiveKey) {
    bindKey(request, key)
    noteUse(key.id)
  }

  /** Whoever makes keys up must not make the database look for each; a known key is not looked for. */
  async function findKeyWithinLimit(secret: string, { ip }: FastifyRequest) {
    if (apiKeyCache.isCached(secret)) return apiKeyCache.findActiveKey(secret)
    const lookups = buildNetworkLimits('key-lookup', ip, KEY_LOOKUP_LIMIT)
    await enforceLimits(limiter, lookups)
    const key = await apiKeyCache.findActiveKey(secret)
    if (key) await undoHits(limiter, lookups)
    return key
  }

  /** Whoever has a key that is not theirs is limited as whoever guesses, and takes nothing of its own limit. */
  async function buildForbiddenError(request: FastifyRequest) {
    await enforceLimits(limiter, buildNetworkLimits('bad-key', request.ip, BAD_KEY_LIMIT))
    return new AppError(403, 'ip_not_allowed', texts.ipNotAllowed)
  }

  /** Guessing is limited by address, apart from the limit of each key. */
  async function buildUnauthorizedError(request: FastifyRequest) {
    await enforceLimits(limiter, buildNetworkLimits('bad-key', request.ip, BAD_KEY_LIMIT))
    const headers = { 'www-authenticate': 'Bearer' }
    return new AppError(401, '', texts.unauthorized, { headers })
  }
}

function isKeyAllowed({ isAllowedFrom }: ActiveKey, request: FastifyRequest) {
  return isAllowedFrom === null || isAllowedFrom(request.ip)
}

function bindKey(request: FastifyRequest, { id, company, scopes }: ActiveKey) {
  request.company = company
  request.apiKeyId = id
  request.scopes = scopes
}

function readBearer({ headers }: FastifyRequest) {
  return headers.authorization?.match(BEARER_PATTERN)?.[1]
}
