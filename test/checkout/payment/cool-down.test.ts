// Payers with too many declined cards, and the people around them who just want to pay.
import { beforeEach, expect, test } from 'vitest'
import { purgeCardAttempts } from '../../../src/checkout/payment/card-testing.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { cardAttempts, transactions } from '../../../src/database/tables.ts'
import { buildNetworkLimits, countHits } from '../../../src/http/limiter.ts'
import { MINUTE_MS, openCardTesting } from '../../support/card-testing.ts'
import {
  AGAIN,
  buildTestCard,
  MARIA,
  newPayerAddress,
  openCheckout,
  openPayerBrowser,
  PIX,
  readFormFields,
  readPageText,
  type TestLink,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, needs, newCompany } = testApp
const { newLink, pay, paymentsOf } = openCheckout(testApp)
const { decline, warningsOf } = openCardTesting(testApp)

const TOO_MANY = 'Muitas tentativas com cartão em pouco tempo. Pague com Pix ou aguarde 15 minutos.'
const OTHER = '12.ABC.345/01DE-35'

// Nothing that one test did is counted in the next.
beforeEach(() => {
  clock.offsetMs += 2 * 60 * MINUTE_MS
})

test('who is to cool down reads why, keeps what was typed, and pays with Pix', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  await decline(link, 5, { address: browser.address })

  const refused = await browser.pay(link, buildTestCard('ok'), AGAIN)
  const paid = await browser.post(`/pagar/${link.slug}/payments`, readFormFields(refused.body))

  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('900')
  expect(readPageText(refused.body)).toContain(TOO_MANY)
  expect(readFormFields(refused.body)).toMatchObject({ ...MARIA, method: 'pix', cardToken: '' })
  expect(paid.statusCode).toBe(303)
  expect(await paymentsOf(link)).toContainEqual(
    expect.objectContaining({ method: 'pix', status: 'pending' }),
  )
})

test('on a link for cards alone the cool-down does not speak of Pix', async () => {
  const link = await newLink({ methods: ['credit_card'] })
  const browser = openPayerBrowser(app)
  await decline(link, 5, { address: browser.address })

  const refused = await browser.pay(link, buildTestCard('ok'), AGAIN)

  expect(refused.statusCode).toBe(429)
  expect(readPageText(refused.body)).toContain('Tente novamente em 15 minutos.')
  expect(readPageText(refused.body)).not.toContain('Pix')
  expect(readFormFields(refused.body)).toMatchObject({ ...MARIA, method: 'credit_card' })
})

test.each(['address', 'last4'] as const)(
  'the cool-down of an %s ends fifteen minutes after the first of the five',
  async (what) => {
    const link = await newLink()
    const tried = what === 'address' ? { address: newPayerAddress() } : { last4: '7777' }
    const again = () => {
      const filled = buildTestCard(
        'ok',
        tried.last4 ? { cardLast4: tried.last4, taxId: OTHER } : {},
      )
      return pay(link, filled, openPayerBrowser(app, tried.address))
    }
    await decline(link, 1, tried)
    clock.offsetMs += 5 * MINUTE_MS
    await decline(link, 4, tried)

    clock.offsetMs += 9.5 * MINUTE_MS
    const early = await again()
    clock.offsetMs += MINUTE_MS
    const late = await again()

    expect(early.response.statusCode).toBe(429)
    expect(late.row).toMatchObject({ status: 'approved' })
  },
)

test('a good payer at another link, another address or with another card notices nothing', async () => {
  const company = await newCompany()
  const [attacked, other] = [await newLink({}, company), await newLink({}, company)]
  const address = newPayerAddress()
  await decline(attacked, 5, { address })
  await decline(attacked, 5, { last4: '8888' })

  const sameAddress = await pay(other, buildTestCard('ok'), openPayerBrowser(app, address))
  const sameLink = await pay(attacked, buildTestCard('ok'))
  const paidBefore = await sameLink.browser.pay(attacked, buildTestCard('ok'), AGAIN)

  expect(sameAddress.row).toMatchObject({ status: 'approved' })
  expect(sameLink.row).toMatchObject({ status: 'approved' })
  expect(paidBefore.statusCode).toBe(303)
})

