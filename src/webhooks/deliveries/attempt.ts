// Makes one POST to a receiver and returns its outcome. It always ends by the deadline and reads little of the answer.

import { type Dispatcher, request } from 'undici'
import { maskCardNumbers } from '../../card-numbers.ts'
import type { DeliveryOutcome } from '../../database/enums.ts'
import { readSystemError } from '../../system-error.ts'

export const ATTEMPT_TIMEOUT_MS = 15_000

const MAX_READ_BYTES = 20_000
const MAX_STORED_BYTES = 2_000

type AttemptResult = {
  outcome: DeliveryOutcome
  statusCode: number | null
  /** The first 2 kB of the body, without card numbers. Null when nothing was read. */
  answer: string | null
  retryAfter: string | null
}

type WebhookRequest = { url: string; headers: Record<string, string>; body: string }
type PostOptions = { agent: Dispatcher; deadlineMs?: number; signal?: AbortSignal | undefined }

/** An answer, or the reason why there is none, with the times of the request and the answer. */
export type FinishedAttempt = AttemptResult & { startedAt: Date; endedAt: Date }

export type PostResult =
  | ({ kind: 'ended' } & AttemptResult)
  /** Interrupted by `signal`, which says nothing about the receiver. */
  | { kind: 'interrupted' }

/** Redirects are not followed. */
export async function postWebhook(
  { url, headers, body }: WebhookRequest,
  { agent, deadlineMs = ATTEMPT_TIMEOUT_MS, signal }: PostOptions,
): Promise<PostResult> {
  // undici's own timeouts begin again with every byte, so a slow answer would never end.
  const ending = new AbortController()
  const end = () => ending.abort()
  const deadline = setTimeout(end, deadlineMs)
  signal?.addEventListener('abort', end)
  // An abort before this listener was added is not reported.
  if (signal?.aborted) end()
  const answer: AttemptResult = {
    outcome: 'http_error',
    statusCode: null,
    answer: null,
    retryAfter: null,
  }
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Vintem', ...headers },
      body,
      dispatcher: agent,
      signal: ending.signal,
    })
    answer.statusCode = response.statusCode
    answer.retryAfter = takeFirstHeader(response.headers['retry-after'])
    const { bytes, whole } = await readWebhookBody(response.body)
    answer.answer = decodeWebhookBody(bytes)
    answer.outcome = toDeliveryOutcome(response.statusCode, whole)
  } catch (error) {
    if (signal?.aborted) return { kind: 'interrupted' }
    answer.outcome =
      toRefusalOutcome(answer.statusCode) ?? toErrorOutcome(error, ending.signal.aborted)
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', end)
  }
  return { kind: 'ended', ...answer }
}

async function readWebhookBody(body: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    chunks.push(chunk)
    // Leaving the loop closes the body and with it the connection.
    if (length > MAX_READ_BYTES) break
  }
  return { bytes: Buffer.concat(chunks), whole: length <= MAX_READ_BYTES }
}

/** Masks before cutting, or half a card number could remain; Postgres refuses NUL. */
function decodeWebhookBody(bytes: Buffer) {
  const masked = Buffer.from(maskCardNumbers(decodeWholeCharacters(bytes)))
  return decodeWholeCharacters(masked.subarray(0, MAX_STORED_BYTES)).replaceAll('\0', '')
}

/** Decoding as a stream drops a character that was cut in two. */
function decodeWholeCharacters(bytes: Buffer) {
  return new TextDecoder().decode(bytes, { stream: true })
}

function toDeliveryOutcome(statusCode: number, whole: boolean): DeliveryOutcome {
  return toRefusalOutcome(statusCode) ?? (whole ? 'delivered' : 'response_too_large')
}

/** A refusal stays one although its body broke off; a success needs a complete body. */
function toRefusalOutcome(statusCode: number | null): DeliveryOutcome | null {
  if (statusCode === null || (statusCode >= 200 && statusCode <= 299)) return null
  return statusCode === 410 ? 'gone' : 'http_error'
}

function toErrorOutcome(error: unknown, late: boolean): DeliveryOutcome {
  if (late) return 'timeout'
  const { code, syscall, message } = readSystemError(error)
  if (/^(getaddrinfo|query)/.test(syscall)) return 'dns_failure'
  if (message.includes('before secure TLS connection')) return 'tls_failure'
  return OUTCOME_BY_ERROR_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'http_error'
}

const OUTCOME_BY_ERROR_CODE: [RegExp, DeliveryOutcome][] = [
  [/^ERR_PRIVATE_ADDRESS$/, 'private_address'],
  [/^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'response_too_large'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|INVALID_|EPROTO$)|SELF_SIGNED/, 'tls_failure'],
  [/^(ECONN\w+|EHOST\w+|ENET\w+|EADDRNOTAVAIL|EPIPE|UND_ERR_SOCKET)$/, 'connection_refused'],
]

function takeFirstHeader(header: string | string[] | undefined) {
  return (Array.isArray(header) ? header[0] : header) ?? null
}
