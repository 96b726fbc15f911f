// Links that grant access to whoever holds them: encrypted for as long as they wait to be sent.
import type { Cipher } from '../database/sealing/encryption.ts'

type TemplateData = Record<string, unknown>

export function encryptSecretLink(
  cipher: Cipher,
  mailId: string | undefined,
  data: TemplateData,
): TemplateData {
  const { secretLink } = data
  if (typeof secretLink !== 'string') return data
  if (!mailId) throw new Error('A mail with a secret link goes to one recipient, who is named')
  const sealed = cipher.encrypt(secretLink, 'mails.secret_link', mailId)
  return { ...data, secretLink: sealed.toString('base64') }
}

/** Throws when it was encrypted under another key, or is another mail's. */
export function decryptSecretLink(
  cipher: Cipher,
  mailId: string,
  data: TemplateData,
): TemplateData {
  const { secretLink } = data
  if (typeof secretLink !== 'string') return data
  const sealed = Buffer.from(secretLink, 'base64')
  return { ...data, secretLink: cipher.decrypt(sealed, 'mails.secret_link', mailId) }
}
