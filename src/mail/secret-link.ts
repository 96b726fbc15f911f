// Links that grant access to whoever holds them: encrypted for as long as they wait to be sent.
import type { Cipher } from '../database/encryption.ts'

type TemplateData = Record<string, unknown>

export function encryptSecretLink(cipher: Cipher, data: TemplateData): TemplateData {
  const { secretLink } = data
  if (typeof secretLink !== 'string') return data
  return { ...data, secretLink: cipher.encrypt(secretLink).toString('base64') }
}

/** Throws when it was encrypted under another key. */
export function decryptSecretLink(cipher: Cipher, data: TemplateData): TemplateData {
  const { secretLink } = data
  if (typeof secretLink !== 'string') return data
  return { ...data, secretLink: cipher.decrypt(Buffer.from(secretLink, 'base64')) }
}
