// The mercadopago adapter: what it asks Mercado Pago for, and what each state of an order means.
import { expect, test } from 'vitest'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'

const { clock, fake, pix, card, charge, chargeOf, find } = await openMercadoPago()

test('a Pix is ordered with our id twice over, its payer and its expiry, and answers the code', async () => {
  const request = pix()

  const outcome = await charge(request)

  expect(outcome).toMatchObject({
    status: 'pending',
    expiresAt: request.expiresAt,
    pixBrCode: expect.stringMatching(/^000201/),
  })
  const call = fake.asked.at(-1)!
  expect(call.headers['x-idempotency-key']).toBe(request.transactionId)
  expect(call.body).toMatchObject({
    type: 'online',
    processing_mode: 'automatic',
    total_amount: '100.00',
    external_reference: request.transactionId,
    description: 'Bolo de cenoura',
    payer: {
      email: 'maria@exemplo.com.br',
      first_name: 'Maria',
      last_name: 'da Silva',
      identification: { type: 'CPF', number: '52998224725' },
    },
    transactions: {
      payments: [
        {
          amount: '100.00',
          expiration_time: 'PT60M',
          payment_method: { id: 'pix', type: 'bank_transfer' },
        },
      ],
    },
  })
})

test('a Pix that expires sooner than Mercado Pago can is shown with our expiry all the same', async () => {
  const soon = new Date(clock.now().getTime() + 300_000).toISOString()

  const outcome = await charge(pix({ expiresAt: soon }))

  expect(outcome).toMatchObject({ status: 'pending', expiresAt: soon })
  expect(fake.asked.at(-1)!.body).toMatchObject({
    transactions: { payments: [{ expiration_time: 'PT30M' }] },
  })
})

test('a card is ordered at its price with 3-D Secure always, with interest for the payer or for the company', async () => {
  const request = card('ok', { installments: 3, totalCents: 10_401 })

  await charge(request)

  const { body } = fake.asked.at(-1)!
  expect(body).toMatchObject({
    total_amount: '100.00',
    config: {
      online: { transaction_security: { validation: 'always', liability_shift: 'required' } },
    },
    transactions: {
      payments: [
        {
          amount: '100.00',
          payment_method: {
            id: 'master',
            type: 'credit_card',
            token: 'fake_ok_0a1b2c3d',
            installments: 3,
            statement_descriptor: 'Padaria Sao Joao',
          },
        },
      ],
    },
  })
})

test('a link’s own name for the bill comes before the company’s', async () => {
  await charge({ ...card('ok'), statementDescriptor: 'CURSO DE BOLOS' })

  expect(fake.asked.at(-1)!.body).toMatchObject({
    transactions: { payments: [{ payment_method: { statement_descriptor: 'CURSO DE BOLOS' } }] },
  })
})

test.each([
  [true, 'the order tells the interest'],
  [false, 'the order tells the price alone'],
])('an approved card says what the payer paid in all (%s: %s)', async (tellsInterest) => {
  fake.settings.tellsInterest = tellsInterest
  const request = card('ok', { installments: 3, totalCents: 10_401 })

  const outcome = await charge(request)

  expect(outcome).toMatchObject({
    status: 'approved',
    paidCents: 10_401,
    threeDs: { status: 'authenticated', flow: 'frictionless' },
    refundedCents: 0,
  })
})

test('the same charge sent twice is one order, and a key refused as used leads to it', async () => {
  const request = card()

  const first = await charge(request)
  const again = await charge(request)
  fake.keys.strict = true
  const refused = await charge(request)

  expect([again, refused]).toEqual([first, first])
  expect(fake.ordersOf(request.transactionId)).toHaveLength(1)
})

test('a card token that Mercado Pago does not know is declined, and no order exists', async () => {
  const request = card('ok', {
    card: { token: 'unknown-token', brand: 'visa', last4: '4242' },
  })

  const outcome = await charge(request)

  expect(outcome).toMatchObject({
    status: 'declined',
    declineCode: 'invalid_card',
    reference: null,
  })
  expect(await find(request)).toEqual({ status: 'unknown' })
})

