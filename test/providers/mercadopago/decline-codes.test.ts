// Every reason that Mercado Pago names for refusing a card, in our words.
import { expect, test } from 'vitest'
import type { DeclineCode } from '../../../src/database/enums.ts'
import { toDecline } from '../../../src/providers/mercadopago/decline-codes.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'

const { fake, logged, card, charge, find } = await openMercadoPago()

/**
 * Documentation of orders ("Status da transação", of those that failed; 3DS; the errors of an order) and of payments
 * ("Resultados de criação", and the reference of `status_detail`); `Payment.StatusDetail` and `PXRejectedStatusDetail`
 * of px-android and px-ios.
 */
const REASONS: [declineCode: DeclineCode, retryable: boolean, details: string[]][] = [
  [
    'generic',
    true,
    [
      'failed in_review rejected_by_issuer required_call_for_authorize',
      'cc_rejected_call_for_authorize cc_rejected_card_error cc_rejected_other_reason',
      'rejected_by_bank rejected_insufficient_data rejected_other_reason',
      'cc_rejected_plugin_pm',
    ],
  ],
  [
    'invalid_card',
    true,
    [
      'bad_filled_card_data invalid_card_token cc_rejected_bad_filled_card_number',
      'cc_rejected_bad_filled_other',
    ],
  ],
  ['invalid_cvv', true, ['invalid_security_code cc_rejected_bad_filled_security_code invalid_esc']],
  ['expired_card', true, ['invalid_expiration_date cc_rejected_bad_filled_date']],
  ['suspected_fraud', true, ['high_risk cc_rejected_high_risk rejected_high_risk']],
  ['attempts_exceeded', false, ['max_attempts_exceeded cc_rejected_max_attempts']],
  ['not_permitted', true, ['card_disabled cc_rejected_card_disabled']],
  [
    'insufficient_funds',
    true,
    [
      'insufficient_amount card_insufficient_amount amount_limit_exceeded',
      'cc_rejected_insufficient_amount cc_amount_rate_limit_exceeded',
    ],
  ],
  ['invalid_installments', true, ['invalid_installments cc_rejected_invalid_installments']],
  ['provider_error', true, ['processing_error cc_rejected_time_out bank_error']],
  [
    'threeds_failed',
    true,
    ['3ds_challenge_expired cc_rejected_3ds_challenge cc_rejected_3ds_mandatory'],
  ],
  ['suspected_fraud', false, ['cc_rejected_blacklist cc_rejected_fraud']],
  [
    'not_permitted',
    false,
    ['cc_rejected_card_type_not_allowed rejected_by_biz_rule rejected_by_regulations'],
  ],
  ['generic', false, ['cc_rejected_duplicated_payment']],
]

test.each(REASONS)('a card is declined as %s, and may be tried again (%s): %j', (...reason) => {
  const [declineCode, retryable, lines] = reason

  for (const detail of lines.flatMap((line) => line.split(' '))) {
    const decline = toDecline('ORD1', detail, 'provider_error')
    expect(decline, detail).toEqual({
      ...{ status: 'declined', reference: 'ORD1', declineCode, retryable, abecsCode: null },
    })
  }
})

test('a refused card is declined at once and when it is asked about, and logged as nothing unknown', async () => {
  const request = card('cc_rejected_insufficient_amount')

  const outcome = await charge(request)

  const reference = fake.ordersOf(request.transactionId)[0]!.id
  const declined = { status: 'declined', reference, declineCode: 'insufficient_funds' }
  expect(outcome).toMatchObject(declined)
  expect(await find(request, reference)).toMatchObject(declined)
  expect(logged.join()).not.toContain(request.transactionId)
})

test.each(['cc_rejected_a_reason_of_tomorrow', 'constructor', '__proto__'])(
  'an unknown reason (%s) is generic, and the log asks for its name',
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
