// Sends a company's requests to a provider, with limits on time and size. Its errors say what may have happened there:
// ProviderDown means nothing; after any other error the result is unknown, and only asking can tell. During a pause
// that the provider asks for (Retry-After) nothing is sent; a pause that background work caused does not delay payers.

import type { SecureContext } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import { Agent, buildConnector, request } from 'undici'
import { MINUTE_MS } from '../database/instant.ts'
import { parseRetryAfterMs } from '../http/outbound.ts'
import { readSystemError } from '../system-error.ts'
import { type Lane, ProviderDown } from './provider.ts'

const CONNECT_TIMEOUT_MS = 5_000
const CALL_DEADLINE_MS = 15_000
const MAX_CONNECTIONS = 100
/** A page of a thousand Pix, with all that a bank may say of each. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024
/** A provider that asks for a longer pause is called again after this. */
const MAX_PAUSE_MS = 15 * MINUTE_MS

export type CallNeeds = {
  now: () => Date
  /** Makes the opener of connections; where companies are strangers, one limited to public addresses. */
  connector?: (options: buildConnector.BuildOptions) => buildConnector.connector
  /** Ends a call after its total time, including the request of a token. */
  createDeadline?: (limitMs?: number) => AbortSignal
  /** The offset of the provider's clock that was known when the account was opened. */
  clockOffsetHours?: number
  /** Called with each field of an answer that could not be read. */
  onUnreadable?: ((field: string) => void) | undefined
}

/** The dependencies of an adapter that writes to the log. */
export type LoggedCallNeeds = CallNeeds & { log: FastifyBaseLogger }

type TransportOptions = {
  /** The provider's name in errors. */
  provider: string
  /** The statuses after which the provider's pause is obeyed. */
  pausingStatuses: readonly number[]
  /** The company's own certificate. It is opened at the first call, so that an unreadable one makes that call fail. */
  getSecureContext?: () => SecureContext
}

type TransportRequest = {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Record<string, string> | undefined
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  lane: Lane
}

export type TransportResponse = {
  status: number
  text: string
  /** Until when the provider wants no calls, if it said so. */
  retryAt: Date | undefined
}

export type Transport = ReturnType<typeof createTransport>

export function createTransport(
  { provider, pausingStatuses, getSecureContext }: TransportOptions,
  { now, connector = buildConnector, createDeadline = createCallDeadline }: CallNeeds,
) {
  const pauseEnds: Partial<Record<Lane, Date>> = {}
  let agent: Agent | undefined

  return {
    exchange: sendRequest,
    deadline: createDeadline,
    close: async () => agent?.close(),
  }

  /** Redirects are not followed. */
  async function sendRequest({
    url,
    query,
    headers,
    lane,
    ...rest
  }: TransportRequest): Promise<TransportResponse> {
    requireNoPause(lane)
    try {
      const response = await request(url, {
        ...rest,
        ...(query && { query }),
        headers: { accept: 'application/json', 'user-agent': 'Vintem', ...headers },
        dispatcher: getAgent(),
      })
      const { statusCode: status, headers: said } = response
      const pauses = pausingStatuses.includes(status)
      const retryAt = pauses ? readPauseEnd(said['retry-after'], now()) : undefined
      if (retryAt) pauseEnds[lane] = retryAt
      return { status, text: await response.body.text(), retryAt }
    } catch (error) {
      throw toTransportError(provider, error)
    }
  }

  function requireNoPause(lane: Lane) {
    const { payer, background } = pauseEnds
    const until = lane === 'background' ? getLater(background, payer) : payer
    if (!until || until <= now()) return
    const message = `${provider} wants no calls before ${until.toISOString()}`
    throw new ProviderDown(message, { retryAt: until })
  }

  function getAgent() {
    agent ??= new Agent({
      allowH2: false,
      connections: MAX_CONNECTIONS,
      maxResponseSize: MAX_RESPONSE_BYTES,
      connect: connector({
        timeout: CONNECT_TIMEOUT_MS,
        allowH2: false,
        ...(getSecureContext && { secureContext: getSecureContext() }),
      }),
    })
    return agent
  }
}

function getLater(a: Date | undefined, b: Date | undefined) {
  return a && b ? (a > b ? a : b) : (a ?? b)
}

/** Ends a call to a provider that does not answer, or that sends too slowly. */
function createCallDeadline(limitMs = CALL_DEADLINE_MS) {
  return AbortSignal.timeout(limitMs)
}

/** Reads until when a provider wants no other call (`Retry-After`); undefined when it does not say. */
function readPauseEnd(header: string | string[] | undefined, now: Date): Date | undefined {
  const pauseMs = typeof header === 'string' ? parseRetryAfterMs(header, now) : null
  if (pauseMs === null || pauseMs <= 0) return undefined
  return new Date(now.getTime() + Math.min(pauseMs, MAX_PAUSE_MS))
}

/** Makes the error of a missing answer. */
function toTransportError(provider: string, error: unknown): Error {
  const { code, message } = readSystemError(error)
  const text = `${provider} could not be asked: ${message || code || error}`
  return isUnsent(error)
    ? new ProviderDown(text, { cause: error })
    : new Error(text, { cause: error })
}

/** Whether the error came before the provider could read the call: only then may it be repeated at once. */
function isUnsent(error: unknown) {
  const { code, syscall, message } = readSystemError(error)
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  if (message.includes('before secure TLS connection')) return true
  return UNSENT_ERROR_CODES.test(code)
}

// A server may refuse our certificate after the handshake, when we have begun to write. With these alerts it stops
// reading; after other TLS errors the call may have been read.
const UNSENT_ERROR_CODES = new RegExp(
  [
    '^(ECONNREFUSED|ENOTFOUND|EAI_\\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$',
    '^(UND_ERR_CONNECT_TIMEOUT|ERR_PRIVATE_ADDRESS|ERR_OSSL_\\w+)$',
    '^ERR_TLS_(CERT_ALTNAME_\\w+|HANDSHAKE_TIMEOUT|REQUIRED)$',
    '^(CERT_\\w+|CRL_\\w+|UNABLE_TO_\\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$',
    '^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERROR_IN_CERT_\\w+)$',
    '^ERR_SSL_.*ALERT_(NO_|BAD_|UNSUPPORTED_)?CERTIFICATE',
    '^ERR_SSL_.*ALERT_(UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE|PROTOCOL_VERSION)',
    '^ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|PACKET_LENGTH_TOO_LONG)$',
  ].join('|'),
)
