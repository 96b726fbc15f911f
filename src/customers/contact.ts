import { EMAIL_MAX_LENGTH } from '../http/fields.ts'
import { textField, toOneLine } from '../http/text.ts'
import { EMAIL_PATTERN, MAX_NAME_LENGTH, NAME_PATTERN, trimEmail } from '../payer-rules.js'
import { customerTexts } from './texts.ts'

/** An e-mail address, cleaned of what people paste around it. */
export const emailField = textField({ max: EMAIL_MAX_LENGTH, clean: trimEmail }).regex(
  EMAIL_PATTERN,
  customerTexts.email,
)

/** The name that a payer gives, or is given in an address. */
export const payerNameField = textField({
  min: 2,
  max: MAX_NAME_LENGTH,
  clean: toOneLine,
}).regex(NAME_PATTERN, customerTexts.payerName)

/** Builds a link that opens WhatsApp with a text, for this phone or for a contact that the person chooses. */
export function buildWhatsappUrl(phone: string | null, text: string) {
  const number = phone?.startsWith('+') ? phone.slice(1) : phone && `55${phone}`
  return `https://wa.me/${number ?? ''}?text=${encodeURIComponent(text)}`
}
