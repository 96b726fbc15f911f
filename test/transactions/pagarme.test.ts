// A card paid at Pagar.me's page, from the link to the refund and the chargeback: its order decides, often as its news are
// repeated. What all acquirers survive: acquirers.test.ts.
import { beforeEach, expect, test } from 'vitest'
import { checkBook } from '../../src/commands/doctor/integrity.ts'
import { asc, eq } from '../../src/database/drizzle.ts'
import { movements } from '../../src/database/tables.ts'
import { reconcileDuePayments } from '../../src/transactions/reconciliation/reconcile.ts'
import { readPageText } from '../support/payer.ts'
import { openCardMerchant } from '../support/providers/card-merchant.ts'
import { openFakePagarme } from '../support/providers/pagarme/fake.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, db, clock, needs } = testApp
const pagarme = await openFakePagarme({ now: clock.now })
const { newCollectingCompany, newCardLink, pay, read, listEventTypes } = openCardMerchant(
  testApp,
  'pagarme',
  pagarme.config,
)
const CARD = { method: 'credit_card', installments: '3' }
const TOTAL = 10_605

beforeEach(() => pagarme.heal())

/** The payer is at Pagar.me's page, with R$ 100,00 in three. */
async function goThere() {
  const owner = await newCollectingCompany()
  const link = await newCardLink({}, owner)
  const paid = await pay(link, CARD)
  const own = paid.url.replace(/\?.*/, '')
  return { ...owner, link, ...paid, own, orderId: paid.row.providerReference! }
}

function notify(url: string, orderId: string) {
  const { body } = pagarme.notification(orderId)
  const headers = { 'content-type': 'application/json' }
  return app.inject({ method: 'POST', url, headers, payload: body })
}

async function reconcile() {
  await db.$client.query('update transactions set check_at = $1', [clock.now().toISOString()])
  await reconcileDuePayments(needs)
}

