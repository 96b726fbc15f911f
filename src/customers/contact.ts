// How a payer can be reached.

import { EMAIL_MAX_LENGTH } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { EMAIL_PATTERN, removeUnseen } from '../payer-rules.js'
import { customerTexts } from './texts.ts'

/** An address as people paste it. */
export const emailField = textField({ max: EMAIL_MAX_LENGTH, clean: removeUnseen }).regex(
  EMAIL_PATTERN,
  customerTexts.email,
)

/** Opens WhatsApp with a text: to this phone, or to whom the person chooses there. */
export function buildWhatsappUrl(phone: string | null, text: string) {
  const number = phone?.startsWith('+') ? phone.slice(1) : phone && `55${phone}`
  return `https://wa.me/${number ?? ''}?text=${encodeURIComponent(text)}`
}
