// Encryption at rest for what we must be able to read again: AES-256-GCM under SECRET_KEY. What we must
// only recognise is kept as a digest that nobody can try values against without the key.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export type Seal = {
  /** nonce (12 bytes) + ciphertext + tag (16 bytes). */
  close(text: string): Buffer
  /** Throws when the bytes were not closed under this key. */
  open(sealed: Buffer): string
  /** 32 bytes, the same for the same text and purpose: HMAC-SHA256. */
  digest(purpose: string, text: string): Buffer
}

/** @param key 32 bytes */
export function sealWith(key: Buffer): Seal {
  const digestKey = Buffer.from(hkdfSync('sha256', key, '', 'digest', KEY_BYTES))
  return {
    close(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      return Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    open(sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },
    digest(purpose, text) {
      return createHmac('sha256', digestKey).update(`${purpose}\0${text}`).digest()
    },
  }
}
