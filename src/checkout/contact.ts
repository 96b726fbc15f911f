// Where a payer whom a page cannot help is led: to the company, with what it is about already written.

import type { Company } from '../companies/company.ts'
import { buildWhatsappUrl } from '../customers/contact.ts'
import { parsePhone } from '../payer-rules.js'
import type { ContactView } from './view-models.ts'

/** The company's WhatsApp, where its telephone can have one, else its e-mail. */
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
