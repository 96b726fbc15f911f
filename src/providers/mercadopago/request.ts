// A charge as the order that Mercado Pago is asked for.
import { decimal } from '../br-code.ts'
import type { CardToken, Charge } from '../provider.ts'

const MINUTE_MS = 60_000
/** Mercado Pago's shortest Pix. What is paid after our own expiry is told as late. */
const MIN_PIX_MINUTES = 30
const DESCRIPTOR_LENGTH = 22

/** Its own interest is Mercado Pago's to add: it is sent the price and the number of installments. */
export function orderOf(charge: Charge, now: Date) {
  const amount = decimal(charge.amountCents)
  const method = charge.method === 'pix' ? pix(charge.expiresAt, now) : card(charge, charge.card)
  return {
    type: 'online',
    processing_mode: 'automatic',
    capture_mode: 'automatic_async',
    total_amount: amount,
    external_reference: charge.transactionId,
    description: charge.title.slice(0, 250),
    payer: payerOf(charge),
    ...(charge.method === 'credit_card' && { config: { online: ALWAYS_3DS } }),
    transactions: { payments: [{ amount, ...method }] },
  }
}

const ALWAYS_3DS = {
  transaction_security: { validation: 'always', liability_shift: 'required' },
}

function pix(expiresAt: string, now: Date) {
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / MINUTE_MS)
  return {
    expiration_time: `PT${Math.max(minutes, MIN_PIX_MINUTES)}M`,
    payment_method: { id: 'pix', type: 'bank_transfer' },
  }
}

function card(
  { installments, merchant }: Charge & { method: 'credit_card' },
  { token, brand }: CardToken,
) {
  return {
    payment_method: {
      id: brand === 'mastercard' ? 'master' : brand,
      type: 'credit_card',
      token,
      installments,
      statement_descriptor: plain(merchant.name).slice(0, DESCRIPTOR_LENGTH),
    },
  }
}

function payerOf({ payer: { name, email, taxId }, transactionId }: Charge) {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return {
    // Without one no order is made; this one reaches nobody.
    email: email ?? `${transactionId}@example.com`,
    first_name: first.slice(0, 60),
    ...(rest.length > 0 && { last_name: rest.join(' ').slice(0, 60) }),
    ...(taxId && {
      identification: { type: taxId.length === 11 ? 'CPF' : 'CNPJ', number: taxId },
    }),
  }
}

/** Statements take no accents. */
function plain(text: string) {
  return text.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
}
