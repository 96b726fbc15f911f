// Builds the request of a charge at Malga.
import { requireFound } from '../../database/found.ts'
import {
  type BillingAddress,
  type CardCharge,
  type CardToken,
  getStatementText,
  type LiabilityShift,
} from '../provider.ts'

/** The `Accept` header that browsers send with a form; the payer's own one is not kept. */
const ACCEPTED = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

type RequestOptions = { merchantId: string; liabilityShift: LiabilityShift }

/** Sends the payer's total with our interest, in cents; Malga adds no interest. */
export function buildChargeRequest(
  charge: CardCharge,
  { merchantId, liabilityShift }: RequestOptions,
) {
  const { transactionId, totalCents, installments, title } = charge
  const card = requireFound(charge.card)
  return {
    merchantId,
    amount: totalCents,
    currency: 'BRL',
    orderId: transactionId,
    description: title.slice(0, 250),
    statementDescriptor: getStatementText(charge),
    capture: true,
    paymentMethod: { paymentType: 'credit', installments },
    paymentSource: { sourceType: 'token', tokenId: card.token },
    threeDSecure2: {
      ...buildAuthentication(charge, card),
      requiresLiabilityShift: liabilityShift === 'required',
    },
  }
}

/** 3-D Secure is always requested: a charge without the data that it needs is not sent. */
function buildAuthentication({ returnUrl, payer }: CardCharge, card: CardToken) {
  const { setupId, timeZoneOffset, ...browser } = requireFound(card.threeDs)
  const address = toMalgaAddress(requireFound(card.billingAddress))
  return {
    setupId,
    redirectURL: returnUrl,
    requestorURL: new URL(returnUrl).origin,
    browser: {
      ...browser,
      acceptHeader: ACCEPTED,
      timeZoneOffset: String(timeZoneOffset),
      javaEnabled: false,
      javaScriptEnabled: true,
    },
    cardHolder: {
      ...(payer.email && { email: payer.email }),
      ...(payer.phone && { mobilePhone: toInternationalPhone(payer.phone) }),
    },
    billingAddress: address,
    shippingAddress: address,
  }
}

function toMalgaAddress({ number: streetNumber, ...address }: BillingAddress) {
  return { ...address, streetNumber, country: 'BR' }
}

function toInternationalPhone(phone: string) {
  return phone.startsWith('+') ? phone.replace(/\D/g, '') : `55${phone}`
}
