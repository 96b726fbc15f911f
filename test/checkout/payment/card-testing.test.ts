// Somebody tries out stolen cards, at one link or many, from one address or many, over two processes.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { ATTACKERS, MINUTE_MS, openCardTesting } from '../../support/card-testing.ts'
import {
  buildTestCard,
  newPayerAddress,
  openCheckout,
  openPayerBrowser,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, needs, anotherProcess, newCompany } = testApp
/** It does not wait for cards in progress to end, and the app does. */
const hasty = await anotherProcess({ capacityDelaysMs: [] }, afterAll)
const { newLink, pay, paymentsOf } = openCheckout(testApp)
const { attack, decline, chargesOf, warningsOf } = openCardTesting(testApp)

const processes = [app, hasty]
const TOO_MANY = 'Muitas tentativas com cartão em pouco tempo. Pague com Pix ou aguarde 15 minutos.'

// Nothing that one test did is counted in the next.
beforeEach(() => {
  clock.offsetMs += 2 * 60 * MINUTE_MS
})

test('of many cards from one address at once, over two processes, five reach the bank', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  const attackers = 10

  const answers = await attack({ links: [link], attackers, processes, addressOf: () => address })

  expect(await chargesOf(link)).toBe(5)
  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(5)
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(5)
  expect(await warningsOf(link)).toEqual([])
})

test('addresses of one IPv6 network count as one, and IPv4 is the same however it is written', async () => {
  const [v6, v4] = [await newLink(), await newLink()]

  const addressOf = (i: number) => `2001:db8:1:2:${i}::${i + 1}`
  await attack({ links: [v6], attackers: 7, processes: [hasty], addressOf })
  await decline(v4, 5, { address: '203.0.113.9' })
  const mapped = await pay(v4, buildTestCard('ok'), openPayerBrowser(app, '::ffff:203.0.113.9'))
  const neighbour = await pay(v4, buildTestCard('ok'), openPayerBrowser(app, '::ffff:203.0.113.10'))

  expect(await chargesOf(v6)).toBe(5)
  expect(mapped.response.statusCode).toBe(429)
  expect(neighbour.row).toMatchObject({ status: 'approved' })
})

test('of many addresses on one link at once, over two processes, twenty reach the bank', async () => {
  const link = await newLink()

  await attack({ links: [link], processes })

  expect(await chargesOf(link)).toBeLessThanOrEqual(20)
  expect(await chargesOf(link)).toBeGreaterThanOrEqual(15)
  expect((await paymentsOf(link)).map(({ status }) => status)).not.toContain('processing')
})

test('of one card at many addresses and ten links, over two processes, five reach the bank', async () => {
  const company = await newCompany()
  const links = await Promise.all(Array.from({ length: 10 }, () => newLink({}, company)))
  const filledBy = () => buildTestCard('generic', { cardLast4: '0002' })

  await attack({ links, attackers: 10, processes, filledBy })

  expect(await chargesOf(...links)).toBe(5)
})

test('one address that goes from link to link reaches the bank twenty times', async () => {
  const company = await newCompany()
  const address = newPayerAddress()
  for (let i = 0; i < 5; i++) await decline(await newLink({}, company), 4, { address })
  const link = await newLink({}, company)

  const { response } = await pay(link, buildTestCard('ok'), openPayerBrowser(app, address))
  const neighbour = await pay(link, buildTestCard('ok'))

  expect(response.statusCode).toBe(429)
  expect(neighbour.row).toMatchObject({ status: 'approved' })
})

test('cards that wait for their bank count too: what was not decided is not tried again', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  const browse = () => openPayerBrowser(hasty, address)
  const waiting = []
  for (let i = 0; i < 5; i++)
    waiting.push(await pay(link, buildTestCard('challenge_declined'), browse()))

  const busy = await pay(link, buildTestCard('generic'), browse())
  for (const { browser, row } of waiting) {
    await browser.post(new URL(row.challengeUrl!).pathname, { answer: 'approve' })
  }
  const declined = await pay(link, buildTestCard('generic'), browse())

  expect(waiting.map(({ row }) => row.status)).toEqual(Array(5).fill('awaiting_authentication'))
  expect(busy.response.statusCode).toBe(429)
  expect(busy.response.headers['retry-after']).toBe('60')
  expect(readPageText(busy.response.body)).toContain(
    'Há muitos pagamentos com cartão em andamento.',
  )
  expect(readPageText(declined.response.body)).toContain(TOO_MANY)
  expect(await chargesOf(link)).toBe(5)
})

test('what the bank has not decided yet and the reconciler hears later counts as well', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  await decline(link, 5, { address, scenario: 'challenge' })
  clock.offsetMs += 6 * MINUTE_MS
  await reconcileDuePayments(needs)

  const { response } = await pay(link, buildTestCard('ok'), openPayerBrowser(app, address))

  expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(Array(5).fill('declined'))
  expect(response.statusCode).toBe(429)
})

test('many people who pay by card at once all pay, also when twelve of them share an address', async () => {
  const link = await newLink()
  const address = newPayerAddress()

  const answers = await attack({
    links: [link],
    processes: [app],
    addressOf: (i) => (i < 12 ? address : newPayerAddress()),
    filledBy: () => buildTestCard('ok'),
  })

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(ATTACKERS).fill(303))
  expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(
    Array(ATTACKERS).fill('approved'),
  )
})

test('of one form sent eight times at once there is one charge, and it counts once', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  const send = await browser.fill(link, buildTestCard('generic'))

  const answers = await Promise.all(Array.from({ length: 8 }, () => send()))
  await decline(link, 4, { address: browser.address })

  expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1)
  expect(answers[0]!.statusCode).toBe(303)
  expect(await chargesOf(link)).toBe(5)
})

test('cards that are tried one after the other by one form count as many', async () => {
  const link = await newLink()
  const send = await openPayerBrowser(app).fill(link)
  const tried = new Set<unknown>()
  for (let i = 0; i < 5; i++) tried.add((await send(buildTestCard('generic'))).headers.location)

  const refused = await send(buildTestCard('generic'))

  expect(tried.size).toBe(5)
  expect(refused.statusCode).toBe(429)
  expect(await chargesOf(link)).toBe(5)
})

test('a form that was sent before leads to its payment, whatever is refused by now', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  const send = await browser.fill(link, buildTestCard('generic'))
  const first = await send()
  await decline(link, 4, { address: browser.address })
  const cooling = await send()
  await decline(link, 15)
  const beforeThePause = await send()
  await pay(link, buildTestCard('generic'))
  const paused = await send()

  for (const answer of [cooling, beforeThePause, paused]) {
    expect([answer.statusCode, answer.headers.location]).toEqual([303, first.headers.location])
  }
  expect(await chargesOf(link)).toBe(20)
})
