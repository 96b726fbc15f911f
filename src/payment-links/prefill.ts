// Seals what a company knows about the one payer of a link in an address (`prefilledUrl`). The address opens the form
// filled in; the data can't be read from it, and it works for no other link.

import { z } from 'zod'
import { payerNameField } from '../customers/contact.ts'
import { CustomerChanges } from '../customers/schema.ts'
import type { Cipher } from '../database/encryption/cipher.ts'

export const Prefill = CustomerChanges.pick({ email: true, phone: true, taxId: true }).extend({
  name: payerNameField
    .optional()
    .meta({ description: 'Nome completo.', examples: ['Maria Silva'] }),
})
export type Prefill = z.output<typeof Prefill>

/** The parameter of the address. */
export const PREFILL_PARAMETER = 'p'

const Sealed = z.array(z.string())

/** Returns the address for the answer that creates a link; empty without a prefill. */
export function buildPrefilledUrl(
  cipher: Cipher,
  { id, url }: { id: string; url: string },
  prefill: Prefill | undefined,
) {
  if (!prefill) return {}
  const { name, email, phone, taxId } = prefill
  const text = JSON.stringify([name, email, phone, taxId].map((value) => value ?? ''))
  const token = cipher.encrypt(text, 'ticket', toPurpose(id)).toString('base64url')
  return { prefilledUrl: `${url}?${PREFILL_PARAMETER}=${token}` }
}

/** Undefined for an address that was changed or sealed under a lost key, and for a link that many may pay by now. */
export function openPrefill(
  cipher: Cipher,
  { id, maxPayments }: { id: string; maxPayments: number | null },
  token: string,
) {
  if (token === '' || maxPayments !== 1) return undefined
  try {
    const text = cipher.decrypt(Buffer.from(token, 'base64url'), 'ticket', toPurpose(id))
    const [name = '', email = '', phone = '', taxId = ''] = Sealed.parse(JSON.parse(text))
    return { name, email, phone, taxId }
  } catch {
    return undefined
  }
}

function toPurpose(linkId: string) {
  return `prefill ${linkId}`
}
