// Encrypts secrets that must be readable again: AES-256-GCM with SECRET_KEY, bound to their row, so that they cannot be
// moved into another one. A value that must only be recognised is stored as a keyed digest, so that values cannot be
// tried without the key.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { EncryptedSlot } from './columns.ts'

const KEY_BYTES = 32
const KEY_ID_BYTES = 6
const NONCE_BYTES = 12
const AUTH_TAG_BYTES = 16
const FORMAT = Buffer.from('VS1')
/** A multiple of three, so that the header is also a prefix in base64. */
const HEADER_BYTES = FORMAT.length + KEY_ID_BYTES

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
    encrypt(text: string, slot: EncryptedSlot, rowId: string) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current, nonce)
      cipher.setAAD(toBinding(slot, rowId))
      const encrypted = [cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat([header, nonce, ...encrypted])
    },
    /** Throws when the bytes were encrypted with another key, or for another slot or row. */
    decrypt(encrypted: Buffer, slot: EncryptedSlot, rowId: string) {
      const key = keyByHeader.get(encrypted.subarray(0, HEADER_BYTES).toString('hex'))
      if (!key) throw new Error('Encrypted with another key')
      return decryptBytes(key, encrypted.subarray(HEADER_BYTES), toBinding(slot, rowId))
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

function toBinding(slot: EncryptedSlot, rowId: string) {
  return Buffer.from(`${slot}\0${rowId}`)
}

function decryptBytes(key: Buffer, encrypted: Buffer, binding: Buffer) {
  const nonce = encrypted.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: AUTH_TAG_BYTES })
  decipher.setAAD(binding)
  decipher.setAuthTag(encrypted.subarray(-AUTH_TAG_BYTES))
  const text = decipher.update(encrypted.subarray(NONCE_BYTES, -AUTH_TAG_BYTES))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}
