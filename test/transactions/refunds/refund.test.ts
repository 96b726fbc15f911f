// What may be refunded, and how much of it.
import { afterEach, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { loadRefundable } from '../../../src/transactions/refunds/create.ts'
import { buildTestCard, openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { app, clock, db, newCompany } = testApp
const { newLink, pay, read, readLink, listEventTypes } = openCheckout(testApp)
const { approved, paidByPix, order, refundsOf, listBankRefunds } = openRefunds(testApp)

const DAY_MS = 24 * 3_600_000
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

afterEach(() => {
  clock.offsetMs = 0
})

test('without an amount, all goes back', async () => {
  const { company, link, id } = await approved()

  const response = await order(company, id)

  expect(response.statusCode).toBe(201)
  expect(response.json()).toEqual({
    id: expect.any(String),
    transactionId: id,
    amountCents: 10_000,
    status: 'succeeded',
    reason: null,
    failureReason: null,
    testMode: true,
    createdAt: instant,
    updatedAt: instant,
  })
  expect(await read(id)).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
  expect(await listBankRefunds(id)).toEqual([10_000])
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'transaction.refunded'])
})

test('without a body, all goes back too', async () => {
  const { company, id } = await approved()
  const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': newId() }

  const response = await app.inject({
    method: 'POST',
    url: `/api/transactions/${id}/refunds`,
    headers,
  })

  expect(response.statusCode).toBe(201)
  expect(response.json()).toMatchObject({ amountCents: 10_000, status: 'succeeded' })
})

test('several parts, and then what is left', async () => {
  const { company, id } = await approved()

  const first = await order(company, id, { amountCents: 3_000, reason: ' Um bolo a menos ' })
  expect(first.json()).toMatchObject({ amountCents: 3_000, reason: 'Um bolo a menos' })
  expect(await read(id)).toMatchObject({ status: 'partially_refunded', refundedCents: 3_000 })
  await order(company, id, { amountCents: 1 })
  const last = await order(company, id, { reason: '' })

  expect(last.json()).toMatchObject({ amountCents: 6_999, status: 'succeeded', reason: null })
  expect(await read(id)).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
})

test('one cent more than is left is refused with what is left, the rest exactly is not', async () => {
  const { company, id } = await approved()
  await order(company, id, { amountCents: 4_000 })

  const refused = await order(company, id, { amountCents: 6_001 })
  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors).toEqual([
    {
      field: 'amountCents',
      code: 'too_big',
      message: 'Restam R$ 60,00 (6000 centavos) a devolver.',
    },
  ])
  const exact = await order(company, id, { amountCents: 6_000 })

  expect(exact.json()).toMatchObject({ status: 'succeeded' })
  expect(await listBankRefunds(id)).toEqual([4_000, 6_000])
})

test('what is still under way is spoken for', async () => {
  const { company, id } = await approved()
  await order(company, id, { amountCents: 9_914 })

  const more = await order(company, id, { amountCents: 87 })
  await order(company, id, { amountCents: 86 })
  const rest = await order(company, id)

  expect(more.statusCode).toBe(422)
  expect(rest.statusCode).toBe(409)
  expect(rest.json()).toMatchObject({
    code: 'invalid_transition',
    message: expect.stringMatching(/^Há devoluções em andamento/),
  })
})

test.each([
  // What NaN is in JSON.
  [{ amountCents: null }, 'amountCents', 'invalid_type'],
  [{ incomingPaymentId: null }, 'incomingPaymentId', 'invalid_type'],
  [{ amountCents: 0 }, 'amountCents', 'too_small'],
  [{ amountCents: -1 }, 'amountCents', 'too_small'],
  [{ amountCents: 1.5 }, 'amountCents', 'invalid_type'],
  [{ amountCents: '100' }, 'amountCents', 'invalid_type'],
  [{ amountCents: 1e21 }, 'amountCents', 'too_big'],
  [{ reason: 'r'.repeat(141) }, 'reason', 'too_big'],
  [{ reason: '\0' }, 'reason', 'invalid_characters'],
  [{ amount: 100 }, 'amount', 'unknown_field'],
])('%j is refused', async (body, field, code) => {
  const { company, id } = await approved()

  const response = await order(company, id, body)

  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toMatchObject([{ field, code }])
  expect(await refundsOf(id)).toEqual([])
})

test('a payment that was not approved, or has gone back whole, is not refunded', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const pending = (await pay(link, PIX)).row
  const declined = (await pay(link, buildTestCard('generic'))).row
  const whole = (await pay(link, buildTestCard('ok'))).row
  await order(company, whole.id)

  for (const [row, status] of [
    [pending, 'pending'],
    [declined, 'declined'],
    [whole, 'refunded'],
  ] as const) {
    const response = await order(company, row.id)
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({
      code: 'invalid_transition',
      message: expect.stringContaining(`está ${status}`),
    })
  }
})

test('a Pix goes back within 90 days, a card also later', async () => {
  const [pix, pixToo, byCard] = [await paidByPix(), await paidByPix(), await approved()]

  clock.offsetMs = 90 * DAY_MS - 60_000
  expect((await order(pix.company, pix.id)).statusCode).toBe(201)
  clock.offsetMs = 90 * DAY_MS + 60_000
  const late = await order(pixToo.company, pixToo.id)
  const lateCard = await order(byCard.company, byCard.id)

  expect(late.statusCode).toBe(409)
  expect(late.json()).toMatchObject({
    code: 'refund_window_closed',
    message: expect.stringContaining('90 dias'),
  })
  expect(lateCard.statusCode).toBe(201)
})

test('the last moment for a Pix to go back is 90 days after it was paid', async () => {
  const payment = await read((await paidByPix()).id)
  const last = Date.parse(payment.approvedAt!) + 90 * DAY_MS

  expect(await loadRefundable(db, payment, new Date(last))).toMatchObject({
    kind: 'refundable',
    leftCents: 10_000,
  })
  expect(await loadRefundable(db, payment, new Date(last + 1))).toMatchObject({
    code: 'refund_window_closed',
  })
})

test('a test card goes back within 180 days, for as long as the bank of the sandbox is sure to know it', async () => {
  const payment = await read((await approved()).id)
  const last = Date.parse(payment.approvedAt!) + 180 * DAY_MS
  const elsewhere = { ...payment, provider: 'mercadopago' as const }

  expect(await loadRefundable(db, payment, new Date(last))).toMatchObject({ kind: 'refundable' })
  expect(await loadRefundable(db, payment, new Date(last + 1))).toMatchObject({
    code: 'refund_window_closed',
    message: 'Um pagamento de teste com cartão só pode ser devolvido em até 180 dias.',
  })
  expect(await loadRefundable(db, elsewhere, new Date(last + 1))).toMatchObject({
    kind: 'refundable',
  })
})

test('a refunded payment still counts towards the limit of its link', async () => {
  const { company, link, id } = await approved({ maxPayments: 1 })

  await order(company, id)

  expect(await readLink(link.id)).toMatchObject({ status: 'completed' })
  const one = await company.get(`/api/payment-links/${link.id}`)
  expect(one.json()).toMatchObject({ paymentsCount: 1, amountReceivedCents: 0 })
})

test('the receipt says what was given back', async () => {
  const { company, id, browser, url } = await approved()

  await order(company, id, { amountCents: 2_500 })

  expect(readPageText((await browser.get(url)).body)).toContain(
    'R$\u00a025,00 devolvidos.'.replace('\u00a0', ' '),
  )
})
