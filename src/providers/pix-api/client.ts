// Calls to one bank for one company, under an OAuth2 token that is asked for once however many calls wait
// for it.

import type { SecureContext } from 'node:tls'
import { v4 } from 'uuid'
import { z } from 'zod'
import { MINUTE_MS } from '../../database/instant.ts'
import { toError } from '../../system-error.ts'
import type { CallNeeds } from '../call.ts'
import { parseJson } from '../json.ts'
import { ProviderDown } from '../provider.ts'
import type { BankSettings } from './config.ts'
import { toBankError } from './errors.ts'
import { createTransport } from './transport.ts'

const TOKEN_REFRESH_MARGIN_MS = MINUTE_MS
const DEFAULT_TOKEN_S = 300

export type BankNeeds = CallNeeds & { now: () => Date }

type BankCall = {
  method: 'GET' | 'PUT' | 'PATCH'
  /** Already encoded. */
  path: string
  query?: Record<string, string>
  body?: object
  headers?: Record<string, string>
}

export type BankClient = {
  readonly settings: BankSettings
  /** The text of a success; throws as errors.ts says. */
  call(call: BankCall): Promise<string>
  /** Gets a token as a call would. Throws ProviderDown. */
  logIn(): Promise<void>
  /** The company's certificate and key; throws what is wrong with them. */
  getSecureContext(): SecureContext
  close(): Promise<void>
}

const TokenResponse = z.object({
  access_token: z.string().min(1).max(16_384),
  expires_in: z.coerce.number().positive().max(31_536_000).catch(DEFAULT_TOKEN_S),
})

export function createBankClient(settings: BankSettings, needs: BankNeeds): BankClient {
  const { now } = needs
  const line = createTransport(settings, needs)
  let cached: { token: string; until: number } | undefined
  let asking: Promise<string> | undefined

  return { settings, call: callBank, logIn, getSecureContext: line.identity, close: line.close }

  async function callBank(asked: BankCall) {
    const signal = line.deadline()
    const kept = getValidToken()
    let answer = await sendRequest(asked, kept ?? (await getTokenBefore(signal)), signal)
    if (answer.status === 401 && kept) {
      // Taken back before its time; others may have a new one already.
      if (cached?.token === kept) cached = undefined
      answer = await sendRequest(asked, await getTokenBefore(signal), signal)
    }
    if (answer.status < 200 || answer.status > 299) throw toBankError(answer.status, answer.text)
    return answer.text
  }

  async function logIn() {
    cached = undefined
    await getTokenBefore(line.deadline())
  }

  function sendRequest(asked: BankCall, token: string, signal: AbortSignal) {
    return line.exchange({ ...buildBankRequest(settings, asked, token), signal })
  }

  function getValidToken() {
    return cached && cached.until > now().getTime() ? cached.token : undefined
  }

  /** Nothing is asked of the bank before there is a token, so that a failure here charges nothing. */
  async function getTokenBefore(signal: AbortSignal) {
    // Another call may have got one in the meantime.
    const token = getValidToken()
    if (token) return token
    asking ??= requestToken()
    const shared = asking
    try {
      return await rejectOnAbort(signal, shared)
    } catch (error) {
      const { message } = toError(error)
      throw new ProviderDown(`There is no token: ${message}`, { cause: error })
    } finally {
      // Whoever comes after one that has waited in vain asks anew.
      if (asking === shared) asking = undefined
    }
  }

  async function requestToken() {
    const askedAt = now().getTime()
    const request = { ...buildTokenRequest(settings), signal: line.deadline() }
    const { status, text } = await line.exchange(request)
    if (status !== 200 && status !== 201) throw toBankError(status, text)
    const { access_token: token, expires_in: seconds } = parseBankResponse(TokenResponse, text)
    cached = { token, until: askedAt + seconds * 1000 - TOKEN_REFRESH_MARGIN_MS }
    return token
  }
}

function buildBankRequest(
  { baseUrl, extraHeaders, extraQuery, clientId }: BankSettings,
  { method, path, query = {}, body, headers = {} }: BankCall,
  token: string,
) {
  const search = new URLSearchParams({
    ...query,
    ...fillPlaceholders(extraQuery, clientId),
  }).toString()
  return {
    url: `${baseUrl}${path}${search && `?${search}`}`,
    method,
    headers: {
      ...fillPlaceholders(extraHeaders, clientId),
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

/** What the bank answered, when it is what was expected; a success that says something else is no verdict. */
export function parseBankResponse<T>(shape: z.ZodType<T>, text: string): T {
  const read = shape.safeParse(parseJson(text))
  if (read.success) return read.data
  const places = read.error.issues.map(({ path }) => path.join('.') || 'body').slice(0, 5)
  throw new Error(`The bank's answer could not be read: ${places.join(', ')}`)
}

function buildTokenRequest({
  tokenUrl,
  tokenAuth,
  grantInQuery,
  scope,
  clientId,
  clientSecret = '',
}: BankSettings) {
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

function fillPlaceholders(values: Record<string, string>, clientId: string) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replaceAll('{clientId}', () => clientId).replaceAll('{uuid}', () => v4()),
    ]),
  )
}

function rejectOnAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}
