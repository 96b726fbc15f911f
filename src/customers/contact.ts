// How a payer can be reached.
import { EMAIL_MAX_LENGTH } from '../http/fields.ts'
import { compactDigits, removeUnseen, textField } from '../http/text.ts'
import { customerTexts } from './texts.ts'

/**
 * No dot at an end of a part or beside another; names of hosts of letters, digits and hyphens, none at an end.
 * Letters beyond ASCII are anybody's. Checked in one walk, however long the text.
 */
export const EMAIL_PATTERN =
  /^[^\s@.<>"(),:;]+(?:\.[^\s@.<>"(),:;]+)*@(?:[^\s!-/:-@\x5b-\x60{-~]+(?:-+[^\s!-/:-@\x5b-\x60{-~]+)*\.)+[^\s!-/:-@\x5b-\x60{-~][^\s!-,./:-@\x5b-\x60{-~]*[^\s!-/:-@\x5b-\x60{-~]$/
const PHONE_PATTERN = /^(?:\+?55)?0?([1-9]\d9\d{8}|[1-9]\d[2-5]\d{7})$/
/** ITU-T E.164: a country code and number, at most 15 digits. */
const PHONE_ABROAD_PATTERN = /^\+(?!55)[1-9]\d{6,14}$/

/** An address as people paste it. */
export const emailField = textField({ max: EMAIL_MAX_LENGTH, clean: removeUnseen }).regex(
  EMAIL_PATTERN,
  customerTexts.email,
)

/**
 * Of Brazil area code and number, digits alone; of another country, which is told by its `+`, as E.164 writes it.
 * Undefined when nobody can be called by it.
 */
export function parsePhone(text: string): string | undefined {
  const compact = compactDigits(text).replace(/^tel:/i, '').replace(/[().]/g, '')
  return compact.match(PHONE_PATTERN)?.[1] ?? compact.match(PHONE_ABROAD_PATTERN)?.[0]
}

/** Opens WhatsApp with a text: to this phone, or to whom the person chooses there. */
export function buildWhatsappUrl(phone: string | null, text: string) {
  const number = phone?.startsWith('+') ? phone.slice(1) : phone && `55${phone}`
  return `https://wa.me/${number ?? ''}?text=${encodeURIComponent(text)}`
}
