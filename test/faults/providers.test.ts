// Providers at their worst, and the real program twice: no payment is lost, none is taken twice, and the
// company can read what happened.
import { expect, test } from 'vitest'
import { PIX } from '../support/payer.ts'
import { SOON } from '../support/processes/consistency-checks.ts'
import { buildMercadoPagoCard } from '../support/providers/mercadopago/merchant.ts'
import {
  buildApprovedCard,
  openRealProviders,
  PRICE_CENTS,
  sendPixNotification,
} from '../support/providers/real-providers.ts'

const realProviders = await openRealProviders()
const {
  bank,
  mercadoPago,
  open,
  openTwoServices,
  rowsOf,
  theOnly,
  stepsOf,
  makeDue,
  expectPublished,
} = realProviders

type Row = { id: string; status: string; pix_txid: string; pix_br_code: string | null }

async function readPaymentRow(method: 'pix' | 'credit_card') {
  const [row] = await rowsOf<Row>('select * from transactions where method = $1', method)
  return row!
}

const APPROVED = 'transaction.approved'
const NO_ANSWER = { kind: 'provider_failed', reason: 'timeout' }
const buildSettledStep = (source: string) => ({ kind: 'settled', status: 'approved', source })

test('providers that charge and do not say so in time have charged once', async () => {
  const { victim, testMerchant } = await openTwoServices()
  bank.next({ on: /^PUT .cob/, works: true, does: 'hang' })
  mercadoPago.next({ works: true, does: 'hang' })
  const forms = await Promise.all([testMerchant.fill(PIX), testMerchant.fill(buildApprovedCard())])

  const answers = await Promise.all(forms.map((submit) => submit(victim.baseUrl)))
  const [pix, card] = [await readPaymentRow('pix'), await readPaymentRow('credit_card')]
  await makeDue()
  await expect.poll(async () => (await readPaymentRow('pix')).pix_br_code, SOON).not.toBeNull()
  await expect.poll(async () => (await readPaymentRow('credit_card')).status, SOON).toBe('approved')
  bank.pay(pix.pix_txid, PRICE_CENTS)
  await sendPixNotification(victim.baseUrl + testMerchant.pixAddress, pix.pix_txid)

  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  // A bank is asked again at once, so that the payer has a code.
  expect([pix.status, card.status]).toEqual(['pending', 'processing'])
  expect(pix.pix_br_code).toMatch(/^0002/)
  expect([bank.book.cobs.size, mercadoPago.orders().length]).toEqual([1, 1])
  await expectPublished(testMerchant, [APPROVED, APPROVED])
  expect(await stepsOf(card.id)).toEqual([NO_ANSWER, buildSettledStep('reconciliation')])
})

test('ten minutes of 500s cost no payment: all is found when the providers are back', async () => {
  const { victim, testMerchant } = await openTwoServices()
  await (await testMerchant.fill(PIX))()
  const { pix_txid: txid, id } = await readPaymentRow('pix')
  bank.next({ on: /cob/, does: 'answer', status: 500, times: 10_000 })
  mercadoPago.next({ works: true, does: 'answer', status: 500, times: 1_000 })
  bank.pay(txid, PRICE_CENTS)
  await sendPixNotification(victim.baseUrl + testMerchant.pixAddress, txid)
  await (await testMerchant.fill(buildApprovedCard()))()

  for (let minute = 1; minute <= 10; minute++) await advanceOneMinute()
  const during = [
    (await readPaymentRow('pix')).status,
    (await readPaymentRow('credit_card')).status,
  ]
  bank.heal()
  mercadoPago.heal()
  await makeDue()

  expect(during).toEqual(['pending', 'processing'])
  await expectPublished(testMerchant, [APPROVED, APPROVED])
  expect(mercadoPago.orders()).toHaveLength(1)
  expect(await stepsOf(id)).toEqual([
    { kind: 'notified', provider: 'pix-api' },
    buildSettledStep('reconciliation'),
  ])
})

/** Everything is a minute older, and everybody has been asked. */
async function advanceOneMinute() {
  const [ofBank, ofMarket] = [bank.calls(/cob/).length, mercadoPago.asked.length]
  await rowsOf(`update transactions set check_at = now(), created_at = created_at - interval '1 minute',
    expires_at = expires_at - interval '1 minute'`)
  await expect.poll(() => bank.calls(/cob/).length, SOON).toBeGreaterThan(ofBank)
  await expect.poll(() => mercadoPago.asked.length, SOON).toBeGreaterThan(ofMarket)
}

test('less than was asked for is held for the company, and goes back whole', async () => {
  const received = PRICE_CENTS - 1
  const { victim, testMerchant } = await openTwoServices()
  await payOtherAmount(victim, testMerchant, received)

  const held = { kind: 'held', receivedCents: received, totalCents: PRICE_CENTS }
  const rows = () => rowsOf<{ id: string; received_cents: number }>('select * from transactions')
  const amounts = async () => (await rows()).map(({ received_cents: cents }) => cents)
  await expect.poll(amounts, SOON).toEqual([received, received])
  for (const { id } of await rows()) {
    expect((await stepsOf(id)).at(-1)).toEqual(held)
    expect((await testMerchant.refund(victim.baseUrl, id, 100)).status).toBe(422)
    expect((await testMerchant.refund(victim.baseUrl, id, received)).status).toBe(201)
  }
  const types = (await rowsOf<{ type: string }>('select type from events')).map(({ type }) => type)
  expect(types.sort()).toEqual([
    ...['transaction.canceled', 'transaction.canceled'],
    ...['transaction.held', 'transaction.held'],
  ])
})

