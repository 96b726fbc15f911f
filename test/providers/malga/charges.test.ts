// Cards charged through Malga: what is sent, and what each answer comes to.
import { expect, test } from 'vitest'
import type { DeclineCode } from '../../../src/database/enums.ts'
import { parseBankStep } from '../../../src/providers/card.ts'
import { toDecline } from '../../../src/providers/malga/decline-codes.ts'
import { buildChargeKey } from '../../support/providers/charges.ts'
import { MARIA_ADDRESS, openMalga } from '../../support/providers/malga/account.ts'
import type { WireFault } from '../../support/providers/server.ts'

const { clock, fake, logged, provider, open, card, charge, chargeOf, find } = await openMalga()

test('a charge is our quote’s total in cents, named by our id, with 3-D Secure always', async () => {
  const request = card()

  const outcome = await charge(request)

  const sent = fake.calls(/^POST \/v1\/charges$/).at(-1)!
  const { id } = fake.chargeOf(request.transactionId)
  expect(outcome).toMatchObject({
    ...{ status: 'approved', reference: id, paidCents: 10_401, refundedCents: 0 },
    threeDs: { status: 'authenticated', eci: '05', flow: 'frictionless' },
  })
  expect(sent.headers['x-idempotency-key']).toBe(request.transactionId)
  const { zipCode, street, number: streetNumber, city, state } = MARIA_ADDRESS
  const address = { zipCode, street, streetNumber, city, state, country: 'BR' }
  expect(sent.body).toEqual({
    merchantId: fake.config.merchantId,
    amount: 10_401,
    currency: 'BRL',
    orderId: request.transactionId,
    description: 'Bolo de cenoura',
    statementDescriptor: 'Padaria Sao Joao',
    capture: true,
    paymentMethod: { paymentType: 'credit', installments: 3 },
    paymentSource: { sourceType: 'token', tokenId: request.card!.token },
    threeDSecure2: {
      setupId: request.card!.threeDs!.setupId,
      requiresLiabilityShift: true,
      redirectURL: request.returnUrl,
      requestorURL: 'https://loja.example',
      browser: expect.objectContaining({
        colorDepth: 24,
        timeZoneOffset: '180',
        ip: '203.0.113.5',
      }),
      cardHolder: { email: 'maria@exemplo.com.br', mobilePhone: '5511987654321' },
      billingAddress: address,
      shippingAddress: address,
    },
  })
})

type Fields = Record<string, unknown>
const CARD = { brand: 'Visa', last4digits: '9339', cardHolderName: 'Maria Silva' }
const EXPECTED = { brand: 'visa', last4: '9339', holder: 'MARIA SILVA' }
const alterCharge = (change: (said: Fields) => void): WireFault => ({
  on: /^POST .v1.charges$/,
  ...{ does: 'say', change },
})
const alterSource = (paymentSource: object | null) =>
  alterCharge((said) => Object.assign(said, { paymentSource }))
const alterCard = (more: object): WireFault => ({
  on: /cards/,
  ...{ does: 'say', change: (said) => Object.assign(said, more) },
})

test.each<[string, WireFault[], object | undefined]>([
  ['by its id', [], EXPECTED],
  ['with the charge', [alterSource({ card: CARD })], EXPECTED],
  ['by another name', [alterCard({ brand: 'American Express' })], { ...EXPECTED, brand: 'amex' }],
  ['without a holder', [alterCard({ cardHolderName: null })], { ...EXPECTED, holder: null }],
  ['without its last digits', [alterCard({ last4digits: null })], undefined],
  ['with its whole number', [alterCard({ last4digits: '4019590000009339' })], undefined],
  ['not at all', [alterSource(null)], undefined],
  ['as unknown', [alterSource({ cardId: 'another' })], undefined],
  ['too late', [{ on: /cards/, does: 'hang' }], undefined],
  ['with a 500', [{ on: /cards/, does: 'answer', status: 500 }], undefined],
  ['with a 429', [{ on: /cards/, does: 'answer', status: 429 }], undefined],
])('a card that is told %s: the charge counts in any case', async (_how, faults, expected) => {
  fake.next(...faults)
  const request = card()

  const { card: told, ...outcome } = (await charge(request)) as Fields

  expect(outcome).toMatchObject({ status: 'approved', paidCents: 10_401 })
  expect(told).toEqual(expected)
  expect(await find(card('ok', request))).toMatchObject({ status: 'approved' })
})

test('a charge without an address, or without what 3-D Secure needs, is not sent', async () => {
  const before = fake.asked.length
  const { threeDs, billingAddress, ...plain } = card().card!

  for (const missing of [{ threeDs }, { billingAddress }]) {
    await expect(charge(card('ok', { card: { ...plain, ...missing } }))).rejects.toThrow()
  }

  expect(fake.asked).toHaveLength(before)
})

