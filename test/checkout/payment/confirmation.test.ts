// A payer who left the bank's confirmation open is led back to it, instead of being told to wait for it.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { simulatePayment } from '../../../src/transactions/simulation/simulate.ts'
import type { TransactionRow } from '../../../src/transactions/transaction.ts'
import { MINUTE_MS, openCardTesting } from '../../support/card-testing.ts'
import {
  AGAIN,
  buildTestCard,
  newPayerAddress,
  openCheckout,
  openPayerBrowser,
  PIX,
  readPageText,
  type TestLink,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, needs, clock, anotherProcess } = testApp
const { newLink, pay, read, paymentsOf, listEventTypes } = openCheckout(testApp)
const { decline } = openCardTesting(testApp)
/** A service that does not wait for cards in progress to end. */
const hasty = await anotherProcess({ capacityDelaysMs: [] }, afterAll)

const RESUME = 'Continuar a confirmação'

/** One more card, by a browser that knows of all that it paid before, and its bank asks. */
const payAgain = (link: TestLink, browser: ReturnType<typeof openPayerBrowser>) =>
  pay(link, buildTestCard('challenge'), browser)

/** By the payer at the bank's own page. */
function confirm({ challengeUrl }: TransactionRow) {
  const url = new URL(challengeUrl!).pathname
  return app.inject({ method: 'POST', url, payload: { answer: 'approve' } })
}

// Nothing that one test did is counted in the next.
beforeEach(() => {
  clock.offsetMs += 2 * 60 * MINUTE_MS
})

test('four declines and one open confirmation: the form and the limit lead back to the confirmation', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(hasty)
  await decline(link, 4, { address: browser.address })
  const { url } = await pay(link, buildTestCard('challenge'), browser)

  const form = await browser.get(`/pagar/${link.slug}${AGAIN}`)
  const refused = await browser.pay(link, buildTestCard('ok'), AGAIN)

  expect(refused.statusCode).toBe(429)
  for (const { body } of [form, refused]) {
    expect(readPageText(body)).toContain(RESUME)
    expect(body).toContain(`href="${url}?new=`)
  }
  expect(readPageText(refused.body)).not.toContain('em andamento')
  expect(readPageText(refused.body)).toMatch(/Este pagamento não foi feito, .* até \d\d:\d\d /)
})

test('who holds the last place of a link by an open confirmation may pay otherwise all the same', async () => {
  const link = await newLink({ maxPayments: 1 })
  const { browser, row } = await pay(link, buildTestCard('challenge'))
  const other = await pay(link, PIX)

  const pix = await browser.pay(link, PIX, AGAIN)

  expect(other.response.statusCode).toBe(409)
  expect(pix.statusCode).toBe(303)
  expect(await read(row.id)).toMatchObject({ status: 'declined' })
})

test('who pays otherwise gives the confirmation up: given after all, it charges nothing', async () => {
  const link = await newLink()
  const { browser, row } = await pay(link, buildTestCard('challenge'))
  const form = await browser.get(`/pagar/${link.slug}${AGAIN}`)

  const pix = await browser.pay(link, PIX, AGAIN)

  expect(readPageText(form.body)).toContain('Se pagar de outra forma, ele será cancelado.')
  expect(await read(row.id)).toMatchObject({ status: 'declined', declineCode: 'threeds_failed' })
  await confirm(row)
  await browser.post(`${pix.headers.location}/simulate`, {})
  const approved = (await paymentsOf(link)).filter(({ status }) => status === 'approved')
  expect(approved.map(({ method }) => method)).toEqual(['pix'])
  expect(await listEventTypes(link)).toEqual(['transaction.declined', 'transaction.approved'])
})

test.each([0, 1, 2])(
  'of a confirmation and another card at the same moment one is charged (%i)',
  async () => {
    const link = await newLink()
    const { browser, row } = await pay(link, buildTestCard('challenge'))
    const sendOther = await browser.fill(link, buildTestCard('ok'), AGAIN)

    await Promise.all([sendOther(), confirm(row), sendOther()])

    const paid = (await paymentsOf(link)).filter(({ status }) => status === 'approved')
    expect(paid).toHaveLength(1)
  },
)

test('who confirmed and pays otherwise while the bank decides is led to what was confirmed', async () => {
  const link = await newLink()
  const { browser, url, row } = await pay(link, buildTestCard('challenge'))
  const send = await browser.fill(link, PIX, AGAIN)
  const processing = { status: 'processing', challengeUrl: null, expiresAt: null } as const
  await db.update(transactions).set(processing).where(eq(transactions.id, row.id))

  const sent = await send()

  expect(sent.headers.location).toBe(url)
  expect(await paymentsOf(link)).toHaveLength(1)
})

test('a payment of before that is seen to be paid ends the confirmation that was begun after it', async () => {
  const link = await newLink()
  const { browser, url, row: pix } = await pay(link, PIX)
  const { row } = await payAgain(link, browser)
  await simulatePayment(needs, pix)

  await browser.get(url)
  await confirm(row)

  expect(await read(row.id)).toMatchObject({ status: 'declined' })
  expect(await read(pix.id)).toMatchObject({ status: 'approved' })
})

test('a confirmation that was begun later is not given up by the form of before, sent once more', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  const sendFirst = await browser.fill(link, PIX)
  await sendFirst()
  const { row } = await payAgain(link, browser)

  await sendFirst()

  expect(await read(row.id)).toMatchObject({ status: 'awaiting_authentication' })
})

test('another browser is not shown the way to an open confirmation, not even from the same address', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  await decline(link, 5, { address, scenario: 'challenge' })

  const { response } = await pay(link, buildTestCard('ok'), openPayerBrowser(hasty, address))

  expect(response.statusCode).toBe(429)
  expect(readPageText(response.body)).toContain('Há muitos pagamentos com cartão em andamento.')
  expect(response.body).not.toContain('/payments/')
})

test('a confirmation that ended is neither in progress nor offered, before anybody has noted it', async () => {
  const link = await newLink()
  const address = newPayerAddress()
  const browser = openPayerBrowser(hasty, address)
  await decline(link, 4, { address })
  await pay(link, buildTestCard('challenge'), browser)
  clock.offsetMs += 5 * MINUTE_MS + 1

  const form = await browser.get(`/pagar/${link.slug}${AGAIN}`)
  const refused = await browser.pay(link, buildTestCard('ok'), AGAIN)

  expect(readPageText(form.body)).not.toContain(RESUME)
  expect(readPageText(refused.body)).not.toContain('em andamento')
  expect(readPageText(refused.body)).toContain('Muitas tentativas com cartão em pouco tempo.')
})
