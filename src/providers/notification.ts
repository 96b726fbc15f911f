import type { KeyObject } from 'node:crypto'
import { MINUTE_MS } from '../database/instant.ts'

/** The payment that a notification is about. It is only a hint, and each kind may be the only one known. */
export type Hint =
  | { kind: 'reference'; reference: string }
  | { kind: 'txid'; txid: string }
  | { kind: 'endToEndId'; endToEndId: string }

export type NotificationReading =
  | { kind: 'read'; hints: Hint[] }
  /** Its signature is missing or wrong. The payments that it names may still be checked earlier. */
  | { kind: 'forged'; hints: Hint[] }

export type Notification = {
  headers: Record<string, string | string[] | undefined>
  query: Record<string, string | undefined>
  /** Exactly as received. */
  body: Buffer
}

export type RegistrationOptions = {
  /** Whether the address of another system is replaced. */
  replace: boolean
}

/** `other`: an address that is not ours, or is another account of ours. */
export type NotificationTarget =
  | { kind: 'ours' }
  | { kind: 'other'; url: string }
  | { kind: 'none' }

/** `kept`: an address of another system is registered there, and was left. */
export type Registration = { kind: 'registered' } | { kind: 'kept'; url: string }

const REFRESH_AT_MOST_EVERY_MS = 10 * MINUTE_MS

type SignatureKeysOptions = {
  /** The keys that are known without asking. */
  known?: KeyObject[]
  fetchKeys: () => Promise<KeyObject[]>
  verify: (key: KeyObject, message: Buffer, signature: Buffer) => boolean
  now: () => Date
}

export type SignatureKeys = ReturnType<typeof openSignatureKeys>

/**
 * Keeps the public keys with which a provider signs its notifications. A signature by an unknown key makes us fetch the
 * provider's present keys, a few times an hour at most for any number of notifications.
 */
export function openSignatureKeys({ known = [], fetchKeys, verify, now }: SignatureKeysOptions) {
  let keys = known
  let askedAtMs = Number.NEGATIVE_INFINITY
  return { isSigned }

  async function isSigned(message: Buffer, signature: Buffer) {
    const fits = () => keys.some((key) => verify(key, message, signature))
    if (fits()) return true
    const atMs = now().getTime()
    if (atMs - askedAtMs < REFRESH_AT_MOST_EVERY_MS) return false
    askedAtMs = atMs
    // Keys that cannot be fetched leave the known ones as they are.
    keys = await fetchKeys().catch(() => keys)
    return fits()
  }
}
