// Limits and parsing that all calls to providers share.
import { hash } from 'node:crypto'
import type { buildConnector } from 'undici'
import { MINUTE_MS } from '../database/instant.ts'
import { parseRetryAfterMs } from '../http/retry-after.ts'
import { sanitizeJsonValue } from '../http/text.ts'
import { readSystemError } from '../system-error.ts'
import { ProviderDown } from './provider.ts'

export const CONNECT_TIMEOUT_MS = 5_000
export const MAX_RESPONSE_BYTES = 256 * 1024
const CALL_DEADLINE_MS = 15_000
/** A payer waits for the code of a Pix; one that is not heard of by then is asked about and asked for again. */
export const PIX_CHARGE_LIMIT_MS = 3_000
/** A provider that asks for more is asked again all the same. */
const MAX_PAUSE_MS = 15 * MINUTE_MS

export type CallNeeds = {
  /** Makes what opens connections; where companies are strangers, one that keeps to public addresses. */
  connector?: (options: buildConnector.BuildOptions) => buildConnector.connector
  /** Ends what one call may take in all, a token that it needs included. */
  createDeadline?: (limitMs?: number) => AbortSignal
}

/** Ends a call that a provider does not answer, however slowly it goes on sending. */
export function createCallDeadline(limitMs = CALL_DEADLINE_MS) {
  return AbortSignal.timeout(limitMs)
}

/**
 * Asks how a charge stands after it may have been made: that the provider can't be asked now
 * (ProviderDown) does not undo that, so whatever fails here leaves the outcome unknown.
 */
export async function rethrowAsUnknown<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    throw new Error('The provider did not say how the charge stands', { cause: error })
  }
}

/** Until when an answer wants no other call (`Retry-After`); undefined where it says nothing of that. */
export function readPauseEnd(header: string | string[] | undefined, now: Date): Date | undefined {
  const pauseMs = typeof header === 'string' ? parseRetryAfterMs(header, now) : null
  if (pauseMs === null || pauseMs <= 0) return undefined
  return new Date(now.getTime() + Math.min(pauseMs, MAX_PAUSE_MS))
}

/** When a provider that a call failed at may be called again, where it said so. */
export function findRetryAt(error: unknown): Date | undefined {
  if (error instanceof ProviderDown && error.retryAt) return error.retryAt
  return error instanceof Error ? findRetryAt(error.cause) : undefined
}

/** A UUID for what else is done to a payment once, always the same one. */
export function deriveCallId(transactionId: string, verb: string) {
  const hex = hash('sha256', `${transactionId}:${verb}`)
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
}

/** What a provider sent as JSON, with text that can be kept, also behind a byte order mark; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''), sanitizeJsonValue)
  } catch {
    return undefined
  }
}

// Whether a call that failed may have been read: only what never left can be sent again at once.

/** Whether the error came before the provider could read the call. */
export function isUnsent(error: unknown) {
  const { code, syscall, message } = readSystemError(error)
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  if (message.includes('before secure TLS connection')) return true
  return UNSENT_ERROR_CODES.test(code)
}

// A server may refuse our certificate after the handshake, when we have begun to write: by these alerts
// it says that it does not read on. Other errors of TLS may break off a call that was read.
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
