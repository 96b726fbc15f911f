// The pagarme adapter: an order with a page, and what becomes of it.
import { expect, test } from 'vitest'
import {
  buildCardRefund,
  openPagarmeAccount,
  TOTAL_CENTS,
} from '../../support/providers/pagarme/account.ts'

const { clock, now, pagarme, provider, open, charged, paid, find } = await openPagarmeAccount()

const MINUTE_MS = 60_000

test('a charge is an order with one page, which offers the quote that was chosen and no other', async () => {
  const { charge, outcome, reference } = await charged({ statementDescriptor: 'PADARIA SAO JOAO' })

  const { body } = pagarme.orders.get(reference)!
  expect(outcome).toEqual({
    status: 'awaiting_payer',
    reference,
    pageUrl: `${pagarme.url}/page/${reference}`,
    expiresAt: expect.any(String),
  })
  expect(body).toMatchObject({
    code: charge.transactionId,
    items: [{ amount: TOTAL_CENTS, quantity: 1, code: 'bolodecen' }],
    customer: {
      ...{ type: 'individual', document: '52998224725', email: 'maria@exemplo.com.br' },
      phones: { mobile_phone: { country_code: '55', area_code: '11', number: '987654321' } },
    },
    payments: [
      {
        ...{ amount: TOTAL_CENTS, payment_method: 'checkout' },
        checkout: {
          ...{ accepted_payment_methods: ['credit_card'], success_url: charge.returnUrl },
          ...{ expires_in: 30, customer_editable: false },
          credit_card: {
            statement_descriptor: 'PADARIA SAO J',
            installments: [{ number: 3, total: TOTAL_CENTS }],
          },
        },
      },
    ],
  })
  expect(pagarme.calls(/^POST/).at(-1)?.headers['idempotency-key']).toBe(charge.transactionId)
})

test.each([
  [{ phone: null }, { type: 'individual', document: '52998224725' }, true],
  [{ taxId: '12ABC34501DE35' }, { type: 'company', document_type: 'CNPJ' }, false],
  [
    { taxId: '+AB123456' },
    { type: 'individual', document: 'AB123456', document_type: 'PASSPORT' },
    false,
  ],
  [{ phone: '+351912345678', taxId: null }, { type: 'individual' }, true],
])(
  'what Pagar.me does not hear of a payer its page may ask for: %o',
  async (more, customer, asks) => {
    const known = { name: 'Maria', email: 'maria@exemplo.com.br', taxId: '52998224725' }
    const { reference } = await charged({ payer: { ...known, phone: '1133334444', ...more } })

    expect(pagarme.orders.get(reference)!.body).toMatchObject({
      customer,
      payments: [{ checkout: { customer_editable: asks } }],
    })
  },
)

test('what was paid is told with its card; without an ECI 3-D Secure counts as tried', async () => {
  const { key, reference } = await paid()

  expect(await find(key)).toEqual({
    ...{ status: 'approved', reference, paidCents: TOTAL_CENTS, refundedCents: 0 },
    paidAt: expect.stringMatching(/T.*Z$/),
    isUndisputed: true,
    threeDs: { status: 'attempted', eci: null, flow: 'frictionless' },
    card: { brand: 'visa', last4: '1111', holder: 'MARIA SILVA' },
  })
})

test.each([
  ['5', { status: 'authenticated', eci: '05', flow: 'challenge' }],
  ['06', { status: 'attempted', eci: '06', flow: 'challenge' }],
])('an ECI of %s says how the payer’s bank has confirmed', async (eci, threeDs) => {
  const { key, reference } = await charged()
  const transaction = { threed_secure: { eci }, threed_authentication_url: 'https://banco' }
  pagarme.pay(reference, { transaction })

  expect(await find(key)).toMatchObject({ status: 'approved', threeDs })
})

test('an instant of Pagar.me’s without a zone is one of UTC', async () => {
  const { key, reference } = await paid()
  pagarme.change(reference, { paid_at: '2026-11-29T12:00:00' })

  expect(await find(key)).toMatchObject({ paidAt: '2026-11-29T12:00:00.000Z' })
})

