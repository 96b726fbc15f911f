// Mails with a link that grants access: the link is encrypted while the mail waits, and the mail is not sent once
// the link no longer works.
import { DAY_MS, HOUR_MS } from '../database/instant.ts'
import type { Cipher } from '../database/sealing/encryption.ts'
import type { TemplateName } from './data.ts'

type TemplateData = Record<string, unknown>

export const RESET_VALID_MS = HOUR_MS
export const INVITATION_VALID_MS = 7 * DAY_MS

const LINK_VALID_MS: Partial<Record<TemplateName, number>> = {
  'password-reset': RESET_VALID_MS,
  invitation: INVITATION_VALID_MS,
}

/** Whether the mail is useless because its link has expired. */
export function isSecretLinkOver(
  { template, createdAt }: { template: string; createdAt: string },
  now: Date,
) {
  // The column accepts any text; only queueMail writes it.
  const validMs = LINK_VALID_MS[template as TemplateName]
  return validMs !== undefined && now.getTime() >= Date.parse(createdAt) + validMs
}

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

/** Throws when the link was encrypted with another key, or for another mail. */
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
