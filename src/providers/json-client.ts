// Calls a provider's JSON API with idempotency keys. Its errors say what may have happened there: ProviderDown means
// nothing; after any other error the result is unknown, and only asking can tell.

import { readAnswer } from './answers.ts'
import { type Lane, ProviderDown } from './provider.ts'
import { ProviderRefusal, toAnswerError } from './refusal.ts'
import { type CallNeeds, createTransport, type TransportResponse } from './transport.ts'

type JsonResponse = { status: number; body: unknown }

export type JsonClient = {
  /** @param limitMs the time limit, if shorter than usual */
  get(path: string, query?: Record<string, string>, limitMs?: number): Promise<JsonResponse>
  /** Answers a 503 without its body. @param key a UUID: a second call with the same key does nothing. */
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
    const answer = await line.exchange({
      ...sent,
      url: `${baseUrl}${path}`,
      method,
      headers: { ...ownHeaders, ...headers },
      signal: line.deadline(limitMs),
    })
    const { status, text } = answer
    // A card's token serves once, so that the charge is searched for before it counts as not made.
    if (status === 503 && method !== 'GET') return { status, body: null }
    if (status >= 300) requireRefusal(answer)
    const body = readAnswer(text, fieldNames)
    if (body !== undefined) return { status, body }
    if (status >= 300) return { status, body: null }
    throw new Error(`${provider} answered something other than JSON`)
  }

  /** Throws unless the request itself was refused. */
  function requireRefusal(answer: TransportResponse) {
    const error = toAnswerError(provider, answer, null)
    if (!(error instanceof ProviderRefusal)) throw error
    // The credentials are refused before any work.
    if ([401, 403].includes(error.status)) throw new ProviderDown(error.message, { cause: error })
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

type RequestParts = Pick<SendOptions, 'headers' | 'limitMs'> & {
  lane: Lane
  query?: Record<string, string> | undefined
  body?: string
}