test.each([TOTAL_CENTS - 1, TOTAL_CENTS + 1])(
  'another amount is told as it is: %d',
  async (cents) => {
    const { key, reference } = await charged()
    pagarme.pay(reference, { paidCents: cents })

    expect(await find(key)).toMatchObject({ status: 'approved', paidCents: cents })
  },
)

test.each([
  ['51', { declineCode: 'insufficient_funds', abecsCode: '51', retryable: true }],
  ['0054', { declineCode: 'expired_card', abecsCode: '54', retryable: false }],
  ['43', { declineCode: 'lost_or_stolen', abecsCode: '43', retryable: false }],
  ['1016', { declineCode: 'generic', abecsCode: null, retryable: true }],
])('a card refused with %s is the end where the page takes no other', async (code, decline) => {
  pagarme.manner.isRetryable = false
  const { key, reference } = await charged()
  pagarme.pay(reference, { code })

  const card = { brand: 'visa', last4: '1111', holder: 'MARIA SILVA' }
  expect(await find(key)).toEqual({ status: 'declined', reference, ...decline, card })
})

test('while its page is open a refused card is not the end; when its time is over it is', async () => {
  const { key, reference } = await charged()
  pagarme.pay(reference, { code: '51' })
  const open = await find(key)
  clock.offsetMs = 31 * MINUTE_MS
  const over = await find(key)
  const tooLate = pagarme.pay(reference)

  expect(open).toMatchObject({ status: 'awaiting_payer' })
  expect(over).toMatchObject({ status: 'declined', declineCode: 'insufficient_funds' })
  expect(tooLate).toBe('closed')
})

test.each([false, true])(
  'a page that its payer did not come back from is closed when its time is over (stays open there: %s)',
  async (keepsPages) => {
    pagarme.manner.keepsPages = keepsPages
    const { key, reference } = await charged()
    clock.offsetMs = 30 * MINUTE_MS - 5_000
    expect(await find(key)).toMatchObject({ status: 'awaiting_payer' })
    expect(pagarme.calls(new RegExp(`PATCH .*${reference}`))).toEqual([])
    clock.offsetMs = 31 * MINUTE_MS

    const outcome = await find(key)

    expect(outcome).toMatchObject({ status: 'awaiting_payer', reference })
    expect((outcome as { expiresAt: string }).expiresAt <= now().toISOString()).toBe(true)
    expect(pagarme.orders.get(reference)).toMatchObject({ status: 'canceled' })
  },
)

test('a payment that the acquirer or its antifraud decides about asks nothing more of its payer', async () => {
  const { key, reference } = await paid()
  pagarme.change(reference, { status: 'processing', paid_at: undefined })

  expect(await find(key)).toEqual({ status: 'processing', reference, isPayerDone: true })
})

test('a chargeback counts as lost, and as none once the charge is paid again', async () => {
  const { key, reference } = await paid()
  pagarme.change(reference, { status: 'chargedback', canceled_amount: TOTAL_CENTS })
  const lost = await find(key)
  pagarme.change(reference, { status: 'paid', canceled_amount: 0 })

  expect(lost).toMatchObject({
    ...{ status: 'approved', paidCents: TOTAL_CENTS, refundedCents: 0 },
    disputes: [{ kind: 'card', status: 'lost', amountCents: TOTAL_CENTS }],
  })
  expect(await find(key)).toMatchObject({ status: 'approved', isUndisputed: true })
})

test('giving up closes what was not paid, and gives back what was unless it is to stay', async () => {
  const [waiting, kept, unwanted] = [await charged(), await paid(), await paid()]

  await provider.cancel(waiting.key, now(), { keepsPaid: true })
  await provider.cancel(kept.key, now(), { keepsPaid: true })
  await provider.cancel({ ...unwanted.key, reference: null }, now())
  await provider.cancel(unwanted.key, now())

  expect(pagarme.pay(waiting.reference)).toBe('closed')
  expect(await find(waiting.key)).toEqual({ status: 'canceled', reference: waiting.reference })
  expect(await find(kept.key)).toMatchObject({ refundedCents: 0 })
  expect(await find(unwanted.key)).toMatchObject({ refundedCents: TOTAL_CENTS })
})