test('a card that goes through does not make up for those that did not', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  await decline(link, 4, { address })
  const approved = await pay(link, buildTestCard('ok'), openPayerBrowser(app, address))
  await decline(link, 1, { address })

  const { response } = await pay(link, buildTestCard('ok'), openPayerBrowser(app, address))

  expect(approved.row).toMatchObject({ status: 'approved' })
  expect(response.statusCode).toBe(429)
})

test('a provider that is down speaks against no payer', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  await decline(link, 21, { address })
  await db
    .update(transactions)
    .set({ abecsCode: '91' })
    .where(eq(transactions.paymentLinkId, link.id))

  const { row } = await pay(link, buildTestCard('ok'), openPayerBrowser(app, address))

  expect(row).toMatchObject({ status: 'approved' })
  expect(await warningsOf(link)).toEqual([])
})

test('thirty payments a minute of one address at one link are taken, Pix too; the next is asked to wait, its form kept', async () => {
  const [link, other] = [await newLink(), await newLink()]
  const address = newPayerAddress()
  const pix = (to: TestLink) => openPayerBrowser(app, address).pay(to, PIX)
  const own = buildNetworkLimits(`pay:${link.id}`, address, { max: 30, windowMs: MINUTE_MS })
  for (let i = 0; i < 29; i++) await countHits(needs.limiter, own, `before ${i}`)
  expect((await pix(link)).statusCode).toBe(303)

  const refused = await pix(link)
  const elsewhere = await pix(other)
  clock.offsetMs += MINUTE_MS
  const later = await pix(link)

  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(readPageText(refused.body)).toContain('Muitas tentativas em pouco tempo.')
  expect(readFormFields(refused.body)).toMatchObject({ ...MARIA, method: 'pix' })
  expect([elsewhere.statusCode, later.statusCode]).toEqual([303, 303])
  expect(await paymentsOf(link)).toHaveLength(2)
})

test('new codes for an expired Pix count as payments', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  const { browser, url } = await pay(link, PIX, openPayerBrowser(app, address))
  clock.offsetMs += 31 * MINUTE_MS
  const { attempt } = readFormFields((await browser.get(url)).body)
  const own = buildNetworkLimits(`pay:${link.id}`, address, { max: 30, windowMs: MINUTE_MS })
  for (let i = 0; i < 30; i++) await countHits(needs.limiter, own, `before ${i}`)

  const refused = await browser.post(`${url}/renew`, { attempt })
  clock.offsetMs += MINUTE_MS
  const later = await browser.post(`${url}/renew`, { attempt })

  expect(refused.statusCode).toBe(429)
  expect(readPageText(refused.body)).toContain('Muitas tentativas em pouco tempo.')
  expect(later.headers.location).toMatch(/\/payments\//)
})

test('neither addresses nor cards can be read from what is kept, and after 30 days nothing is', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  await decline(link, 1, { address })
  const of = eq(cardAttempts.paymentLinkId, link.id)
  const [kept] = await db.select().from(cardAttempts).where(of)

  clock.offsetMs += 30 * 24 * 60 * MINUTE_MS - MINUTE_MS
  await purgeCardAttempts(db, clock.now())
  const before = await db.select().from(cardAttempts).where(of)
  clock.offsetMs += 2 * MINUTE_MS
  await purgeCardAttempts(db, clock.now())
  const after = await db.select().from(cardAttempts).where(of)

  expect([kept!.address, kept!.card].map(({ length }) => length)).toEqual([32, 32])
  expect(await testApp.stored()).not.toContain(address)
  expect([before.length, after.length]).toEqual([1, 0])
})
