// Calls a provider's JSON API with idempotency keys. Its errors say what may have happened there: ProviderDown means
// nothing; after any other error the result is unknown, and only asking can tell.

import { readAnswer } from './answers.ts'
import { type Lane, ProviderDown } from './provider.ts'
import { type CallNeeds, createTransport } from './transport.ts'

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
  needs: CallNeeds,
): JsonClient & { background: JsonClient } {
  // The wait of a 503 is ignored, because what was asked for must be searched for.
  const line = createTransport({ provider, pausingStatuses: [429] }, needs)
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
      close: line.close,
    }
  }

  async function callApi(
    method: Method,
    path: string,
    { headers, limitMs, ...sent }: RequestParts,
  ): Promise<JsonResponse> {
    const { status, text, retryAt } = await line.exchange({
      ...sent,
      url: `${baseUrl}${path}`,
      method,
      headers: { ...ownHeaders, ...headers },
      signal: line.deadline(limitMs),
    })
    if (REFUSED_STATUSES.includes(status)) {
      const how = { cause: status, ...(retryAt && { retryAt }) }
      throw new ProviderDown(`${provider} refused the call: ${status}`, how)
    }
    if (status === 503) throw new ProviderUnavailable(`${provider} answered 503`)
    // After a timeout at the provider the result is unknown.
    if (status >= 500 || status === 408) throw new Error(`${provider} answered ${status}`)
    return { status, body: parseResponse(text, status) }
  }

  /** A refusal may have any form; a success must be readable. */
  function parseResponse(text: string, status: number): unknown {
    const body = readAnswer(text, fieldNames)
    if (body !== undefined) return body
    if (status >= 400) return null
    throw new Error(`${provider} answered something other than JSON`)
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

type RequestParts = Pick<SendOptions, 'headers' | 'limitMs'> & {
  lane: Lane
  query?: Record<string, string> | undefined
  body?: string
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
