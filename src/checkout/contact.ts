// The contact for a payer whom a page cannot help: the company, with a prepared message.

import type { Company } from '../companies/company.ts'
import { buildWhatsappUrl } from '../customers/contact.ts'
import { parsePhone } from '../payer-rules.js'

type ContactView = { kind: 'whatsapp' | 'email'; url: string }

/** Returns the company's WhatsApp, if its phone may have one, otherwise its e-mail. */
export function buildContact(
  { supportPhone, supportEmail }: Company,
  { subject, text: said }: { subject: string; text: string },
): ContactView | null {
  const phone = parsePhone(supportPhone ?? '')
  if (phone) return { kind: 'whatsapp', url: buildWhatsappUrl(phone, said) }
  if (!supportEmail) return null
  const query = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(said)}`
  return { kind: 'email', url: `mailto:${supportEmail}?${query}` }
}
