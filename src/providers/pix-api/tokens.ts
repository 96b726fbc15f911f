// Gets the OAuth2 tokens of one company at one bank, one for each scope, with one request for all waiting calls. A
// permission that the bank does not give stops only the calls that need it.

import { z } from 'zod'
import { MINUTE_MS } from '../../database/instant.ts'
import { toError } from '../../system-error.ts'
import { type Lane, ProviderDown } from '../provider.ts'
import type { Transport } from '../transport.ts'
import type { BankSettings } from './config.ts'
import { toBankError } from './errors.ts'
import { parseBankResponse } from './responses.ts'

const TOKEN_REFRESH_MARGIN_MS = MINUTE_MS
const DEFAULT_TOKEN_S = 300

const TokenResponse = z.object({
  access_token: z.string().min(1).max(16_384),
  expires_in: z.coerce.number().positive().max(31_536_000).catch(DEFAULT_TOKEN_S),
})

export function createTokenStore(
  settings: BankSettings,
  { line, now }: { line: Transport; now: () => Date },
) {
  const cached = new Map<string, { token: string; askedAt: number; until: number }>()
  const asking = new Map<string, Promise<string>>()

  return { getValidToken, getTokenBefore, isSpent, evict }

  function getValidToken(scope: string) {
    const kept = cached.get(scope)
    return kept && kept.until > now().getTime() ? kept.token : undefined
  }

  /** Some banks answer an ended token with 403, as a missing right: a new token ends the doubt, once a minute. */
  function isSpent(scope: string, status: number) {
    const ageMs = now().getTime() - (cached.get(scope)?.askedAt ?? 0)
    return status === 401 || (status === 403 && ageMs > MINUTE_MS)
  }

  function evict(scope: string, token: string | undefined) {
    if (cached.get(scope)?.token === token) cached.delete(scope)
  }

  /** Gets the token before the call, so that a failure here charges nothing. */
  async function getTokenBefore(scope: string, signal: AbortSignal, lane: Lane) {
    // Another call may have got one meanwhile.
    const token = getValidToken(scope)
    if (token) return token
    const asked = `${lane} ${scope}`
    const shared = asking.get(asked) ?? requestToken(scope, lane)
    asking.set(asked, shared)
    try {
      return await rejectOnAbort(signal, shared)
    } catch (error) {
      const { message } = toError(error)
      throw new ProviderDown(`There is no token: ${message}`, { cause: error })
    } finally {
      // After a failed request the next caller asks again.
      if (asking.get(asked) === shared) asking.delete(asked)
    }
  }

  async function requestToken(scope: string, lane: Lane) {
    const askedAt = now().getTime()
    const request = { ...buildTokenRequest(settings, scope), signal: line.deadline(), lane }
    const answer = await line.exchange(request)
    if (answer.status !== 200 && answer.status !== 201) throw toBankError(answer)
    const { access_token: token, expires_in: seconds } = parseBankResponse(
      TokenResponse,
      answer.text,
    )
    const until = askedAt + seconds * 1000 - TOKEN_REFRESH_MARGIN_MS
    cached.set(scope, { token, askedAt, until })
    return token
  }
}

function buildTokenRequest(
  { tokenUrl, tokenAuth, grantInQuery, clientId, clientSecret = '' }: BankSettings,
  scope: string,
) {
  const grant = { grant_type: 'client_credentials' }
  const form = new URLSearchParams({
    ...(!grantInQuery && grant),
    ...(scope && { scope }),
    ...(tokenAuth !== 'basic' && { client_id: clientId }),
    ...(tokenAuth === 'body' && { client_secret: clientSecret }),
  })
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  return {
    method: 'POST' as const,
    url: grantInQuery ? `${tokenUrl}?${new URLSearchParams(grant)}` : tokenUrl,
    body: form.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(tokenAuth === 'basic' && { authorization: basic }),
    },
  }
}

function rejectOnAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}