test('a notification names its order, and garbage names none', () => {
  const order = { type: 'order.paid', data: { id: 'or_1234567890', code: 'x' } }
  const bodies = [pagarme.notification('or_1234567890').body, Buffer.from(JSON.stringify(order))]
  const hints = [{ kind: 'reference', reference: 'or_1234567890' }]

  for (const body of bodies)
    expect(provider.readNotification({ headers: {}, query: {}, body })).toEqual({
      kind: 'read',
      hints,
    })
  for (const body of ['', '{', 'null', '[]', '{"data":7}', '{"data":{"id":"ch_1"}}'].map(
    Buffer.from,
  ))
    expect(provider.readNotification({ headers: {}, query: {}, body })).toMatchObject({ hints: [] })
})

test('the test of the connection tells what it met of a rehearsed order, which cannot be paid after it', async () => {
  const good = await provider.testConnection(now())
  pagarme.manner.keepsPages = true
  const open_ = await provider.testConnection(now())
  pagarme.next({
    on: /^POST/,
    does: 'say',
    change: (order) => void Object.assign(order, { amount: 1_000 }),
  })
  const changed = await provider.testConnection(now())
  const stranger = await open({ secretKey: 'sk_test_another_one' }).testConnection(now())

  expect(good.map(({ step, ok }) => [step, ok])).toEqual([
    ...[
      ['token', true],
      ['read', true],
      ['webhook', true],
    ],
  ])
  expect(open_.at(-1)).toMatchObject({
    ok: false,
    isOptional: true,
    reason: expect.stringContaining('vence sozinha'),
  })
  expect(changed[1]).toMatchObject({
    step: 'read',
    ok: false,
    reason: expect.stringContaining('mudou o total'),
  })
  expect(stranger).toMatchObject([
    { step: 'token', ok: false, reason: expect.stringContaining('recusou a chave') },
  ])
})

test('the key says which environment it is of', () => {
  expect(open({ secretKey: 'sk_live_or_without' }).testMode).toBe(false)
  expect(provider.testMode).toBe(true)
})

test.each([0, 1])(
  'of two cards that paid one page, the one that is left pays when that of place %i went back there',
  async (gone) => {
    const { key, reference } = await paid()
    const order = pagarme.orders.get(reference)!
    pagarme.payAgain(reference)
    const both = await find(key)
    Object.assign(order.charges[gone]!, { status: 'canceled', canceled_amount: TOTAL_CENTS })

    const one = await find(key)
    const refund = await provider.refund(buildCardRefund(key, 605), now())

    expect(both).toMatchObject({
      ...{ status: 'approved', paidCents: TOTAL_CENTS, refundedCents: 0 },
      charges: order.charges.map(({ id }) => ({ endToEndId: id, amountCents: TOTAL_CENTS })),
    })
    expect(one).toMatchObject({ status: 'approved', paidCents: TOTAL_CENTS, refundedCents: 0 })
    expect(refund).toMatchObject({ status: 'succeeded' })
    expect(order.charges[1 - gone]).toMatchObject({ canceled_amount: 605 })
  },
)

test.each([0, 1])('a refund that names a charge of two is made of it: place %i', async (place) => {
  const { key, reference } = await paid()
  pagarme.payAgain(reference)
  const { charges } = pagarme.orders.get(reference)!
  const named = { ...buildCardRefund(key, 605), endToEndId: charges[place]!.id }
  const refund = await provider.refund(named, now())
  const found = await provider.findRefund(named, now())

  expect([refund, found]).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
  expect(charges[place]).toMatchObject({ canceled_amount: 605 })
  expect(charges[1 - place]).not.toHaveProperty('canceled_amount')
})
