// Limits and parsing that all calls to providers share.
import { hash } from 'node:crypto'
import type { buildConnector } from 'undici'
import { MINUTE_MS } from '../database/instant.ts'
import { parseRetryAfterMs } from '../http/outbound.ts'
import { sanitizeJsonValue } from '../http/text.ts'
import { readSystemError } from '../system-error.ts'
import { ProviderDown } from './provider.ts'

export const CONNECT_TIMEOUT_MS = 5_000
export const MAX_RESPONSE_BYTES = 256 * 1024
const CALL_DEADLINE_MS = 15_000
/** The payer waits for a Pix code: without an answer by then we ask how the charge stands, and send it again. */
export const PIX_CHARGE_LIMIT_MS = 3_000
/** A provider that asks for a longer pause is called again after this. */
const MAX_PAUSE_MS = 15 * MINUTE_MS

export type CallNeeds = {
  /** Makes the opener of connections; where companies are strangers, one limited to public addresses. */
  connector?: (options: buildConnector.BuildOptions) => buildConnector.connector
  /** Ends a call after its total time, including the request of a token. */
  createDeadline?: (limitMs?: number) => AbortSignal
}

/** Ends a call to a provider that does not answer, or that sends too slowly. */
export function createCallDeadline(limitMs = CALL_DEADLINE_MS) {
  return AbortSignal.timeout(limitMs)
}

/**
 * Rethrows any error as an unknown outcome, for a question about a charge that may have been made: even when the
 * provider cannot be asked (ProviderDown), the charge may exist.
 */
export async function rethrowAsUnknown<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    throw new Error('The provider did not say how the charge stands', { cause: error })
  }
}

/** Reads until when a provider wants no other call (`Retry-After`); undefined when it does not say. */
export function readPauseEnd(header: string | string[] | undefined, now: Date): Date | undefined {
  const pauseMs = typeof header === 'string' ? parseRetryAfterMs(header, now) : null
  if (pauseMs === null || pauseMs <= 0) return undefined
  return new Date(now.getTime() + Math.min(pauseMs, MAX_PAUSE_MS))
}

/** Returns when a provider may be called again after this error, if it said so. */
export function findRetryAt(error: unknown): Date | undefined {
  if (error instanceof ProviderDown && error.retryAt) return error.retryAt
  return error instanceof Error ? findRetryAt(error.cause) : undefined
}

/** Derives a UUID for another action on a payment; the same arguments give the same UUID. */
export function deriveCallId(transactionId: string, verb: string) {
  const hex = hash('sha256', `${transactionId}:${verb}`)
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
}

/** Parses JSON of a provider, also after a byte order mark, without characters that cannot be stored. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''), sanitizeJsonValue)
  } catch {
    return undefined
  }
}

/** Whether the error came before the provider could read the call: only then may it be repeated at once. */
export function isUnsent(error: unknown) {
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
