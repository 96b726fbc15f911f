// What calls to providers share beside their transport (transport.ts).
import { hash } from 'node:crypto'
import { sanitizeJsonValue } from '../http/text.ts'
import { ProviderDown } from './provider.ts'

/** The payer waits for a Pix code: without an answer by then we ask how the charge stands, and send it again. */
export const PIX_CHARGE_LIMIT_MS = 3_000

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
