// Maps Malga's reasons for a refused card to our decline codes: the 24 of its documentation, and those that its sandbox
// and its acquirers were seen to say beside them. Malga says with each what ABECS has people told.
import type { DeclineCode } from '../../database/enums.ts'
import type { Decline } from '../provider.ts'

type DeclineReason = readonly [code: DeclineCode, retryable: boolean]

const DECLINE_REASONS: Record<string, DeclineReason> = {
  insufficient_funds: ['insufficient_funds', true],
  // "Verifique os dados do cartão": the same card, typed right, may well pay.
  expired_card: ['expired_card', true],
  invalid_data: ['invalid_card', true],
  invalid_number: ['invalid_card', true],
  security_violation: ['invalid_card', true],
  invalid_cvv: ['invalid_cvv', true],
  invalid_installment: ['invalid_installments', true],
  pin_try_exceeded: ['attempts_exceeded', false],
  // "Contate a central", "desbloqueie o cartão": the holder can call the bank and come back.
  generic: ['generic', true],
  invalid_pin: ['generic', true],
  fraud_suspect: ['suspected_fraud', true],
  pickup_card: ['not_permitted', true],
  restricted_card: ['not_permitted', true],
  blocked_card: ['not_permitted', true],
  transaction_not_allowed: ['not_permitted', true],
  not_permitted: ['not_permitted', true],
  invalid_amount: ['not_permitted', true],
  // "Utilize função débito", "não tente novamente".
  card_not_supported: ['not_permitted', false],
  service_not_allowed: ['not_permitted', false],
  canceled_card: ['not_permitted', false],
  lost_card: ['lost_or_stolen', false],
  stolen_card: ['lost_or_stolen', false],
  fraud_confirmed: ['suspected_fraud', false],
  // Not the card's doing.
  try_again: ['provider_error', true],
  issuer_not_available: ['provider_error', true],
  invalid_merchant: ['provider_error', true],
  bad_request: ['provider_error', true],
  processing_error: ['provider_error', true],
  timeout: ['provider_error', true],
}

const ABECS_PATTERN = /^[0-9A-Z]{2}$/

type Refusal = {
  reference: string | null
  /** Malga's word for it; null where it says none. */
  reason: string | null
  /** The bank's code, where Malga passes it on. */
  abecsCode?: string | null | undefined
  unlisted: DeclineCode
}

export function toDecline({ reference, reason, abecsCode, unlisted }: Refusal): Decline {
  const [declineCode, retryable] = findDeclineReason(reason) ?? [unlisted, true]
  const code = abecsCode && ABECS_PATTERN.test(abecsCode) ? abecsCode : null
  return { status: 'declined', reference, declineCode, abecsCode: code, retryable }
}

export function isListedDecline(reason: string) {
  return findDeclineReason(reason) !== undefined
}

function findDeclineReason(reason: string | null) {
  return reason !== null && Object.hasOwn(DECLINE_REASONS, reason)
    ? DECLINE_REASONS[reason]
    : undefined
}
