// Where sending a form comes to nothing the payer is led back by a link: to reload the answer would send it again.
import { expect, test } from 'vitest'
import { findLinkHref } from '../support/dashboard/html.ts'
import { openCheckout, openPayerBrowser, PIX } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app } = testApp
const { newLink, pay, paymentsOf } = openCheckout(testApp)

const BACK = 'Voltar ao pagamento'

test.each<[string, number, object, object]>([
  ['of another site', 403, {}, { 'sec-fetch-site': 'cross-site' }],
  ['that is too long', 413, { ref: 'a'.repeat(21_000) }, {}],
  ['with a card number', 422, { details: '4111111111111111' }, {}],
  ['in another encoding', 415, {}, { 'content-type': 'text/plain' }],
])('a form %s is refused with the way back to the link', async (_what, status, typed, headers) => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  const path = `/pagar/${link.slug}`
  const send = await browser.fill(link, PIX)

  const { statusCode, body } = await send(typed, headers)

  expect(statusCode).toBe(status)
  expect(findLinkHref(body, BACK)).toBe(path)
  expect(await paymentsOf(link)).toEqual([])
})

test('what is refused on a payment’s page leads back to it', async () => {
  const link = await newLink()
  const { row } = await pay(link, PIX)
  const path = `/pagar/${link.slug}/payments/${row.token}`
  const foreign = { 'sec-fetch-site': 'cross-site', 'accept-language': 'en' }

  const { statusCode, body } = await openPayerBrowser(app).post(`${path}/renew`, {}, foreign)

  expect(statusCode).toBe(403)
  expect(findLinkHref(body, 'Back to the payment')).toBe(path)
})

test('a page that is no answer to a form offers none, and a name of any kind stays within its link', async () => {
  const browser = openPayerBrowser(app)

  const shown = await browser.get('/pagar/a/b/c/d')
  const sent = await browser.post('/pagar/%2F%2Fexemplo.com/payments/x/renew', {})

  expect(shown.body).not.toContain(BACK)
  expect(findLinkHref(sent.body, BACK)).toBe('/pagar/%2F%2Fexemplo.com/payments/x')
})

test('an answer to a form that is opened once more, as a phone does with its tabs, is the page it came from', async () => {
  const link = await newLink()
  const { row } = await pay(link, PIX)
  const path = `/pagar/${link.slug}`
  const payment = `${path}/payments/${row.token}`

  for (const [opened, way] of [
    [`${path}/payments`, path],
    [`${payment}/renew`, payment],
    [`${payment}/simulate`, payment],
  ] as const) {
    const { statusCode, headers } = await openPayerBrowser(app).get(opened)
    expect([statusCode, headers.location]).toEqual([303, way])
  }
})
