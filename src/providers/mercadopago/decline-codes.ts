// Maps Mercado Pago's reasons for a declined card to our decline codes: all reasons in its documentation of orders and
// payments and in its SDKs. Mercado Pago gives no ABECS codes.
import type { DeclineCode } from '../../database/enums.ts'
import type { DeclineReason } from '../card.ts'
import type { Decline } from '../provider.ts'

const DECLINE_REASONS = new Map<string, DeclineReason>(
  Object.entries({
    insufficient_amount: ['insufficient_funds', true],
    card_insufficient_amount: ['insufficient_funds', true],
    amount_limit_exceeded: ['insufficient_funds', true],
    cc_amount_rate_limit_exceeded: ['insufficient_funds', true],
    // Typing errors: the same card may be accepted when typed correctly.
    bad_filled_card_data: ['invalid_card', true],
    bad_filled_card_number: ['invalid_card', true],
    bad_filled_other: ['invalid_card', true],
    invalid_card_token: ['invalid_card', true],
    bad_filled_security_code: ['invalid_cvv', true],
    invalid_security_code: ['invalid_cvv', true],
    invalid_esc: ['invalid_cvv', true],
    bad_filled_date: ['expired_card', true],
    invalid_expiration_date: ['expired_card', true],
    // Blocked, or not yet unblocked: the holder can call the bank and try again.
    card_disabled: ['not_permitted', true],
    call_for_authorize: ['generic', true],
    required_call_for_authorize: ['generic', true],
    rejected_by_issuer: ['generic', true],
    rejected_by_bank: ['generic', true],
    card_error: ['generic', true],
    plugin_pm: ['generic', true],
    other_reason: ['generic', true],
    rejected_other_reason: ['generic', true],
    rejected_insufficient_data: ['generic', true],
    failed: ['generic', true],
    // Reasons that Mercado Pago does not or may not disclose.
    in_review: ['generic', true],
    duplicated_payment: ['generic', false],
    high_risk: ['suspected_fraud', true],
    rejected_high_risk: ['suspected_fraud', true],
    blacklist: ['suspected_fraud', false],
    fraud: ['suspected_fraud', false],
    rejected_by_regulations: ['not_permitted', false],
    rejected_by_biz_rule: ['not_permitted', false],
    card_type_not_allowed: ['not_permitted', false],
    invalid_installments: ['invalid_installments', true],
    max_attempts: ['attempts_exceeded', false],
    max_attempts_exceeded: ['attempts_exceeded', false],
    '3ds_challenge': ['threeds_failed', true],
    '3ds_challenge_expired': ['threeds_failed', true],
    '3ds_mandatory': ['threeds_failed', true],
    processing_error: ['provider_error', true],
    bank_error: ['provider_error', true],
    time_out: ['provider_error', true],
  }),
)

/** @param detail `status_detail` of a payment or the code of an error, with or without `cc_rejected_`. */
export function toDecline(
  reference: string | null,
  detail: string,
  unlisted: DeclineCode,
): Decline {
  const [declineCode, retryable] = findDeclineReason(detail) ?? [unlisted, true]
  return { status: 'declined', reference, declineCode, abecsCode: null, retryable }
}

export function isListedDecline(detail: string) {
  return findDeclineReason(detail) !== undefined
}

function findDeclineReason(detail: string) {
  return DECLINE_REASONS.get(detail.replace(/^cc_rejected_/, ''))
}
