// Encryption at rest for what we must be able to read again: AES-256-GCM under SECRET_KEY. What we must
// only recognise is kept as a digest that nobody can try values against without the key.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const AUTH_TAG_BYTES = 16
const KEY_BYTES = 32

export type Cipher = {
  /** nonce (12 bytes) + ciphertext + tag (16 bytes). */
  encrypt(text: string): Buffer
  /** Throws when the bytes were not closed under this key. */
  decrypt(sealed: Buffer): string
  /** 32 bytes, the same for the same text and purpose: HMAC-SHA256. */
  hmac(purpose: string, text: string): Buffer
}

/** @param key 32 bytes */
export function createCipher(key: Buffer): Cipher {
  const digestKey = Buffer.from(hkdfSync('sha256', key, '', 'digest', KEY_BYTES))
  return {
    encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      return Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    decrypt(sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, {
        authTagLength: AUTH_TAG_BYTES,
      })
      decipher.setAuthTag(sealed.subarray(-AUTH_TAG_BYTES))
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -AUTH_TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },
    hmac(purpose, text) {
      return createHmac('sha256', digestKey).update(`${purpose}\0${text}`).digest()
    },
  }
}
