// A card paid through Mercado Pago: what was quoted is what is charged.
import { expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { executeRefund } from '../../src/transactions/refunds/execute.ts'
import { AGAIN, openPayerBrowser, PIX, readPageText } from '../support/payer.ts'
import {
  buildMercadoPagoCard,
  openMercadoPagoMerchant,
} from '../support/providers/mercadopago/merchant.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, clock, needs } = testApp
const testMerchant = await openMercadoPagoMerchant(testApp)
const { fake, newCardLink, quote, pay, read, paymentsOf } = testMerchant

const BIN = '42424242'

test.each([true, false])(
  'what was shown is what is charged, whether or not the order tells its interest (%s)',
  async (tellsInterest) => {
    fake.settings.tellsInterest = tellsInterest
    const link = await newCardLink()
    const { response, send } = await quote(link)
    const { quote: cardQuote } = response.json()

    const shown = { cardBin: BIN, cardQuote, installments: 3 }
    const paid = await send(buildMercadoPagoCard('ok', shown))

    expect(paid.statusCode).toBe(303)
    const [row] = await paymentsOf(link)
    expect(row).toMatchObject({
      status: 'approved',
      provider: 'mercadopago',
      testMode: true,
      installments: 3,
      installmentCents: 3_467,
      interestCents: 401,
      totalCents: 10_401,
      holdReason: null,
    })
    const [order] = fake.ordersOf(row!.id)
    expect(order).toMatchObject({ total_amount: '100.00' })
  },
)

test('the order bears the payer’s device, name, phone and what is sold', async () => {
  const link = await newCardLink()
  await testMerchant.editCompany(link.companyId, { askPhone: true })
  const deviceId = `armor.${'4111111111111111'.repeat(16)}f.7e4922c3e98543d6994ad65aa0446207`

  const { row } = await pay(link, {
    ...buildMercadoPagoCard('ok', { deviceId }),
    phone: '(11) 98765-4321',
  })

  expect(row).toMatchObject({ status: 'approved' })
  expect(findOrderCall(row.id)).toMatchObject({
    headers: { 'x-meli-session-id': deviceId },
    body: {
      payer: { entity_type: 'individual', phone: { area_code: '11', number: '987654321' } },
      items: [{ title: 'Bolo de cenoura', unit_price: '100.00', external_code: link.slug }],
    },
  })
})

test('a card is paid without the payer’s device too, or with one that is none', async () => {
  const link = await newCardLink()

  for (const deviceId of [undefined, '', 'armor.0f544cb7\r\nx: y', 'x'.repeat(1_025)]) {
    const card = buildMercadoPagoCard('ok', deviceId === undefined ? {} : { deviceId })
    const { row } = await pay(link, card)
    expect(row).toMatchObject({ status: 'approved' })
    expect(findOrderCall(row.id)!.headers).not.toHaveProperty('x-meli-session-id')
  }
})

function findOrderCall(transactionId: string) {
  return fake
    .calls(/^POST .*orders$/)
    .find(({ headers }) => headers['x-idempotency-key'] === transactionId)
}

test('installments that changed since are asked about again, and nothing is charged', async () => {
  const link = await newCardLink()
  const { response, send } = await quote(link)
  const { quote: cardQuote } = response.json()
  fake.settings.interestPerPart = 0.03

  const stale = await send(buildMercadoPagoCard('ok', { cardBin: BIN, cardQuote, installments: 3 }))

  expect(stale.statusCode).toBe(409)
  expect(readPageText(stale.body)).toContain('As parcelas deste link mudaram. Confira e confirme.')
  expect(await paymentsOf(link)).toEqual([])
})

test('a quote of one card is none for another', async () => {
  const link = await newCardLink()
  const { response, send } = await quote(link)
  const { quote: cardQuote } = response.json()

  const forged = await send(
    buildMercadoPagoCard('ok', { cardBin: '99999999', cardQuote, installments: 3 }),
  )

  expect(forged.statusCode).toBe(409)
  expect(await paymentsOf(link)).toEqual([])
})

test('without a quote a card pays at once, and in no more than one installment', async () => {
  const link = await newCardLink()

  const three = await pay(link, buildMercadoPagoCard('ok', { installments: 3 }))
  const one = await pay(link, buildMercadoPagoCard('ok'))

  expect(three.response.statusCode).toBe(422)
  expect(one.row).toMatchObject({ status: 'approved', totalCents: 10_000, installments: 1 })
})

test('while Mercado Pago quotes nothing, the page says so, and Pix works', async () => {
  const link = await newCardLink()
  const { response, send } = await quote(link)
  const shown = { cardBin: BIN, cardQuote: response.json().quote }

  fake.next({ does: 'answer', status: 500 })
  const card = await send(buildMercadoPagoCard('ok', { ...shown, installments: 3 }))
  fake.next({ does: 'answer', status: 500 })
  const asked = await openPayerBrowser(app).post(`/pagar/${link.slug}/quotes`, { bin: BIN })
  const pix = await send({ ...PIX, ...shown })

  expect(card.statusCode).toBe(409)
  expect(readPageText(card.body)).toContain('não está disponível agora')
  expect(asked.statusCode).toBe(503)
  expect(pix.statusCode).toBe(303)
})

test('a payer reads why a card is refused, and a charge with a lost answer is found', async () => {
  const link = await newCardLink()
  const declined = await pay(link, buildMercadoPagoCard('insufficient_amount'))
  fake.next({ works: true, does: 'reset' })
  const lost = await pay(link, buildMercadoPagoCard('ok'))
  expect(lost.row).toMatchObject({ status: 'processing' })

  clock.offsetMs = 30_000
  await reconcileDuePayments(needs)

  expect(readPageText((await declined.browser.get(declined.url)).body)).toContain('Saldo ou limite')
  expect(await read(lost.row.id)).toMatchObject({ status: 'approved', totalCents: 10_000 })
  expect(fake.ordersOf(lost.row.id)).toHaveLength(1)
})

test('a confirmation that its payer gave up for a Pix is canceled at Mercado Pago', async () => {
  const { company } = await testMerchant.newCollectingCompany(['pix', 'credit_card'])
  const link = await testMerchant.newLink({}, company)
  const { browser, row } = await pay(link, buildMercadoPagoCard('challenge'))

  const pix = await browser.pay(link, PIX, AGAIN)

  expect(pix.statusCode).toBe(303)
  expect(row).toMatchObject({ status: 'awaiting_authentication' })
  expect(fake.ordersOf(row.id)).toMatchObject([{ status: 'canceled' }])
  expect(await read(row.id)).toMatchObject({ status: 'declined', declineCode: 'threeds_failed' })
})

test('confirmed before it was given up, and decided on after its end, its money goes back', async () => {
  const { company } = await testMerchant.newCollectingCompany(['pix', 'credit_card'])
  const link = await testMerchant.newLink({}, company)
  const { browser, row } = await pay(link, buildMercadoPagoCard('challenge'))
  const [{ id } = { id: '' }] = fake.ordersOf(row.id)
  fake.moveTo(id, 'processing', 'in_review')
  await browser.pay(link, PIX, AGAIN)
  const endMs = Date.parse(row.expiresAt!) - Date.now()

  clock.offsetMs = endMs + 1_000
  await reconcileDuePayments(needs)
  const [undecided] = fake.ordersOf(row.id).map(({ status }) => status)
  fake.accept(id)
  clock.offsetMs = endMs + 6 * 60_000
  await reconcileDuePayments(needs)

  expect(undecided).toBe('processing')
  expect(fake.ordersOf(row.id)).toMatchObject([{ status: 'refunded' }])
  expect(await read(row.id)).toMatchObject({ status: 'declined' })
})

test('a Pix with a lost answer runs out when it would have, though Mercado Pago keeps it open for longer', async () => {
  const { company } = await testMerchant.newCollectingCompany(['pix'])
  await testMerchant.editCompany(company.id, { pixExpirySeconds: 300 })
  const link = await testMerchant.newLink({}, company)
  fake.next({ works: true, does: 'reset' })

  const { row } = await pay(link, PIX)

  expect(fake.ordersOf(row.id)).toHaveLength(1)
  expect(row.pixBrCode).not.toBeNull()
  expect(Date.parse(row.expiresAt!) - Date.parse(row.createdAt)).toBe(300_000)
})

test('a Pix that costs less is ordered, paid and given back at Mercado Pago for what it costs', async () => {
  const { company } = await testMerchant.newCollectingCompany(['pix'])
  const link = await testMerchant.newLink({ pixDiscountBps: 500 }, company)

  const { row } = await pay(link, PIX)
  fake.payPix(row.providerReference!)
  const paid = await checkPayment(needs, row)
  const refund = { companyId: company.id, transactionId: row.id, amountCents: 9_000, reason: null }
  await executeRefund(needs, { ...refund, id: newId() })
  await executeRefund(needs, { ...refund, id: newId(), amountCents: 500 })

  expect(fake.ordersOf(row.id)).toMatchObject([{ total_amount: '95.00' }])
  expect(paid).toMatchObject({ status: 'approved', totalCents: 9_500, holdReason: null })
  expect(await read(row.id)).toMatchObject({ status: 'refunded', refundedCents: 9_500 })
})

test('Mercado Pago’s news end a payment, tell a chargeback, and change nothing when forged', async () => {
  const { company, account } = await testMerchant.newCollectingCompany(['pix', 'credit_card'])
  const link = await testMerchant.newLink({}, company)
  const { row } = await pay(link, PIX)
  const reference = row.providerReference!
  const notify = ({ headers, query, body }: ReturnType<typeof fake.notification>) =>
    app.inject({
      method: 'POST',
      url: `/webhooks/mercadopago/${account.notifyToken}?${new URLSearchParams(query)}`,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: body,
    })
  fake.payPix(reference)

  const forged = await notify(fake.notification(reference, { secret: 'another-secret' }))
  const before = await read(row.id)
  const told = await notify(fake.notification(reference))
  const paid = await read(row.id)
  const { case_id: caseId } = fake.dispute(reference, 'in_process')
  clock.offsetMs = 60_000
  await notify(fake.notification(reference, { type: 'topic_chargebacks_wh', caseId }))
  const disputed = await read(row.id)
  fake.dispute(reference, 'settled')
  clock.offsetMs = 120_000
  await notify(fake.notification(reference, { type: 'topic_chargebacks_wh', caseId }))

  expect([forged.statusCode, told.statusCode]).toEqual([401, 200])
  expect([before, paid, disputed].map(({ status }) => status)).toEqual([
    'pending',
    'approved',
    'approved',
  ])
  expect(paid.pixEndToEndId).toMatch(/^E\w{31}$/)
  expect(await read(row.id)).toMatchObject({ status: 'charged_back' })
  fake.dispute(reference, 'reimbursed')
  clock.offsetMs = 180_000
  await notify(fake.notification(reference, { type: 'topic_chargebacks_wh', caseId }))
  expect(await read(row.id)).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(await testMerchant.listEventTypes(link)).toEqual([
    'transaction.approved',
    'dispute.opened',
    'dispute.closed',
    'transaction.charged_back',
    'dispute.closed',
  ])
})

test('a second refund that Mercado Pago refuses is not taken for the first of the same amount', async () => {
  const { row } = await pay(await newCardLink(), buildMercadoPagoCard('ok', {}))
  const order = { companyId: row.companyId, transactionId: row.id, amountCents: 3_000 }
  const first = await executeRefund(needs, { ...order, id: newId() })
  fake.moveTo(fake.ordersOf(row.id)[0]!.id, 'processing', 'in_review')

  const second = await executeRefund(needs, { ...order, id: newId() })

  expect([first.status, second.status]).toEqual(['succeeded', 'failed'])
  expect(await read(row.id)).toMatchObject({ refundedCents: 3_000, status: 'partially_refunded' })
})

test('a refund that Mercado Pago refuses is not taken for one of the same amount that was made there', async () => {
  const { row } = await pay(await newCardLink(), buildMercadoPagoCard('ok', {}))
  const { id: orderId } = fake.ordersOf(row.id)[0]!
  fake.refundHere(orderId, 1_000)
  fake.refundHere(orderId, 2_000)
  await checkPayment(needs, await read(row.id))
  fake.refundHere(orderId, 3_000)
  await checkPayment(needs, await read(row.id))
  fake.moveTo(orderId, 'processing', 'in_review')

  const order = { companyId: row.companyId, transactionId: row.id, amountCents: 3_000 }
  const refused = await executeRefund(needs, { ...order, id: newId() })

  expect(refused.status).toBe('failed')
  expect(await read(row.id)).toMatchObject({ refundedCents: 6_000, status: 'partially_refunded' })
})