test('more than was asked for is a surplus of a Pix, and holds a card', async () => {
  const received = PRICE_CENTS + 1
  const { victim, testMerchant } = await openTwoServices()
  await payOtherAmount(victim, testMerchant, received)

  const types = async () =>
    (await rowsOf<{ type: string }>('select type from events')).map(({ type }) => type).sort()
  const told = ['transaction.approved', 'transaction.held', 'transaction.overpaid']
  await expect.poll(types, SOON).toEqual(told)
  const [pix, card] = [await readPaymentRow('pix'), await readPaymentRow('credit_card')]
  expect(pix).toMatchObject({ status: 'approved', received_cents: null })
  expect(card).toMatchObject({ status: 'processing', received_cents: received })
  expect(await rowsOf('select surplus_cents from incoming_payments')).toEqual([
    { surplus_cents: 1 },
  ])
})

type Shop = Awaited<ReturnType<typeof openTwoServices>>

/** By Pix and by card. */
async function payOtherAmount(
  victim: Shop['victim'],
  testMerchant: Shop['testMerchant'],
  received: number,
) {
  mercadoPago.settings.otherCents = received
  await (await testMerchant.fill(PIX))()
  await (await testMerchant.fill(buildApprovedCard()))()
  const { pix_txid: txid } = await readPaymentRow('pix')
  bank.pay(txid, received)
  await sendPixNotification(victim.baseUrl + testMerchant.pixAddress, txid)
  await makeDue()
}

test('a hundred notifications at once, at both processes, are one approval', async () => {
  const { victim, survivor, testMerchant } = await openTwoServices()
  await (await testMerchant.fill(PIX))()
  const { id, pix_txid: txid } = await theOnly('transactions')
  bank.pay(txid, PRICE_CENTS)
  const addresses = [victim, survivor].flatMap(({ baseUrl }) =>
    ['', '/pix'].map((suffix) => baseUrl + testMerchant.pixAddress + suffix),
  )

  const news = Array.from({ length: 100 }, (_, i) => sendPixNotification(addresses[i % 4]!, txid))
  const answers = await Promise.all(news)

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(bank.calls(/^GET .cob.PL/).length).toBeLessThan(20)
  await expectPublished(testMerchant, [APPROVED])
  const steps = await stepsOf(id)
  expect(steps.filter(({ kind }) => kind === 'settled')).toEqual([buildSettledStep('notification')])
})

test('news of a stranger’s charge changes nothing, not even who is asked about', async () => {
  const { victim, testMerchant } = await openTwoServices()
  const other = await open(victim.baseUrl)
  await (await other.fill(PIX))()
  const { pix_txid: txid } = await theOnly('transactions')
  bank.pay(txid, PRICE_CENTS)

  const answers = [
    await sendPixNotification(victim.baseUrl + testMerchant.pixAddress, txid),
    await sendPixNotification(
      victim.baseUrl + testMerchant.pixAddress,
      'PL00000000000000000000000000000000',
    ),
    await sendPixNotification(`${victim.baseUrl}/webhooks/pix-api/${'x'.repeat(43)}`, txid),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
  expect(bank.calls(/^GET .cob/)).toEqual([])
  expect(await theOnly('transactions')).toMatchObject({ status: 'pending' })
})

test('a forged signature is refused unread; the genuine one, however old, is believed after asking', async () => {
  const { victim, testMerchant } = await openTwoServices()
  await (await testMerchant.fill(buildMercadoPagoCard('processing')))()
  const [order] = mercadoPago.orders()
  mercadoPago.accept(order!.id)
  const send = (how: object) => {
    const { headers, query, body } = mercadoPago.notification(order!.id, how)
    const url = `${victim.baseUrl}${testMerchant.cardAddress}?${new URLSearchParams(query)}`
    return fetch(url, {
      method: 'POST',
      body: body.toString(),
      headers: { ...headers, ...JSON_TYPE },
    })
  }
  const asked = mercadoPago.asked.length

  const forged = await send({ secret: 'another-secret' })
  const askedSince = mercadoPago.asked.length - asked
  const genuine = await send({ at: new Date(Date.now() - 3_600_000) })

  expect([forged.status, genuine.status]).toEqual([401, 200])
  expect(askedSince).toBe(0)
  await expectPublished(testMerchant, [APPROVED])
  expect(await stepsOf(order!.external_reference)).toEqual([
    { kind: 'processing' },
    { kind: 'notified', provider: 'mercadopago' },
    buildSettledStep('notification'),
  ])
})

const JSON_TYPE = { 'content-type': 'application/json' }

test('a token that the bank takes back mid-flight costs no payer anything', async () => {
  const { victim, survivor, testMerchant } = await openTwoServices()
  const forms = await Promise.all(Array.from({ length: 16 }, () => testMerchant.fill(PIX)))

  const answers = forms.map((submit, i) => submit((i % 2 ? victim : survivor).baseUrl))
  for (const made of [2, 6, 10]) {
    await expect.poll(() => bank.book.cobs.size, SOON).toBeGreaterThanOrEqual(made)
    bank.tokens.valid.clear()
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status)

  expect(statuses).toEqual(forms.map(() => 303))
  expect(bank.book.cobs.size).toBe(16)
  const rows = await rowsOf<Row>('select * from transactions where pix_br_code is not null')
  expect(rows.map(({ pix_txid: txid }) => txid).sort()).toEqual([...bank.book.cobs.keys()].sort())
  expect(bank.tokens.issued).toBeGreaterThan(2)
})
