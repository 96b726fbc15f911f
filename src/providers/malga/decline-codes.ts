// Maps Malga's reasons for a declined card to our decline codes: the 24 reasons of its documentation, and further ones
// that its sandbox and its newer table have. Malga's documentation quotes the ABECS sentence for each reason.
import type { DeclineCode } from '../../database/enums.ts'
import type { DeclineReason } from '../card.ts'
import type { Decline } from '../provider.ts'

const DECLINE_REASONS = new Map<string, DeclineReason>(
  Object.entries({
    insufficient_funds: ['insufficient_funds', true],
    // "Verifique os dados do cartão": the same card may be accepted when typed correctly.
    expired_card: ['expired_card', true],
    invalid_data: ['invalid_card', true],
    invalid_number: ['invalid_card', true],
    security_violation: ['invalid_card', true],
    invalid_cvv: ['invalid_cvv', true],
    invalid_installment: ['invalid_installments', true],
    pin_try_exceeded: ['attempts_exceeded', false],
    // "Contate a central", "desbloqueie o cartão": the holder can call the bank and try again.
    generic: ['generic', true],
    invalid_pin: ['generic', true],
    fraud_suspect: ['suspected_fraud', true],
    pickup_card: ['not_permitted', true],
    restricted_card: ['not_permitted', true],
    blocked_card: ['not_permitted', true],
    transaction_not_allowed: ['not_permitted', true],
    not_permitted: ['not_permitted', true],
    invalid_amount: ['not_permitted', true],
    // "Utilize função débito", "não tente novamente": the same card will not be accepted.
    card_not_supported: ['not_permitted', false],
    service_not_allowed: ['not_permitted', false],
    canceled_card: ['not_permitted', false],
    lost_card: ['lost_or_stolen', false],
    stolen_card: ['lost_or_stolen', false],
    fraud_confirmed: ['suspected_fraud', false],
    // The card itself was not refused.
    try_again: ['provider_error', true],
    issuer_not_available: ['provider_error', true],
    invalid_merchant: ['provider_error', true],
    bad_request: ['provider_error', true],
    processing_error: ['provider_error', true],
    timeout: ['provider_error', true],
  }),
)

const ABECS_PATTERN = /^[0-9A-Z]{2}$/

type Refusal = {
  reference: string | null
  /** Malga's word for the reason; null when it gives none. */
  reason: string | null
  /** The bank's code, if Malga passes it on. */
  abecsCode?: string | null | undefined
  unlisted: DeclineCode
}

export function toDecline({ reference, reason, abecsCode, unlisted }: Refusal): Decline {
  const [declineCode, retryable] = DECLINE_REASONS.get(reason ?? '') ?? [unlisted, true]
  const code = abecsCode && ABECS_PATTERN.test(abecsCode) ? abecsCode : null
  return { status: 'declined', reference, declineCode, abecsCode: code, retryable }
}

export function isListedDecline(reason: string) {
  return DECLINE_REASONS.has(reason)
}
