// The public keys with which a provider signs its notifications. A signature by an unknown key makes us fetch the
// provider's present keys, a few times an hour at most for any number of notifications.
import type { KeyObject } from 'node:crypto'
import { MINUTE_MS } from '../database/instant.ts'

const REFRESH_AT_MOST_EVERY_MS = 10 * MINUTE_MS

type SignatureKeysNeeds = {
  /** The keys that are known without asking. */
  known?: KeyObject[]
  fetchKeys: () => Promise<KeyObject[]>
  verify: (key: KeyObject, message: Buffer, signature: Buffer) => boolean
  now: () => Date
}

export type SignatureKeys = ReturnType<typeof openSignatureKeys>

export function openSignatureKeys({ known = [], fetchKeys, verify, now }: SignatureKeysNeeds) {
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
