// Providers at their worst, and the real program twice: no payment is lost, none is taken twice, and the
// company can read what happened.
import { expect, test } from 'vitest'
import { PIX } from '../support/payer.ts'
import { SOON } from '../support/processes/consistency-checks.ts'
import type { FakeAcquirer } from '../support/providers/acquirers.ts'
import {
  openRealProviders,
  PRICE_CENTS,
  sendPixNotification,
} from '../support/providers/real-providers.ts'

const realProviders = await openRealProviders()
const {
  bank,
  acquirers,
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

const each = acquirers.map((acquirer) => [acquirer.provider, acquirer] as const)

test.each(each)(
  'a bank and %s that charge and do not say so in time have charged once',
  async (_provider, acquirer) => {
    const { victim, testMerchant } = await openTwoServices(acquirer)
    bank.next({ on: /^PUT .cob/, works: true, does: 'hang' })
    acquirer.next({ works: true, does: 'hang' })
    const forms = await Promise.all([
      testMerchant.fill(PIX),
      testMerchant.fill(acquirer.buildCard()),
    ])

    const answers = await Promise.all(forms.map((submit) => submit(victim.baseUrl)))
    const [pix, card] = [await readPaymentRow('pix'), await readPaymentRow('credit_card')]
    const { id } = card
    await makeDue()
    await expect.poll(async () => (await readPaymentRow('pix')).pix_br_code, SOON).not.toBeNull()
    if (acquirer.isElsewhere) await testMerchant.approve(id, victim.baseUrl)
    await makeDue()
    await expect
      .poll(async () => (await readPaymentRow('credit_card')).status, SOON)
      .toBe('approved')
    bank.pay(pix.pix_txid, PRICE_CENTS)
    await sendPixNotification(victim.baseUrl + testMerchant.pixAddress, pix.pix_txid)

    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    // A bank is asked again at once, so that the payer has a code.
    expect(pix.status).toBe('pending')
    // A list of the account may have shown the card's charge by then.
    expect(['processing', 'approved']).toContain(card.status)
    expect(pix.pix_br_code).toMatch(/^0002/)
    expect([bank.book.cobs.size, acquirer.chargesOf(id).length]).toEqual([1, 1])
    await expectPublished(testMerchant, [APPROVED, APPROVED])
    expect(await stepsOf(id)).toContainEqual(NO_ANSWER)
  },
)

test.each(each)(
  'ten minutes of 500s of a bank and %s cost no payment: all is found when they are back',
  async (_provider, acquirer) => {
    const { victim, testMerchant } = await openTwoServices(acquirer)
    await (await testMerchant.fill(PIX))()
    const { pix_txid: txid, id } = await readPaymentRow('pix')
    bank.next({ on: /cob/, does: 'answer', status: 500, times: 10_000 })
    acquirer.next({ works: true, does: 'answer', status: 500, times: 1_000 })
    bank.pay(txid, PRICE_CENTS)
    await sendPixNotification(victim.baseUrl + testMerchant.pixAddress, txid)
    await (await testMerchant.fill(acquirer.buildCard()))()
    const card = await readPaymentRow('credit_card')
    if (acquirer.isElsewhere) acquirer.approve(card.id)

    for (let minute = 1; minute <= 10; minute++) await advanceOneMinute(acquirer)
    const during = [
      (await readPaymentRow('pix')).status,
      (await readPaymentRow('credit_card')).status,
    ]
    bank.heal()
    acquirer.heal()
    await makeDue()

    expect(during).toEqual(['pending', 'processing'])
    await expectPublished(testMerchant, [APPROVED, APPROVED])
    expect(acquirer.chargesOf(card.id)).toHaveLength(1)
    expect(await stepsOf(id)).toEqual([
      { kind: 'notified', provider: 'pix-api' },
      buildSettledStep('reconciliation'),
    ])
  },
)

/** Everything is a minute older, and everybody has been asked. */
async function advanceOneMinute(acquirer: FakeAcquirer) {
  const [ofBank, ofAcquirer] = [bank.calls(/cob/).length, acquirer.asked.length]
  await rowsOf(`update transactions set check_at = now(), created_at = created_at - interval '1 minute',
    expires_at = expires_at - interval '1 minute'`)
  await expect.poll(() => bank.calls(/cob/).length, SOON).toBeGreaterThan(ofBank)
  await expect.poll(() => acquirer.asked.length, SOON).toBeGreaterThan(ofAcquirer)
}

test.each(each)(
  'less than was asked for of a bank and %s is held for the company, and goes back whole',
  async (_provider, acquirer) => {
    const received = PRICE_CENTS - 1
    const services = await openTwoServices(acquirer)
    await payOtherAmount(services, acquirer, received)

    const held = { kind: 'held', receivedCents: received, totalCents: PRICE_CENTS }
    const rows = () => rowsOf<{ id: string; received_cents: number }>('select * from transactions')
    const amounts = async () => (await rows()).map(({ received_cents: cents }) => cents)
    await expect.poll(amounts, SOON).toEqual([received, received])
    const { victim, testMerchant } = services
    for (const { id } of await rows()) {
      expect((await stepsOf(id)).at(-1)).toEqual(held)
      expect((await testMerchant.refund(victim.baseUrl, id, 100)).status).toBe(422)
      expect((await testMerchant.refund(victim.baseUrl, id, received)).status).toBe(201)
    }
    expect(await listEventTypes()).toEqual([
      ...['transaction.canceled', 'transaction.canceled'],
      ...['transaction.held', 'transaction.held'],
    ])
  },
)

test.each(each)(
  'more than was asked for is a surplus of a Pix, and holds a card at %s',
  async (_provider, acquirer) => {
    const received = PRICE_CENTS + 1
    await payOtherAmount(await openTwoServices(acquirer), acquirer, received)

    const told = ['transaction.approved', 'transaction.held', 'transaction.overpaid']
    await expect.poll(listEventTypes, SOON).toEqual(told)
    const [pix, card] = [await readPaymentRow('pix'), await readPaymentRow('credit_card')]
    expect(pix).toMatchObject({ status: 'approved', received_cents: null })
    expect(card).toMatchObject({ approved_at: null, received_cents: received })
    expect(await rowsOf('select surplus_cents from incoming_payments')).toEqual([
      { surplus_cents: 1 },
    ])
  },
)

async function listEventTypes() {
  return (await rowsOf<{ type: string }>('select type from events')).map(({ type }) => type).sort()
}

type Services = Awaited<ReturnType<typeof openTwoServices>>

/** By Pix and by card. */
async function payOtherAmount(
  { victim, testMerchant }: Services,
  acquirer: FakeAcquirer,
  received: number,
) {
  acquirer.takeOther(received)
  await (await testMerchant.fill(PIX))()
  await (await testMerchant.fill(acquirer.buildCard()))()
  if (acquirer.isElsewhere) {
    await testMerchant.approve((await readPaymentRow('credit_card')).id, victim.baseUrl)
  }
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

test.each(each.filter(([, { isElsewhere }]) => !isElsewhere))(
  'a forged signature of %s is refused unread; the genuine one, however old, is believed after asking',
  async (_provider, acquirer) => {
    const { victim, testMerchant } = await openTwoServices(acquirer)
    await (await testMerchant.fill(acquirer.buildCard(false)))()
    const { id } = await theOnly('transactions')
    acquirer.approve(id)
    const send = (how: object) => testMerchant.notifyOfCard(id, victim.baseUrl, how)
    const asked = acquirer.calls(acquirer.on.read).length

    const forged = await send({ isForged: true })
    const askedSince = acquirer.calls(acquirer.on.read).length - asked
    const genuine = await send({ at: new Date(Date.now() - 3_600_000) })

    expect([forged.status, genuine.status]).toEqual([401, 200])
    expect(askedSince).toBe(0)
    await expectPublished(testMerchant, [APPROVED])
    expect(await stepsOf(id)).toEqual([
      { kind: 'processing' },
      { kind: 'notified', provider: acquirer.provider },
      buildSettledStep('notification'),
    ])
  },
)

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