test('an account may also approve cards when the bank does not bear fraud', async () => {
  const account = open({ liabilityShift: 'preferred' })
  fake.book.manner.eci = '07'

  const outcome = await account.charge(card(), clock.now())

  const { threeDSecure2 } = fake.calls(/^POST \/v1\/charges$/).at(-1)!.body
  expect(threeDSecure2).toMatchObject({ requiresLiabilityShift: false })
  expect(outcome).toMatchObject({ threeDs: { status: 'attempted', eci: '07' } })
})

test('a bank that is said nothing of has attempted, whatever was asked for', async () => {
  fake.book.manner.eci = null

  expect(await charge(card())).toMatchObject({ threeDs: { status: 'attempted', eci: null } })
})

test.each([
  ['challenge', [['JWT', expect.stringMatching(/^jwt-/)]]],
  [
    'old_challenge',
    [
      ['MD', 'm'],
      ['PaReq', 'p'],
      ['TermUrl', 't'],
    ],
  ],
])(
  'a bank that asks (%s) is posted to, and the charge is approved when it is done',
  async (how, fields) => {
    const request = card(how)

    const asked = (await charge(request)) as { challengeUrl: string; expiresAt: string }
    const { url, fields: posted } = parseBankStep(asked.challengeUrl)
    fake.authorize(request.transactionId)

    expect(asked).toMatchObject({ status: 'awaiting_authentication' })
    expect(new URL(url).hostname).toBe('bank.example')
    expect(posted).toEqual(fields)
    expect(Date.parse(asked.expiresAt) - clock.now().getTime()).toBeLessThanOrEqual(600_000)
    expect(await find(request)).toMatchObject({
      status: 'approved',
      threeDs: { status: 'authenticated' },
    })
  },
)

test('a challenge without an answer is declined at its end', async () => {
  const request = card('challenge')
  const reference = await chargeOf(request).catch(() => undefined)
  clock.offsetMs = 601_000

  const late = { declineCode: 'threeds_failed', threeDs: { status: 'failed', flow: 'challenge' } }
  expect(await find(request, reference)).toMatchObject({ status: 'declined', ...late })
})

test('a card without authentication is declined before any acquirer was asked', async () => {
  expect(await charge(card('unauthenticated'))).toMatchObject({
    status: 'declined',
    declineCode: 'threeds_failed',
    threeDs: { status: 'failed' },
  })
})

test.each([
  ['created', 'processing'],
  ['pending', 'processing'],
  ['pre_authorized', 'processing'],
  ['capture_pending', 'processing'],
  ['a_word_of_tomorrow', 'processing'],
  ['canceled', 'canceled'],
  ['AUTHORIZED', 'approved'],
  ['refund_pending', 'approved'],
])('a charge that is %s is %s', async (status, ours) => {
  const request = card()
  const reference = await chargeOf(request)
  fake.chargeOf(request.transactionId).status = status

  expect(await find(request, reference)).toMatchObject({ status: ours, reference })
})

/** Documentation of type tables: "Código de negação"; and further reasons of its sandbox and of its newer table. */
const REASONS: [declineCode: DeclineCode, retryable: boolean, reasons: string[]][] = [
  ['not_permitted', false, ['card_not_supported service_not_allowed canceled_card']],
  ['expired_card', true, ['expired_card']],
  ['suspected_fraud', false, ['fraud_confirmed']],
  ['suspected_fraud', true, ['fraud_suspect']],
  ['generic', true, ['generic invalid_pin']],
  ['insufficient_funds', true, ['insufficient_funds']],
  [
    'not_permitted',
    true,
    [
      'invalid_amount not_permitted pickup_card restricted_card transaction_not_allowed',
      'blocked_card',
    ],
  ],
  ['invalid_cvv', true, ['invalid_cvv']],
  ['invalid_card', true, ['invalid_data invalid_number security_violation']],
  ['invalid_installments', true, ['invalid_installment']],
  [
    'provider_error',
    true,
    ['invalid_merchant issuer_not_available try_again bad_request processing_error timeout'],
  ],
  ['lost_or_stolen', false, ['lost_card stolen_card']],
  ['attempts_exceeded', false, ['pin_try_exceeded']],
]

test.each(REASONS)('a card is declined as %s, and may be tried again (%s): %j', (...told) => {
  const [declineCode, retryable, lines] = told

  for (const reason of lines.flatMap((line) => line.split(' '))) {
    const decline = toDecline({ reference: 'c1', reason, unlisted: 'generic' })
    expect(decline, reason).toEqual({
      ...{ status: 'declined', reference: 'c1', declineCode, retryable, abecsCode: null },
    })
  }
})