test.each([
  [true, { status: 'approved', threeDs: { status: 'authenticated', flow: 'challenge' } }],
  [false, { status: 'declined', declineCode: 'threeds_failed', threeDs: { status: 'failed' } }],
])('a challenge waits for five minutes, and the payer’s answer (%s) decides', async (yes, end) => {
  const request = card('challenge')
  const outcome = await charge(request)
  const { reference } = outcome as { reference: string }
  expect(outcome).toMatchObject({
    status: 'awaiting_authentication',
    challengeUrl: `${fake.url}/3ds/${reference}`,
  })
  const { expiresAt } = outcome as { expiresAt: string }
  expect(Date.parse(expiresAt) - clock.now().getTime()).toBeGreaterThan(290_000)
  expect(Date.parse(expiresAt) - clock.now().getTime()).toBeLessThanOrEqual(300_000)

  fake.answerChallenge(reference, yes)

  expect(await find(request, reference)).toMatchObject(end)
})

test('a challenge without an answer is ended at Mercado Pago and declined', async () => {
  const request = card('challenge')
  const reference = await chargeOf(request)

  clock.offsetMs = 299_000
  const before = await find(request, reference)
  clock.offsetMs = 301_000
  const after = await find(request, reference)
  fake.answerChallenge(reference, true)

  expect(before.status).toBe('awaiting_authentication')
  expect(after).toMatchObject({ status: 'declined', declineCode: 'threeds_failed' })
  expect(await find(request, reference)).toMatchObject({ status: 'declined' })
})

test.each([
  ['processing', 'in_process', 'processing'],
  ['processing', 'pending_review_manual', 'processing'],
  ['in_review', 'in_review', 'processing'],
  ['a_state_of_tomorrow', 'x', 'processing'],
  ['canceled', 'canceled_transaction', 'declined'],
  ['cancelled', 'expired', 'declined'],
  ['expired', 'expired', 'declined'],
])('a card order that is %s/%s is %s', async (status, detail, expected) => {
  const request = card('processing')
  const reference = await chargeOf(request)

  fake.moveTo(reference, status, detail)

  expect((await find(request, reference)).status).toBe(expected)
})

test.each([
  ['canceled', 'canceled_transaction', 'canceled'],
  ['expired', 'expired', 'pending'],
  ['processing', 'in_process', 'processing'],
])(
  'a Pix order that is %s/%s is %s: our own clock ends what expired',
  async (...[status, detail, expected]) => {
    const request = pix()
    const reference = await chargeOf(request)

    fake.moveTo(reference, status, detail)

    expect((await find(request, reference)).status).toBe(expected)
  },
)

test('a paid Pix tells the amount that came, also when it is another, and its end-to-end id', async () => {
  const [exact, other] = [pix(), pix()]
  const paid = [await chargeOf(exact), await chargeOf(other)]

  fake.payPix(paid[0]!)
  fake.payPix(paid[1]!, 9_999)

  expect(await find(exact, paid[0])).toMatchObject({
    status: 'approved',
    received: [{ amountCents: 10_000, endToEndId: expect.stringMatching(/^E\w{31}$/) }],
  })
  expect(await find(other, paid[1])).toMatchObject({
    status: 'approved',
    received: [{ amountCents: 9_999 }],
  })
})

test('what was paid is of the day that Mercado Pago says, though its order has changed since', async () => {
  const [ofPix, ofCard] = [pix(), card()]
  const references = [await chargeOf(ofPix), await chargeOf(ofCard)]
  fake.payPix(references[0]!)
  const paidAt = clock.now().toISOString()
  const told = { status: 'refunded', transaction_amount: 100, date_approved: paidAt }
  for (const { transactionId } of [ofPix, ofCard]) fake.tellPayout(transactionId, told)
  clock.offsetMs = 3 * 86_400_000
  for (const reference of references) fake.refundHere(reference, null)

  const outcomes = [await find(ofPix, references[0]), await find(ofCard, references[1])]

  expect(outcomes).toMatchObject([{ received: [{ paidAt }] }, { paidAt }])
})

test('an order of another amount than asked for is no outcome at all', async () => {
  fake.settings.otherCents = 1
  const request = card()

  await expect(charge(request)).rejects.toThrow('is not what was asked for')

  expect(await find(request)).toMatchObject({ status: 'approved', paidCents: 1 })
})

test('an order of somebody else’s is never taken for ours', async () => {
  const stranger = card()
  const reference = await chargeOf(stranger)

  await expect(find(card(), reference)).rejects.toThrow('is not of payment')
})
