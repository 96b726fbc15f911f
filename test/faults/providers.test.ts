// Providers at their worst, and the real program twice: no payment is lost, none is taken twice, and the
// company can read what happened.
import { expect, test } from 'vitest'
import { SOON } from '../support/ledger.ts'
import { mercadoPagoCard } from '../support/mercadopago-shop.ts'
import { PIX } from '../support/payer.ts'
import { goodCard, notify, openRealMoney, PRICE } from '../support/real-shop.ts'

const world = await openRealMoney()
const { bank, market, open, openTwo, rowsOf, theOnly, stepsOf, makeDue, expectTold } = world

type Row = { id: string; status: string; pix_txid: string; pix_br_code: string | null }

async function rowOf(method: 'pix' | 'credit_card') {
  const [row] = await rowsOf<Row>('select * from transactions where method = $1', method)
  return row!
}

const APPROVED = 'transaction.approved'
const NO_ANSWER = { kind: 'provider_failed', reason: 'timeout' }
const settledBy = (source: string) => ({ kind: 'settled', status: 'approved', source })

test('providers that charge and do not say so in time have charged once', async () => {
  const { victim, shop } = await openTwo()
  bank.next({ on: /^PUT .cob/, works: true, does: 'hang' })
  market.next({ after: true, how: 'hangs' })
  const forms = await Promise.all([shop.fill(PIX), shop.fill(goodCard())])

  const answers = await Promise.all(forms.map((submit) => submit(victim.baseUrl)))
  const [pix, card] = [await rowOf('pix'), await rowOf('credit_card')]
  await makeDue()
  await expect.poll(async () => (await rowOf('pix')).pix_br_code, SOON).not.toBeNull()
  await expect.poll(async () => (await rowOf('credit_card')).status, SOON).toBe('approved')
  bank.pay(pix.pix_txid, PRICE)
  await notify(victim.baseUrl + shop.pixAddress, pix.pix_txid)

  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  expect([pix.status, pix.pix_br_code, card.status]).toEqual(['pending', null, 'processing'])
  expect([bank.book.cobs.size, market.orders().length]).toEqual([1, 1])
  await expectTold(shop, [APPROVED, APPROVED])
  expect(await stepsOf(card.id)).toEqual([NO_ANSWER, settledBy('reconciliation')])
  expect((await stepsOf(pix.id))[0]).toEqual(NO_ANSWER)
})

test('ten minutes of 500s cost no payment: all is found when the providers are back', async () => {
  const { victim, shop } = await openTwo()
  await (await shop.fill(PIX))()
  const { pix_txid: txid, id } = await rowOf('pix')
  bank.next({ on: /cob/, does: 'answer', status: 500, times: 10_000 })
  market.next(...Array.from({ length: 1_000 }, () => ({ after: true, how: 500 })))
  bank.pay(txid, PRICE)
  await notify(victim.baseUrl + shop.pixAddress, txid)
  await (await shop.fill(goodCard()))()

  for (let minute = 1; minute <= 10; minute++) await letAMinutePass()
  const during = [(await rowOf('pix')).status, (await rowOf('credit_card')).status]
  bank.heal()
  market.heal()
  await makeDue()

  expect(during).toEqual(['pending', 'processing'])
  await expectTold(shop, [APPROVED, APPROVED])
  expect(market.orders()).toHaveLength(1)
  expect(await stepsOf(id)).toEqual([
    { kind: 'notified', provider: 'pix-api' },
    settledBy('reconciliation'),
  ])
})

/** Everything is a minute older, and everybody has been asked. */
async function letAMinutePass() {
  const [ofBank, ofMarket] = [bank.calls(/cob/).length, market.calls.length]
  await rowsOf(`update transactions set check_at = now(), created_at = created_at - interval '1 minute',
    expires_at = expires_at - interval '1 minute'`)
  await expect.poll(() => bank.calls(/cob/).length, SOON).toBeGreaterThan(ofBank)
  await expect.poll(() => market.calls.length, SOON).toBeGreaterThan(ofMarket)
}

