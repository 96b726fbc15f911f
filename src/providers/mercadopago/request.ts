// A charge as the order that Mercado Pago is asked for.
import { MINUTE_MS } from '../../database/instant.ts'
import { formatDecimal } from '../br-code.ts'
import type { CardToken, Charge } from '../provider.ts'

/** Mercado Pago's shortest Pix. What is paid after our own expiry is told as late. */
const MIN_ORDER_PIX_MINUTES = 30
const MAX_DESCRIPTOR_LENGTH = 22

/** Its own interest is Mercado Pago's to add: it is sent the price and the number of installments. */
export function buildOrderRequest(charge: Charge, now: Date) {
  const amount = formatDecimal(charge.amountCents)
  const method =
    charge.method === 'pix'
      ? buildPixMethod(charge.expiresAt, now)
      : buildCardMethod(charge, charge.card)
  return {
    type: 'online',
    processing_mode: 'automatic',
    capture_mode: 'automatic_async',
    total_amount: amount,
    external_reference: charge.transactionId,
    description: charge.title.slice(0, 250),
    payer: buildOrderPayer(charge),
    ...(charge.method === 'credit_card' && { config: { online: ALWAYS_3DS } }),
    transactions: { payments: [{ amount, ...method }] },
  }
}

const ALWAYS_3DS = {
  transaction_security: { validation: 'always', liability_shift: 'required' },
}

function buildPixMethod(expiresAt: string, now: Date) {
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / MINUTE_MS)
  return {
    expiration_time: `PT${Math.max(minutes, MIN_ORDER_PIX_MINUTES)}M`,
    payment_method: { id: 'pix', type: 'bank_transfer' },
  }
}

function buildCardMethod(
  { installments, merchant }: Charge & { method: 'credit_card' },
  { token, brand }: CardToken,
) {
  return {
    payment_method: {
      id: brand === 'mastercard' ? 'master' : brand,
      type: 'credit_card',
      token,
      installments,
      statement_descriptor: toStatementText(merchant.name).slice(0, MAX_DESCRIPTOR_LENGTH),
    },
  }
}

function buildOrderPayer({ payer: { name, email, taxId }, transactionId }: Charge) {
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
function toStatementText(text: string) {
  return text.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
}
