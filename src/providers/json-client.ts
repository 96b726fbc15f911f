// Speaks JSON over HTTP with a provider whose calls bear idempotency keys. What it throws says what may have happened
// there: ProviderDown means that nothing did; any other error leaves it open, and only asking again can tell. When the
// provider limits calls and says for how long (Retry-After), nothing is sent before; a pause that the background was
// asked for keeps no payer waiting (pauses.ts).

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
  /** @param limitMs what it may take, where that is less than usual */
  get(path: string, query?: Record<string, string>, limitMs?: number): Promise<JsonResponse>
  /** @param key a UUID: the same one again does nothing twice. */
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
  /** The time limit, where it is shorter than usual. */
  limitMs?: number | undefined
}

const JSON_HEADERS = { 'content-type': 'application/json' }

/** Refused at the door, before any work: a wrong token, one without the permission, too many calls. */
const REFUSED_STATUSES = [401, 403, 429]

export type JsonClientNeeds = CallNeeds & {
  now: () => Date
  /** Hears which field of an answer could not be read. */
  onUnreadable?: ((field: string) => void) | undefined
}

type JsonApi = {
  /** The provider's name, for errors. */
  name: string
  baseUrl: string
  authorization: string
  /** The header that bears an idempotency key. */
  keyHeader: string
  /** As readAnswer takes them. */
  fieldNames: readonly string[]
}

/** `background`: the same line, for what no payer waits for. */
export function createJsonClient(
  { name, baseUrl, authorization, keyHeader, fieldNames }: JsonApi,
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
    const text = await readResponseText(name, body)
    if (REFUSED_STATUSES.includes(status))
      throw refuseCall(status, headers['retry-after'], sent.lane)
    throwUncertain(name, status)
    return { status, body: parseResponse(text, status) }
  }

  /** A refusal may be said in any form; what came of a success must be legible. */
  function parseResponse(text: string, status: number): unknown {
    const body = readAnswer(text, fieldNames)
    if (body !== undefined) return body
    if (status >= 400) return null
    throw new Error(`${name} answered something other than JSON`)
  }

  /** What a 503 asks for is not heard: what it was about has to be looked for. */
  function refuseCall(status: number, retryAfter: string | string[] | undefined, lane: Lane) {
    const retryAt = status === 429 ? readPauseEnd(retryAfter, now()) : undefined
    notePause(lane, retryAt)
    const how = { cause: status, ...(retryAt && { retryAt }) }
    return new ProviderDown(`${name} refused the call: ${status}`, how)
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
        headers: { authorization, 'user-agent': 'Vintem', ...headers },
        dispatcher: agent,
        signal: createDeadline(limitMs),
      })
    } catch (error) {
      if (!isUnsent(error)) throw error
      const { code } = readSystemError(error)
      throw new ProviderDown(`${name} could not be reached: ${code}`, { cause: error })
    }
  }
}

function throwUncertain(name: string, status: number) {
  if (status === 503) throw new ProviderUnavailable(`${name} answered 503`)
  // After a timeout there nobody knows what was done.
  if (status >= 500 || status === 408) throw new Error(`${name} answered ${status}`)
}

async function readResponseText(name: string, body: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    // Leaving the loop ends the body and with it the connection.
    if (length > MAX_RESPONSE_BYTES) throw new Error(`${name} answered more than is read`)
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

/** It says that it did nothing; whether that is so, asking it again tells. */
export class ProviderUnavailable extends Error {}

/** The status that a call was refused with at the door; undefined where it did not come so far. */
export function getRefusalStatus(error: unknown) {
  const { cause } = error instanceof ProviderDown ? error : {}
  return typeof cause === 'number' ? cause : undefined
}