test.each([
  ['less', PRICE - 1],
  ['more', PRICE + 1],
])('%s than was asked for is held for the company and never approved', async (_, received) => {
  const { victim, shop } = await openTwo()
  market.settings.otherCents = received
  await (await shop.fill(PIX))()
  await (await shop.fill(goodCard()))()
  const { pix_txid: txid } = await rowOf('pix')
  bank.pay(txid, received)
  await notify(victim.baseUrl + shop.pixAddress, txid)
  await makeDue()

  const held = { kind: 'held', receivedCents: received, totalCents: PRICE }
  const rows = () => rowsOf<{ id: string; received_cents: number }>('select * from transactions')
  const amounts = async () => (await rows()).map(({ received_cents: cents }) => cents)
  await expect.poll(amounts, SOON).toEqual([received, received])
  for (const { id } of await rows()) {
    expect((await stepsOf(id)).at(-1)).toEqual(held)
    expect((await shop.refund(victim.baseUrl, id, 100)).status).toBe(422)
    expect((await shop.refund(victim.baseUrl, id, received)).status).toBe(201)
  }
  expect(await rowsOf('select type from events')).toEqual([])
})

test('a hundred notifications at once, at both processes, are one approval', async () => {
  const { victim, survivor, shop } = await openTwo()
  await (await shop.fill(PIX))()
  const { id, pix_txid: txid } = await theOnly('transactions')
  bank.pay(txid, PRICE)
  const addresses = [victim, survivor].flatMap(({ baseUrl }) =>
    ['', '/pix'].map((suffix) => baseUrl + shop.pixAddress + suffix),
  )

  const news = Array.from({ length: 100 }, (_, i) => notify(addresses[i % 4]!, txid))
  const answers = await Promise.all(news)

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(bank.calls(/^GET .cob.PL/).length).toBeLessThan(20)
  await expectTold(shop, [APPROVED])
  const steps = await stepsOf(id)
  expect(steps.filter(({ kind }) => kind === 'settled')).toEqual([settledBy('notification')])
})

test('news of a stranger’s charge changes nothing, not even who is asked about', async () => {
  const { victim, shop } = await openTwo()
  const other = await open(victim.baseUrl)
  await (await other.fill(PIX))()
  const { pix_txid: txid } = await theOnly('transactions')
  bank.pay(txid, PRICE)

  const answers = [
    await notify(victim.baseUrl + shop.pixAddress, txid),
    await notify(victim.baseUrl + shop.pixAddress, 'PL00000000000000000000000000000000'),
    await notify(`${victim.baseUrl}/webhooks/pix-api/${'x'.repeat(43)}`, txid),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
  expect(bank.calls(/^GET .cob/)).toEqual([])
  expect(await theOnly('transactions')).toMatchObject({ status: 'pending' })
})

test('a forged signature is refused unread; the genuine one is believed after asking', async () => {
  const { victim, shop } = await openTwo()
  await (await shop.fill(mercadoPagoCard('processing')))()
  const [order] = market.orders()
  market.accept(order!.id)
  const send = (how: object) => {
    const { headers, query, body } = market.notification(order!.id, how)
    const url = `${victim.baseUrl}${shop.cardAddress}?${new URLSearchParams(query)}`
    return fetch(url, {
      method: 'POST',
      body: body.toString(),
      headers: { ...headers, ...JSON_TYPE },
    })
  }
  const asked = market.calls.length

  const forged = await send({ secret: 'another-secret' })
  const stale = await send({ at: new Date(Date.now() - 3_600_000) })
  const askedSince = market.calls.length - asked
  const genuine = await send({})

  expect([forged.status, stale.status, genuine.status]).toEqual([401, 401, 200])
  expect(askedSince).toBe(0)
  await expectTold(shop, [APPROVED])
  expect(await stepsOf(order!.external_reference)).toEqual([
    { kind: 'processing' },
    { kind: 'notified', provider: 'mercadopago' },
    settledBy('notification'),
  ])
})

const JSON_TYPE = { 'content-type': 'application/json' }

test('a token that the bank takes back mid-flight costs no payer anything', async () => {
  const { victim, survivor, shop } = await openTwo()
  const forms = await Promise.all(Array.from({ length: 16 }, () => shop.fill(PIX)))

  const answers = forms.map((submit, i) => submit((i % 2 ? victim : survivor).baseUrl))
  for (const made of [2, 6, 10]) {
    await expect.poll(() => bank.book.cobs.size, SOON).toBeGreaterThanOrEqual(made)
    bank.desk.valid.clear()
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status)

  expect(statuses).toEqual(forms.map(() => 303))
  expect(bank.book.cobs.size).toBe(16)
  const rows = await rowsOf<Row>('select * from transactions where pix_br_code is not null')
  expect(rows.map(({ pix_txid: txid }) => txid).sort()).toEqual([...bank.book.cobs.keys()].sort())
  expect(bank.desk.issued).toBeGreaterThan(2)
})
