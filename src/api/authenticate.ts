// Who is calling the API. Runs before anything of the request is read.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Company } from '../companies/company.ts'
import type { Scope } from '../database/enums.ts'
import { AppError, tooManyRequests } from '../http/errors.ts'
import type { Limiter } from '../http/limiter.ts'
import { texts } from '../texts.ts'
import { type Keyring, looksLikeKey } from './api-key.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling company and its key; only in the API's scope, after authentication. */
    company: Company
    apiKeyId: string
    /** What the key may do; null is everything. */
    scopes: Scope[] | null
  }
}

const BEARER = /^Bearer +(\S+) *$/i
const BAD_KEYS = { max: 100, windowMs: 60_000 }

type Needs = { keyring: Keyring; limiter: Limiter }

export function authenticate(app: FastifyInstance, { keyring, limiter }: Needs) {
  app.decorateRequest('company')
  app.decorateRequest('apiKeyId', '')
  app.decorateRequest('scopes', null)

  app.addHook('onRequest', async (request) => {
    const secret = request.headers.authorization?.match(BEARER)?.[1]
    const key = secret && looksLikeKey(secret) ? await keyring.find(secret) : undefined
    if (!key) throw await refusal(request)
    request.company = key.company
    request.apiKeyId = key.id
    request.scopes = key.scopes
  })

  /** Guessing is limited by address, apart from the limit of each key. */
  async function refusal(request: FastifyRequest) {
    const { exceeded, retryAfterMs } = await limiter.hit(`bad-key:${request.ip}`, BAD_KEYS)
    if (exceeded) return tooManyRequests(Math.ceil(retryAfterMs / 1000))
    const headers = { 'www-authenticate': 'Bearer' }
    return new AppError(401, '', texts.unauthorized, { headers })
  }
}
