// What a browser finds when it comes back to a link: the same attempt, the payment under way, or the
// form with what was typed before.
import { afterEach, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import {
  AGAIN,
  buildTestCard,
  MARIA,
  openCheckout,
  openPayerBrowser,
  PIX,
  readAttemptToken,
  readFormFields,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, needs } = testApp
const { newLink, pay, paymentsOf } = openCheckout(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

test('the cookie is out of reach of scripts, of other sites and of other links', async () => {
  const { slug } = await newLink()

  const { headers } = await openPayerBrowser(app).get(`/pagar/${slug}`)

  expect(headers['set-cookie']).toMatch(
    new RegExp(
      `^vintem_${slug}=[0-9A-Za-z]{24}; Max-Age=86400; Path=/pagar/${slug}; HttpOnly; SameSite=Lax$`,
    ),
  )
})

test('over https it is sent over https alone, and a checkout of its own host has links at the root', async () => {
  const { slug } = await newLink()
  const own = await buildApp({ ...needs, checkoutUrl: 'https://pay.example.com' })

  const { headers, body, statusCode } = await openPayerBrowser(own).get(`/${slug}`)
  await own.close()

  expect(statusCode).toBe(200)
  expect(headers['set-cookie']).toMatch(
    new RegExp(`; Path=/${slug}; HttpOnly; Secure; SameSite=Lax$`),
  )
  expect(body).toContain(`action="/${slug}/payments"`)
})

test('a second tab is the same attempt: sending both makes one payment', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  const card = buildTestCard('ok')
  const tabs = [await browser.fill(link, card), await browser.fill(link, card)]

  const answers = await Promise.all(tabs.map((send) => send()))

  expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1)
  expect(await paymentsOf(link)).toHaveLength(1)
})

test.each([
  ['a bank that asks', buildTestCard('challenge')],
  ['a card that is slow', buildTestCard('slow')],
])('who comes back to %s is led there', async (_what, filled) => {
  const link = await newLink()
  const { browser, url } = await pay(link, filled)

  const back = await browser.get(`/pagar/${link.slug}`)

  expect([back.statusCode, back.headers.location]).toEqual([303, url])
})

test('a stranger who opens the link is led nowhere and sees no data of a payer', async () => {
  const link = await newLink()
  await pay(link, PIX)

  const { statusCode, body } = await openPayerBrowser(app).get(`/pagar/${link.slug}`)

  expect(statusCode).toBe(200)
  expect(readFormFields(body)).toMatchObject({ name: '', email: '', taxId: '' })
  expect(body).not.toMatch(/Maria|529(982|[.•*])/)
})

test('after a decline the form is back with what was typed, for a new attempt and without the card', async () => {
  const link = await newLink({ maxInstallments: 3 })
  const { browser, row } = await pay(link, buildTestCard('funds', { installments: 2 }))

  const { statusCode, body } = await browser.get(`/pagar/${link.slug}`)

  expect(statusCode).toBe(200)
  expect(readFormFields(body)).toMatchObject({
    ...MARIA,
    method: 'credit_card',
    cardToken: '',
    cardLast4: '',
  })
  expect(body).toMatch(/name="installments" value="2"[^>]* checked>/)
  expect(readFormFields(body).attempt).not.toBe(row.attemptToken)
  const again = await browser.pay(link, buildTestCard('ok', { installments: 2 }))
  expect(again.statusCode).toBe(303)
  expect((await paymentsOf(link)).map(({ status }) => status).sort()).toEqual([
    'approved',
    'declined',
  ])
})

test('from a payment under way one may choose another way to pay, with nothing typed again', async () => {
  const link = await newLink()
  const { browser, row } = await pay(link, PIX)

  const { statusCode, body } = await browser.get(`/pagar/${link.slug}${AGAIN}&method=credit_card`)

  expect(statusCode).toBe(200)
  expect(readFormFields(body)).toMatchObject({ ...MARIA, method: 'credit_card' })
  expect(readFormFields(body).attempt).not.toBe(row.attemptToken)
})

test('a code that ran out is not resumed: the form is back', async () => {
  const link = await newLink()
  const { browser } = await pay(link, PIX)

  clock.offsetMs = 31 * 60_000
  const { statusCode, body } = await browser.get(`/pagar/${link.slug}`)

  expect(statusCode).toBe(200)
  expect(readFormFields(body)).toMatchObject({ ...MARIA, method: 'pix' })
})

test('a cookie that cannot be ours counts as none', async () => {
  const { slug } = await newLink()
  const [part, browser] = ['a'.repeat(24), openPayerBrowser(app)]

  for (const value of [
    'x',
    `${part}a`,
    `${part}.b`,
    Array(9).fill(part).join('.'),
    `${part}'; --`,
  ]) {
    browser.cookies.set(`vintem_${slug}`, value)
    const { statusCode, body } = await browser.get(`/pagar/${slug}`)

    expect(statusCode).toBe(200)
    expect(readAttemptToken(body)).toMatch(/^[0-9A-Za-z]{24}$/)
  }
})
