// Calls a provider's JSON API with idempotency keys. Its errors say what may have happened there: ProviderDown means
// nothing; after any other error the result is unknown, and only asking can tell. After a limit with a wait
// (Retry-After) nothing is sent before its end; a limit of background calls does not delay payers (pauses.ts).

import { Agent, buildConnector, request } from 'undici'
import { readSystemError } from '../system-error.ts'
import { readAnswer } from './answers.ts'
import {
  type CallNeeds,
  CONNECT_TIMEOUT_MS,
  createCallDeadline,
  isUnsent,
  MAX_RESPONSE_BYTES,
  readPauseEnd,
} from './call.ts'
import { createPauses } from './pauses.ts'
import { type Lane, ProviderDown } from './provider.ts'

export type JsonResponse = { status: number; body: unknown }

export type JsonClient = {
  /** @param limitMs the time limit, if shorter than usual */
  get(path: string, query?: Record<string, string>, limitMs?: number): Promise<JsonResponse>
  /** @param key a UUID: a second call with the same key does nothing. */
  send(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: object | null,
    key: string,
    options?: SendOptions,
  ): Promise<JsonResponse>
  /** Must be called with each field that could not be read. */
  reportUnreadable(field: string): void
  close(): Promise<void>
}

type SendOptions = {
  headers?: Record<string, string>
  /** The time limit, if shorter than usual. */
  limitMs?: number | undefined
}

const JSON_HEADERS = { 'content-type': 'application/json' }

/** Refused before any work: a wrong token, a token without the permission, or too many calls. */
const REFUSED_STATUSES = [401, 403, 429]

export type JsonClientNeeds = CallNeeds & {
  now: () => Date
  /** Called with the field of an answer that could not be read. */
  onUnreadable?: ((field: string) => void) | undefined
}

type JsonApi = {
  /** The provider's name in errors. */
  provider: string
  baseUrl: string
  /** Sent with every call. */
  headers: Record<string, string>
  /** The header of the idempotency key; `x-idempotency-key` unless given. */
  keyHeader?: string
  /** As readAnswer takes them. */
  fieldNames: readonly string[]
}

/** `background` is for calls that no payer waits for; it uses the same connections. */
export function createJsonClient(
  { provider, baseUrl, headers: ownHeaders, keyHeader = 'x-idempotency-key', fieldNames }: JsonApi,
  needs: JsonClientNeeds,
): JsonClient & { background: JsonClient } {
  const { now, connector = buildConnector, createDeadline = createCallDeadline } = needs
  const connect = connector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  const agent = new Agent({ allowH2: false, connect })
  const { requireNoPause, notePause } = createPauses(now)
  return { ...openLane('payer'), background: openLane('background') }

  function openLane(lane: Lane): JsonClient {
    return {
      get: (path, query, limitMs) => callApi('GET', path, { query, limitMs, lane }),
      send: (method, path, body, key, { headers = {}, limitMs } = {}) =>
        callApi(method, path, {
          limitMs,
          ...(body && { body: JSON.stringify(body) }),
          headers: { ...headers, ...(body && JSON_HEADERS), [keyHeader]: key },
          lane,
        }),
      reportUnreadable: (field) => needs.onUnreadable?.(field),
      close: () => agent.close(),
    }
  }

  async function callApi(method: Method, path: string, sent: RequestParts): Promise<JsonResponse> {
    requireNoPause(sent.lane)
    const { statusCode: status, headers, body } = await sendRequest(method, path, sent)
    const text = await readResponseText(provider, body)
    if (REFUSED_STATUSES.includes(status))
      throw refuseCall(status, headers['retry-after'], sent.lane)
    throwUncertain(provider, status)
    return { status, body: parseResponse(text, status) }
  }

  /** A refusal may have any form; a success must be readable. */
  function parseResponse(text: string, status: number): unknown {
    const body = readAnswer(text, fieldNames)
    if (body !== undefined) return body
    if (status >= 400) return null
    throw new Error(`${provider} answered something other than JSON`)
  }

  /** The wait of a 503 is ignored, because what was asked for must be searched for. */
  function refuseCall(status: number, retryAfter: string | string[] | undefined, lane: Lane) {
    const retryAt = status === 429 ? readPauseEnd(retryAfter, now()) : undefined
    notePause(lane, retryAt)
    const how = { cause: status, ...(retryAt && { retryAt }) }
    return new ProviderDown(`${provider} refused the call: ${status}`, how)
  }

  async function sendRequest(
    method: Method,
    path: string,
    { query, body, headers, limitMs }: RequestParts,
  ) {
    try {
      return await request(`${baseUrl}${path}`, {
        method,
        ...(query && { query }),
        ...(body && { body }),
        headers: { 'user-agent': 'Vintem', ...ownHeaders, ...headers },
        dispatcher: agent,
        signal: createDeadline(limitMs),
      })
    } catch (error) {
      if (!isUnsent(error)) throw error
      const { code } = readSystemError(error)
      throw new ProviderDown(`${provider} could not be reached: ${code}`, { cause: error })
    }
  }
}

function throwUncertain(provider: string, status: number) {
  if (status === 503) throw new ProviderUnavailable(`${provider} answered 503`)
  // After a timeout at the provider the result is unknown.
  if (status >= 500 || status === 408) throw new Error(`${provider} answered ${status}`)
}

async function readResponseText(provider: string, body: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    // Leaving the loop closes the body and with it the connection.
    if (length > MAX_RESPONSE_BYTES) throw new Error(`${provider} answered more than is read`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

type RequestParts = Pick<SendOptions, 'limitMs'> & {
  lane: Lane
  query?: Record<string, string> | undefined
  body?: string
  headers?: Record<string, string>
}

/** The error says that nothing was done; only asking can tell whether that is true. */
export class ProviderUnavailable extends Error {}

/** Returns the status of a call that was refused before any work; undefined for other errors. */
export function getRefusalStatus(error: unknown) {
  const { cause } = error instanceof ProviderDown ? error : {}
  return typeof cause === 'number' ? cause : undefined
}

/** Answers 503 in place of a ProviderUnavailable, and throws any other error again. */
export function catchUnavailable(error: unknown): JsonResponse {
  if (error instanceof ProviderUnavailable) return { status: 503, body: null }
  throw error
}
