// Every reason that Mercado Pago names for refusing a card, in our words.
import { expect, test } from 'vitest'
import type { DeclineCode } from '../../../src/database/enums.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'

const { fake, logged, card, charge, find } = await openMercadoPago()

type Reason = [detail: string, declineCode: DeclineCode, retryable: boolean]

/** Documentation of orders: "Status da transação", of those that failed; 3DS; the errors of an order. */
const OF_ORDERS: Reason[] = [
  ['failed', 'generic', true],
  ['in_review', 'generic', true],
  ['bad_filled_card_data', 'invalid_card', true],
  ['invalid_card_token', 'invalid_card', true],
  ['invalid_security_code', 'invalid_cvv', true],
  ['invalid_expiration_date', 'expired_card', true],
  ['high_risk', 'suspected_fraud', true],
  ['rejected_by_issuer', 'generic', true],
  ['required_call_for_authorize', 'generic', true],
  ['max_attempts_exceeded', 'attempts_exceeded', false],
  ['card_disabled', 'not_permitted', true],
  ['insufficient_amount', 'insufficient_funds', true],
  ['card_insufficient_amount', 'insufficient_funds', true],
  ['amount_limit_exceeded', 'insufficient_funds', true],
  ['invalid_installments', 'invalid_installments', true],
  ['processing_error', 'provider_error', true],
  ['3ds_challenge_expired', 'threeds_failed', true],
  ['cc_rejected_3ds_challenge', 'threeds_failed', true],
  ['cc_rejected_3ds_mandatory', 'threeds_failed', true],
]

/** Documentation of payments: "Resultados de criação", and the reference of `status_detail`. */
const OF_PAYMENTS: Reason[] = [
  ['cc_rejected_bad_filled_card_number', 'invalid_card', true],
  ['cc_rejected_bad_filled_date', 'expired_card', true],
  ['cc_rejected_bad_filled_other', 'invalid_card', true],
  ['cc_rejected_bad_filled_security_code', 'invalid_cvv', true],
  ['cc_rejected_blacklist', 'suspected_fraud', false],
  ['cc_rejected_call_for_authorize', 'generic', true],
  ['cc_rejected_card_disabled', 'not_permitted', true],
  ['cc_rejected_card_error', 'generic', true],
  ['cc_rejected_card_type_not_allowed', 'not_permitted', false],
  ['cc_rejected_duplicated_payment', 'generic', false],
  ['cc_rejected_high_risk', 'suspected_fraud', true],
  ['cc_rejected_insufficient_amount', 'insufficient_funds', true],
  ['cc_rejected_invalid_installments', 'invalid_installments', true],
  ['cc_rejected_max_attempts', 'attempts_exceeded', false],
  ['cc_rejected_other_reason', 'generic', true],
  ['cc_rejected_time_out', 'provider_error', true],
  ['cc_amount_rate_limit_exceeded', 'insufficient_funds', true],
  ['bank_error', 'provider_error', true],
  ['rejected_by_bank', 'generic', true],
  ['rejected_by_biz_rule', 'not_permitted', false],
  ['rejected_by_regulations', 'not_permitted', false],
  ['rejected_high_risk', 'suspected_fraud', true],
  ['rejected_insufficient_data', 'generic', true],
  ['rejected_other_reason', 'generic', true],
]

/** px-android, px-ios: `Payment.StatusDetail`, `PXRejectedStatusDetail`, beside all of the above. */
const OF_SDKS: Reason[] = [
  ['cc_rejected_fraud', 'suspected_fraud', false],
  ['cc_rejected_plugin_pm', 'generic', true],
  ['invalid_esc', 'invalid_cvv', true],
]

test.each([...OF_ORDERS, ...OF_PAYMENTS, ...OF_SDKS])(
  'a card refused with %s is declined as %s, and may be tried again: %s',
  async (detail, declineCode, retryable) => {
    const request = card(detail)

    const outcome = await charge(request)

    const reference = fake.ordersOf(request.transactionId)[0]!.id
    const declined = { status: 'declined', reference, declineCode, retryable, abecsCode: null }
    expect(outcome).toMatchObject(declined)
    expect(await find(request, reference)).toMatchObject(declined)
    expect(logged.join()).not.toContain(request.transactionId)
  },
)

test.each(['cc_rejected_a_reason_of_tomorrow', 'constructor', '__proto__'])(
  'a reason that nobody has named (%s) is generic, and the log asks for its name',
  async (detail) => {
    const request = card(detail)

    const outcome = await charge(request)

    expect(outcome).toMatchObject({ status: 'declined', declineCode: 'generic', retryable: true })
    const line = logged.find((one) => one.includes(request.transactionId))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      reason: detail,
      msg: 'Mercado Pago refused a card for an unknown reason',
    })
  },
)

test.each([
  ['canceled', 'canceled_transaction'],
  ['expired', 'expired'],
])('a challenge that ends as %s/%s is no refusal to be named', async (status, detail) => {
  const request = card('challenge')
  const { reference } = (await charge(request)) as { reference: string }
  fake.moveTo(reference, status, detail)

  const outcome = await find(request, reference)

  expect(outcome).toMatchObject({ status: 'declined', declineCode: 'threeds_failed' })
  expect(logged.join()).not.toContain(request.transactionId)
})
