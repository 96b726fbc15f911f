// Encrypts secrets that must be readable again: AES-256-GCM with SECRET_KEY, bound to their row, so that they cannot be
// moved into another one. A value that must only be recognised is stored as a keyed digest, so that values cannot be
// tried without the key.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { SealedSlot } from './sealed.ts'

const KEY_BYTES = 32
const KEY_ID_BYTES = 6
const NONCE_BYTES = 12
const AUTH_TAG_BYTES = 16
const FORMAT = Buffer.from('VS1')
/** A multiple of three, so that the header is also a prefix in base64. */
const SEAL_HEADER_BYTES = FORMAT.length + KEY_ID_BYTES

export type Cipher = ReturnType<typeof createCipher>

/** @param previous the former key, which still decrypts older values. Both keys have 32 bytes. */
export function createCipher(current: Buffer, previous?: Buffer) {
  const header = buildHeader(current)
  const digestKey = deriveKey(current, 'digest', KEY_BYTES)
  const keys = previous ? [current, previous] : [current]
  const keyByHeader = new Map(keys.map((key) => [buildHeader(key).toString('hex'), key]))
  return {
    /** The first bytes of all values that are encrypted with the current key. */
    header,
    /**
     * Encrypts a text for `slot` in the row with that id: format (3 bytes) + id of the key (6) + nonce (12) +
     * ciphertext + tag (16).
     */
    encrypt(text: string, slot: SealedSlot, rowId: string) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current, nonce)
      cipher.setAAD(toBinding(slot, rowId))
      const sealed = [cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat([header, nonce, ...sealed])
    },
    /** Throws when the bytes were encrypted with another key, or for another slot or row. */
    decrypt(sealed: Buffer, slot: SealedSlot, rowId: string) {
      const key = keyByHeader.get(sealed.subarray(0, SEAL_HEADER_BYTES).toString('hex'))
      if (!key) throw new Error('Sealed under another key')
      return decryptBytes(key, sealed.subarray(SEAL_HEADER_BYTES), toBinding(slot, rowId))
    },
    /** HMAC-SHA256 under the current key: 32 bytes, the same for the same text and purpose. */
    hmac(purpose: string, text: string) {
      return createHmac('sha256', digestKey).update(`${purpose}\0${text}`).digest()
    },
  }
}

function buildHeader(key: Buffer) {
  return Buffer.concat([FORMAT, deriveKey(key, 'key id', KEY_ID_BYTES)])
}

function deriveKey(key: Buffer, purpose: string, bytes: number) {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, bytes))
}

function toBinding(slot: SealedSlot, rowId: string) {
  return Buffer.from(`${slot}\0${rowId}`)
}

function decryptBytes(key: Buffer, sealed: Buffer, binding: Buffer) {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: AUTH_TAG_BYTES })
  decipher.setAAD(binding)
  decipher.setAuthTag(sealed.subarray(-AUTH_TAG_BYTES))
  const text = decipher.update(sealed.subarray(NONCE_BYTES, -AUTH_TAG_BYTES))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}
