// Authenticates the caller of the API by its key, before anything else of the request is read.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Company } from '../companies/company.ts'
import type { Scope } from '../database/enums.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { AppError } from '../http/errors.ts'
import {
  buildNetworkLimits,
  countHits,
  enforceLimits,
  type Limiter,
  undoHits,
} from '../http/limiter.ts'
import { texts } from '../texts.ts'
import type { FindActiveKey } from './api-key.ts'
import { digestApiKey, isWellFormedApiKey } from './key-text.ts'
import type { NoteUse } from './key-usage.ts'

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
/** How many look-ups of unknown keys a network may cause; beyond it no unknown key from there is looked up. */
const FAILED_LOOKUP_LIMIT = { max: 300, windowMs: MINUTE_MS }
const MAX_PROVEN_KEYS = 10_000

type AuthenticationNeeds = {
  findActiveKey: FindActiveKey
  noteUse: NoteUse
  limiter: Limiter
  /** Counts in this process alone: it is asked at every request. */
  lookupLimiter: Limiter
}

export function authenticateRequests(
  app: FastifyInstance,
  { findActiveKey, noteUse, limiter, lookupLimiter }: AuthenticationNeeds,
) {
  /** Keys that were right when they called last: made-up keys from their network don't shut them out. */
  const proven = new Set<string>()
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
    const key = secret && isWellFormedApiKey(secret) ? await findKey(secret, request) : undefined
    if (!key) throw await buildUnauthorizedError(request)
    const { isAllowedFrom, id, company, scopes } = key
    Object.assign(request, { company, apiKeyId: id, scopes })
    if (isAllowedFrom?.(request.ip) === false) throw await buildForbiddenError(request)
    noteUse(key)
  })

  /** Counts the look-ups that fail, and none that are under way: many keys may call at once. */
  async function findKey(secret: string, { ip }: FastifyRequest) {
    const digest = digestApiKey(secret)
    const lookups = buildNetworkLimits('key-lookup', ip, FAILED_LOOKUP_LIMIT)
    if (!proven.has(digest)) {
      await enforceLimits(lookupLimiter, lookups)
      await undoHits(lookupLimiter, lookups)
    }
    const key = await findActiveKey(secret)
    proven.delete(digest)
    if (key) proven.add(digest)
    else await countHits(lookupLimiter, lookups)
    for (const oldest of proven) {
      if (proven.size <= MAX_PROVEN_KEYS) break
      proven.delete(oldest)
    }
    return key
  }

  /**
   * A key used from an address that it does not allow counts against the address, as a guess does, and not against
   * the key.
   */
  async function buildForbiddenError(request: FastifyRequest) {
    await enforceLimits(limiter, buildNetworkLimits('bad-key', request.ip, BAD_KEY_LIMIT))
    return new AppError(403, 'ip_not_allowed', texts.ipNotAllowed)
  }

  /** Guesses are limited by address, apart from each key's own limit. */
  async function buildUnauthorizedError(request: FastifyRequest) {
    await enforceLimits(limiter, buildNetworkLimits('bad-key', request.ip, BAD_KEY_LIMIT))
    const headers = { 'www-authenticate': 'Bearer' }
    return new AppError(401, '', texts.unauthorized, { headers })
  }
}

function readBearer({ headers }: FastifyRequest) {
  return headers.authorization?.match(BEARER_PATTERN)?.[1]
}
