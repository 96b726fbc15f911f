// A payer who left the bank's confirmation open is led back to it, instead of being told to wait for it.
import { beforeEach, expect, test } from 'vitest'
import { formatTime } from '../../../src/format.ts'
import { MINUTE_MS } from '../../support/card-testing.ts'
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
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, anotherProcess } = testApp
const { newLink, pay, read, paymentsOf, listEventTypes } = openCheckout(testApp)
/** A service that does not wait for cards in progress to end. */
const openHasty = () => anotherProcess({ capacityDelaysMs: [] })

const RESUME = 'Continuar a confirmação'

// Nothing that one test did is counted in the next.
beforeEach(() => {
  clock.offsetMs += 2 * 60 * MINUTE_MS
})

test('four declines and one open confirmation: the form and the limit lead back to the confirmation', async () => {
  const link = await newLink()
  const hasty = await openHasty()
  const browser = openPayerBrowser(hasty)
  for (let i = 0; i < 4; i++) await browser.pay(link, buildTestCard('generic'), AGAIN)
  const { url } = await pay(link, buildTestCard('challenge'), browser)

  const form = await browser.get(`/pagar/${link.slug}${AGAIN}`)
  const refused = await browser.pay(link, buildTestCard('ok'), AGAIN)

  expect(refused.statusCode).toBe(429)
  for (const { body } of [form, refused]) {
    expect(readPageText(body)).toContain(RESUME)
    expect(body).toContain(`href="${url}?new=`)
  }
  expect(readPageText(refused.body)).not.toContain('em andamento')
})

test('who holds the last place of a link by an open confirmation is led back to it', async () => {
  const link = await newLink({ maxPayments: 1 })
  const { browser, url } = await pay(link, buildTestCard('challenge'))

  const refused = await browser.pay(link, buildTestCard('ok'), AGAIN)

  expect(refused.statusCode).toBe(409)
  expect(refused.body).toContain(`href="${url}?new=`)
})

test('who pays otherwise while it is open hears that this was not paid, and until when to wait', async () => {
  const link = await newLink({ maxPayments: 1 })
  const { browser, row } = await pay(link, buildTestCard('challenge'))
  const until = formatTime(row.expiresAt!)

  const form = await browser.get(`/pagar/${link.slug}${AGAIN}`)
  const refused = await browser.pay(link, PIX, AGAIN)

  expect(readPageText(form.body)).not.toContain(until)
  expect(readPageText(refused.body)).toContain(
    `Este pagamento não foi feito: você tem outro, que espera pela confirmação no seu banco até ${until}.`,
  )
})

test('who pays otherwise gives the confirmation up: given after all, it charges nothing', async () => {
  const link = await newLink()
  const { browser, row } = await pay(link, buildTestCard('challenge'))
  const form = await browser.get(`/pagar/${link.slug}${AGAIN}`)

  const pix = await browser.pay(link, PIX, AGAIN)

  expect(readPageText(form.body)).toContain('Se pagar de outra forma, ele será cancelado.')
  expect(await read(row.id)).toMatchObject({ status: 'declined', declineCode: 'threeds_failed' })
  await app.inject({
    method: 'POST',
    url: new URL(row.challengeUrl!).pathname,
    payload: { answer: 'approve' },
  })
  await browser.post(`${pix.headers.location}/simulate`, {})
  const approved = (await paymentsOf(link)).filter(({ status }) => status === 'approved')
  expect(approved.map(({ method }) => method)).toEqual(['pix'])
  expect(await listEventTypes(link)).toEqual(['transaction.declined', 'transaction.approved'])
})

test('another card that is refused leaves the confirmation open', async () => {
  const link = await newLink()
  const { browser, row } = await pay(link, buildTestCard('challenge'))

  await browser.pay(link, buildTestCard('funds'), AGAIN)

  expect(await read(row.id)).toMatchObject({ status: 'awaiting_authentication' })
})

test('a confirmation that was begun later is not given up by the form of before, sent once more', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  const page = await browser.get(`/pagar/${link.slug}`)
  const first = { ...readFormFields(page.body), ...MARIA, ...PIX }
  await browser.post(`/pagar/${link.slug}/payments`, first)
  const { row } = await pay(link, buildTestCard('challenge'), {
    ...browser,
    pay: (of, filled) => browser.pay(of, filled, AGAIN),
  })

  await browser.post(`/pagar/${link.slug}/payments`, first)

  expect(await read(row.id)).toMatchObject({ status: 'awaiting_authentication' })
})

test('nobody else is shown the way to an open confirmation, not even from the same address', async () => {
  const link = await newLink()
  const hasty = await openHasty()
  const address = newPayerAddress()
  for (let i = 0; i < 5; i++)
    await pay(link, buildTestCard('challenge'), openPayerBrowser(hasty, address))

  const { response } = await pay(link, buildTestCard('ok'), openPayerBrowser(hasty, address))

  expect(response.statusCode).toBe(429)
  expect(readPageText(response.body)).toContain('Há muitos pagamentos com cartão em andamento.')
  expect(response.body).not.toContain('/payments/')
})

test('a confirmation that ended is neither in progress nor offered, before anybody has noted it', async () => {
  const link = await newLink()
  const hasty = await openHasty()
  const address = newPayerAddress()
  const browser = openPayerBrowser(hasty, address)
  for (let i = 0; i < 4; i++)
    await pay(link, buildTestCard('generic'), openPayerBrowser(hasty, address))
  await pay(link, buildTestCard('challenge'), browser)
  clock.offsetMs += 5 * MINUTE_MS + 1

  const form = await browser.get(`/pagar/${link.slug}${AGAIN}`)
  const refused = await browser.pay(link, buildTestCard('ok'), AGAIN)

  expect(readPageText(form.body)).not.toContain(RESUME)
  expect(readPageText(refused.body)).not.toContain('em andamento')
  expect(readPageText(refused.body)).toContain('Muitas tentativas com cartão em pouco tempo.')
})
