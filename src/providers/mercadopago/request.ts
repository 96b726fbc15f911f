// Builds the order that a charge sends to Mercado Pago.
import { requireFound } from '../../database/found.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { formatDecimal } from '../br-code.ts'
import {
  type CardCharge,
  type CardToken,
  type Charge,
  getStatementText,
  type LiabilityShift,
} from '../provider.ts'

/** Mercado Pago's shortest Pix. A payment after our own expiry is reported as late. */
const MIN_ORDER_PIX_MINUTES = 30

type RequestOptions = { liabilityShift: LiabilityShift; now: Date }

/** Sends the price and the number of installments; Mercado Pago adds its own interest. */
export function buildOrderRequest(charge: Charge, { liabilityShift, now }: RequestOptions) {
  const amount = formatDecimal(charge.amountCents)
  const method =
    charge.method === 'pix'
      ? buildPixMethod(charge.expiresAt, now)
      : buildCardMethod(charge, requireFound(charge.card))
  return {
    type: 'online',
    processing_mode: 'automatic',
    capture_mode: 'automatic_async',
    total_amount: amount,
    external_reference: charge.transactionId,
    description: charge.title.slice(0, 250),
    payer: buildOrderPayer(charge),
    items: [{ title: charge.title, unit_price: amount, quantity: 1, external_code: charge.slug }],
    ...(charge.method === 'credit_card' && {
      config: {
        // 3-D Secure is always requested; the company chooses only the result for an unauthenticated card.
        online: { transaction_security: { validation: 'always', liability_shift: liabilityShift } },
      },
    }),
    transactions: { payments: [{ amount, ...method }] },
  }
}

/** Sent for a card when the payer's browser gave a device id. */
export function buildOrderHeaders(charge: Charge): Record<string, string> {
  const deviceId = charge.method === 'credit_card' && charge.card?.deviceId
  return deviceId ? { 'x-meli-session-id': deviceId } : {}
}

function buildPixMethod(expiresAt: string, now: Date) {
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / MINUTE_MS)
  return {
    expiration_time: `PT${Math.max(minutes, MIN_ORDER_PIX_MINUTES)}M`,
    payment_method: { id: 'pix', type: 'bank_transfer' },
  }
}

function buildCardMethod(charge: CardCharge, { token, brand }: CardToken) {
  return {
    payment_method: {
      id: brand === 'mastercard' ? 'master' : brand,
      type: 'credit_card',
      token,
      installments: charge.installments,
      statement_descriptor: getStatementText(charge),
    },
  }
}

function buildOrderPayer({ payer: { name, email, taxId, phone }, transactionId }: Charge) {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return {
    // An order needs an e-mail; this one reaches no person.
    email: email ?? `${transactionId}@example.com`,
    first_name: first.slice(0, 60),
    ...(rest.length > 0 && { last_name: rest.join(' ').slice(0, 60) }),
    ...(taxId && {
      entity_type: taxId.length === 11 ? 'individual' : 'association',
      identification: { type: taxId.length === 11 ? 'CPF' : 'CNPJ', number: taxId },
    }),
    ...(phone &&
      !phone.startsWith('+') && {
        phone: { area_code: phone.slice(0, 2), number: phone.slice(2) },
      }),
  }
}