test('a refused card is declined at once and when it is asked about, and logged as nothing unknown', async () => {
  const request = card('lost_card')

  const outcome = await charge(request)

  const { id: reference } = fake.chargeOf(request.transactionId)
  const declined = {
    status: 'declined',
    reference,
    declineCode: 'lost_or_stolen',
    retryable: false,
  }
  expect(outcome).toMatchObject(declined)
  expect(await find(request)).toMatchObject(declined)
  expect(logged.join()).not.toContain(request.transactionId)
})

test.each(['a_reason_of_tomorrow', 'constructor'])(
  'an unknown reason (%s) is generic, and the log asks for its name',
  async (reason) => {
    const request = card(reason)

    expect(await charge(request)).toMatchObject({ declineCode: 'generic', retryable: true })

    const line = logged.find((one) => one.includes(request.transactionId))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ reason })
  },
)

test('the bank’s own code is kept, and a refusal that comes as an error is one too', async () => {
  expect(await charge(card('insufficient_funds-51'))).toMatchObject({ abecsCode: '51' })
  expect(await charge(card('insufficient_funds-no_money'))).toMatchObject({ abecsCode: null })
  expect(await charge(card('declined_by_error'))).toMatchObject({
    ...{ status: 'declined', reference: null, declineCode: 'lost_or_stolen', retryable: false },
  })
})

test('a charge of another sub-account is refused as ours to put right, and logged', async () => {
  const account = open({ merchantId: '00000000-5717-4562-b3fc-2c963f66afa6' })
  const request = card()

  const outcome = await account.charge(request, clock.now())

  expect(outcome).toMatchObject({ status: 'declined', declineCode: 'provider_error' })
  expect(logged.join()).toContain('merchantId must be a UUID')
})

test('what banks contest is a dispute: open, won, or lost with all that was left', async () => {
  const [open_, won, lost] = [card(), card(), card()]
  for (const one of [open_, won, lost]) await charge(one)
  fake.chargeOf(open_.transactionId).isDispute = true
  fake.tell(won.transactionId, 'dispute')
  fake.tell(won.transactionId, 'dispute_closed')
  fake.refundHere(lost.transactionId, 401)
  fake.chargeOf(lost.transactionId).status = 'charged_back'

  const outcomes = await Promise.all([open_, won, lost].map((one) => find(one)))

  expect(outcomes).toMatchObject([
    { disputes: [{ kind: 'card', status: 'open', amountCents: 10_401, closedAt: null }] },
    { disputes: [{ status: 'won', closedAt: expect.any(String) }] },
    { refundedCents: 401, disputes: [{ status: 'lost', amountCents: 10_000 }] },
  ])
  const [{ id: reference }] = [fake.chargeOf(lost.transactionId)]
  expect(outcomes[2]).toMatchObject({ disputes: [{ reference }] })
})

test('a charge of another amount or of another payment is not taken for ours', async () => {
  fake.book.manner.otherCents = 10_400
  await expect(charge(card())).rejects.toThrow('is not what was asked for')
  const [one, other] = [card(), card()]
  fake.book.manner.otherCents = null
  const reference = await chargeOf(one)

  await expect(find(other, reference)).rejects.toThrow('is not of payment')
})

test('a list that ignores our id says nothing of a charge that it does not show', async () => {
  await charge(card())
  fake.book.manner.heedsOrderId = false

  await expect(find(card())).rejects.toThrow('other charges than it was asked for')
})

test('a charge that was paid by what cannot be read is held, and the field is named', async () => {
  const request = card()
  const told: string[] = []
  const account = open({}, { onUnreadable: (field: string) => told.push(field) })
  const reference = await chargeOf(request)
  const speak = (body: unknown) => ({ ...(body as object), amount: 'R$ ?' })
  Object.assign(fake.book.manner, { speak })

  const outcome = await account.find(buildChargeKey(request, reference), clock.now())

  expect(outcome).toEqual({ status: 'unreadable', reference, field: 'amount' })
  expect(told).toEqual(['amount'])
})

test('giving up voids what was paid or reserved; what waits says that it cannot be given up yet', async () => {
  const [paid, kept, reserved, waiting] = [card(), card(), card(), card('challenge')]
  for (const one of [paid, kept, reserved, waiting]) await charge(one)
  fake.chargeOf(reserved.transactionId).status = 'pre_authorized'

  await provider.cancel(buildChargeKey(paid), clock.now())
  await provider.cancel(buildChargeKey(paid), clock.now())
  await provider.cancel(buildChargeKey(kept), clock.now(), { keepsPaid: true })
  await provider.cancel(buildChargeKey(reserved), clock.now())
  await provider.cancel(buildChargeKey(card()), clock.now())

  expect(await find(paid)).toMatchObject({ status: 'approved', refundedCents: 10_401 })
  expect(await find(kept)).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(await find(reserved)).toMatchObject({ status: 'canceled' })
  await expect(provider.cancel(buildChargeKey(waiting), clock.now())).rejects.toThrow(
    'cannot be canceled yet',
  )
})
