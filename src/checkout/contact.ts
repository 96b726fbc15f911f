// Where a payer whom a page cannot help is led: to the company, with what it is about already written.

import type { Company } from '../companies/company.ts'
import { parsePhone } from '../customers/contact.ts'
import type { ContactView } from './view-models.ts'

/** The company's WhatsApp, where its telephone can have one, else its e-mail. */
export function buildContact(
  { supportPhone, supportEmail }: Company,
  { subject, text: said }: { subject: string; text: string },
): ContactView | null {
  const text = encodeURIComponent(said)
  const phone = parsePhone(supportPhone ?? '')
  const number = phone?.startsWith('+') ? phone.slice(1) : phone && `55${phone}`
  if (number) return { kind: 'whatsapp', url: `https://wa.me/${number}?text=${text}` }
  if (!supportEmail) return null
  return {
    kind: 'email',
    url: `mailto:${supportEmail}?subject=${encodeURIComponent(subject)}&body=${text}`,
  }
}
