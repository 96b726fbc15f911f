// Authenticates the caller of the API by its key before the request is read any further.

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
/** The look-ups of unknown keys that a network may cause; beyond it they are refused without one. */
const FAILED_LOOKUP_LIMIT = { max: 300, windowMs: MINUTE_MS }
const MAX_PROVEN_KEYS = 10_000

type AuthenticationNeeds = {
  findActiveKey: FindActiveKey
  noteUse: NoteUse
  limiter: Limiter
  /** Counts in this process only, because it is asked at every request. */
  lookupLimiter: Limiter
}

export function authenticateRequests(
  app: FastifyInstance,
  { findActiveKey, noteUse, limiter, lookupLimiter }: AuthenticationNeeds,
) {
  /** Keys that were valid at their last use: wrong keys from the same network must not lock them out. */
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

  /** Finds a key. Only failed look-ups count, so that many keys may call at once. */
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
   * Builds the error for a key used from a forbidden address. It counts against the address, as a guess does, and not
   * against the key.
   */
  async function buildForbiddenError(request: FastifyRequest) {
    await enforceLimits(limiter, buildNetworkLimits('bad-key', request.ip, BAD_KEY_LIMIT))
    return new AppError(403, 'ip_not_allowed', texts.ipNotAllowed)
  }

  /** Builds the error for an invalid key. Guesses are limited by address, apart from the limit of each key. */
  async function buildUnauthorizedError(request: FastifyRequest) {
    await enforceLimits(limiter, buildNetworkLimits('bad-key', request.ip, BAD_KEY_LIMIT))
    const headers = { 'www-authenticate': 'Bearer' }
    return new AppError(401, '', texts.unauthorized, { headers })
  }
}

function readBearer({ headers }: FastifyRequest) {
  return headers.authorization?.match(BEARER_PATTERN)?.[1]
}
