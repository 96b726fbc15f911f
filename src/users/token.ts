// Secrets that a person holds in a cookie or a link. 256 random bits: there is nothing to guess, so the
// database keeps their plain SHA-256.
import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** 43 characters of base64url. */
export function newSecretToken() {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

export function hashToken(token: string) {
  return createHash('sha256').update(token).digest()
}