test('a card is paid at the page as it was quoted, notified often, approved once and refunded in parts', async () => {
  const { company, link, row, hook, own, orderId, browser } = await goThere()
  const form = readPageText((await app.inject(`/pagar/${link.slug}`)).body)
  pagarme.pay(orderId)

  const news = await Promise.all(Array.from({ length: 10 }, () => notify(hook, orderId)))
  const receipt = readPageText((await browser.get(own)).body)
  const refund = (amountCents: number) =>
    app.inject({
      method: 'POST',
      url: `/api/transactions/${row.id}/refunds`,
      headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': `of-${amountCents}` },
      payload: { amountCents },
    })
  const refunds = [await refund(605), await refund(10_001), await refund(10_000)]

  expect(form).toContain('Continuar no ambiente seguro de Pagar.me')
  expect(row).toMatchObject({ status: 'pending', provider: 'pagarme', totalCents: TOTAL })
  expect(new Set(news.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(receipt).toContain('Visa •••• 1111')
  expect(refunds.map(({ statusCode }) => statusCode)).toEqual([201, 422, 201])
  expect(await read(row.id)).toMatchObject({ status: 'refunded', threeDsStatus: 'attempted' })
  expect(await listEventTypes(link)).toEqual([
    ...['transaction.approved', 'transaction.refunded', 'transaction.refunded'],
  ])
})

test('an answer that was lost is found, and leads its payer on', async () => {
  const link = await newCardLink()
  pagarme.next({ on: /^POST/, works: true, does: 'answer', status: 500 })
  const { row, url, browser } = await pay(link, CARD)
  const waiting = readPageText((await browser.get(url)).body)
  await reconcile()

  expect(row).toMatchObject({ status: 'processing', challengeUrl: null })
  expect(waiting).toContain('Estamos processando seu pagamento')
  expect((await browser.get(url)).body).toContain(pagarme.url)
  expect(pagarme.ordersOf(row.id)).toHaveLength(1)
})

test('a refused card leaves the page open to another, and the acquirer’s reason ends it with its time', async () => {
  const { link, row, own, orderId, browser } = await goThere()
  pagarme.pay(orderId, { code: '51' })
  await browser.get(own)
  expect(await read(row.id)).toMatchObject({ status: 'pending' })
  clock.offsetMs = 31 * 60_000
  await reconcile()

  expect(await read(row.id)).toMatchObject({ status: 'declined', abecsCode: '51' })
  expect(readPageText((await browser.get(own)).body)).toContain('Saldo ou limite insuficiente')
  expect(await listEventTypes(link)).toEqual(['transaction.declined'])
})

test('what is paid after the payment expired is approved late, where the page could not be closed', async () => {
  const { row, own, orderId, browser } = await goThere()
  pagarme.manner.keepsPages = true
  clock.offsetMs = 31 * 60_000
  await reconcile()
  expect(await read(row.id)).toMatchObject({ status: 'expired' })
  pagarme.pay(orderId)
  clock.offsetMs += 3_600_000
  await reconcile()

  expect(await read(row.id)).toMatchObject({ status: 'approved', paidLate: true })
  expect(readPageText((await browser.get(own)).body)).toContain('Comprovante de pagamento')
})

test('a chargeback takes the payment, and gives it back when Pagar.me thinks again', async () => {
  const { link, row, own, orderId, browser } = await goThere()
  pagarme.pay(orderId)
  await browser.get(own)
  pagarme.change(orderId, { status: 'chargedback' })
  await reconcile()
  const lost = await read(row.id)
  pagarme.change(orderId, { status: 'paid' })
  await reconcile()

  expect(lost).toMatchObject({ status: 'charged_back', chargedBackCents: TOTAL })
  expect(await read(row.id)).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(await listEventTypes(link)).toEqual([
    ...['transaction.approved', 'dispute.opened', 'dispute.closed', 'transaction.charged_back'],
    'dispute.closed',
  ])
})

test('what was held and is canceled in Pagar.me’s own panel has gone back, and needs no decision', async () => {
  const { company, link, row, own, orderId, browser } = await goThere()
  pagarme.pay(orderId, { paidCents: TOTAL - 1 })
  await browser.get(own)
  const held = await read(row.id)
  pagarme.change(orderId, { status: 'canceled', canceled_amount: TOTAL - 1 })
  await reconcile()
  const headers = { authorization: `Bearer ${company.key}` }
  const told = (await app.inject({ url: `/api/transactions/${row.id}`, headers })).json()

  expect(held).toMatchObject({ status: 'pending', receivedCents: TOTAL - 1 })
  expect(told).toMatchObject({
    ...{ status: 'canceled', approvedAt: null },
    refunds: [{ amountCents: TOTAL - 1, status: 'succeeded' }],
  })
  expect(readPageText((await browser.get(own)).body)).toContain('devolvid')
  expect(await listEventTypes(link)).toEqual(['transaction.held', 'transaction.canceled'])
})

async function readBook(transactionId: string) {
  const rows = await db
    .select({ kind: movements.kind, cents: movements.cents })
    .from(movements)
    .where(eq(movements.transactionId, transactionId))
    .orderBy(asc(movements.bookedAt), asc(movements.kind))
  return rows.map(({ kind, cents }) => [kind, cents])
}

test.each([0, 1])(
  'of two paid charges the one of place %i is given back in Pagar.me’s own panel, and the other pays the sale',
  async (place) => {
    const { row, own, orderId, browser } = await goThere()
    pagarme.pay(orderId)
    await browser.get(own)
    clock.offsetMs += 60_000
    pagarme.payAgain(orderId)
    await reconcile()
    const charge = pagarme.orders.get(orderId)!.charges[place]!
    Object.assign(charge, { status: 'canceled', canceled_amount: TOTAL })
    await reconcile()

    expect(await read(row.id)).toMatchObject({ status: 'approved', refundedCents: 0 })
    expect((await readBook(row.id)).slice(2)).toEqual([['surplus_refund', -TOTAL]])
    expect(await checkBook(db)).toMatchObject({ status: 'ok' })
  },
)

test('a card that was declined, is paid all the same and is not voided, is held for its company to refund', async () => {
  const { company, link, row, own, orderId, browser } = await goThere()
  pagarme.manner.keepsPages = true
  pagarme.pay(orderId, { code: '51' })
  clock.offsetMs = 31 * 60_000
  await reconcile()
  pagarme.pay(orderId)
  const body = JSON.stringify({ message: 'Saldo insuficiente.' })
  pagarme.next({ on: /^DELETE/, does: 'answer', status: 412, body })
  await reconcile()
  const asked = await read(row.id)
  clock.offsetMs += 16 * 60_000
  await reconcile()
  const held = await read(row.id)
  const shown = readPageText((await browser.get(own)).body)
  const refund = await app.inject({
    ...{ method: 'POST', url: `/api/transactions/${row.id}/refunds`, payload: {} },
    headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': 'unvoided' },
  })
  await reconcile()

  expect(asked).toMatchObject({ status: 'declined', holdReason: null })
  expect(asked.checkAt).not.toBeNull()
  expect(held).toMatchObject({
    ...{ status: 'declined', approvedAt: null, receivedCents: TOTAL },
    holdReason: expect.stringContaining('não os devolveu'),
  })
  expect(shown).toContain('Pagamento em análise')
  expect(refund.json()).toMatchObject({ amountCents: TOTAL, status: 'succeeded' })
  expect(await read(row.id)).toMatchObject({ status: 'canceled', approvedAt: null })
  expect(await readBook(row.id)).toEqual([])
  expect(await listEventTypes(link)).toEqual([
    ...['transaction.declined', 'transaction.held', 'transaction.canceled'],
  ])
})
