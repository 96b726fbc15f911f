// A browser that made more than one attempt at a link: none of its pages forgets what was paid, or asks for it again.
import { afterEach, expect, test } from 'vitest'
import {
  AGAIN,
  buildTestCard,
  findAgainHref,
  MARIA,
  openCheckout,
  openPayerBrowser,
  PIX,
  readFormFields,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock } = testApp
const { newLink, pay, paymentsOf } = openCheckout(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

test.each([
  ['a receipt', buildTestCard('ok')],
  ['a code that waits', PIX],
])('who looked at the form once more and left it is led to %s again', async (_what, filled) => {
  const link = await newLink()
  const { browser, url } = await pay(link, filled)

  const form = await browser.get(findAgainHref((await browser.get(url)).body))
  const back = await browser.get(`/pagar/${link.slug}`)

  expect(readFormFields(form.body)).toMatchObject(MARIA)
  expect([back.statusCode, back.headers.location]).toEqual([303, url])
})

test('a second payment that was declined hides neither the first nor the form asked for after it', async () => {
  const link = await newLink()
  const { browser, url } = await pay(link, buildTestCard('ok'))
  const declined = await browser.pay(link, buildTestCard('funds'), AGAIN)

  const form = await browser.get(
    findAgainHref((await browser.get(declined.headers.location!)).body),
  )
  const back = await browser.get(`/pagar/${link.slug}`)

  expect(form.statusCode).toBe(200)
  expect([back.statusCode, back.headers.location]).toEqual([303, url])
})

test.each([
  ['a declined card', buildTestCard('funds')],
  ['a Pix that was left', PIX],
])(
  'who paid by card after %s and goes back finds the receipt everywhere',
  async (_what, filled) => {
    const link = await newLink()
    const { browser, url } = await pay(link, filled)
    const form = findAgainHref((await browser.get(url)).body)
    const query = form.slice(form.indexOf('?'))
    const paid = await browser.pay(link, buildTestCard('ok'), query)

    const before = await Promise.all([form, url, `/pagar/${link.slug}`].map(browser.get))
    const status = await browser.get(`${url}/status`)
    const again = await browser.get(findAgainHref((await browser.get(paid.headers.location!)).body))

    for (const { statusCode, headers } of before)
      expect([statusCode, headers.location]).toEqual([303, paid.headers.location])
    expect(status.json()).toMatchObject({ state: 'approved' })
    expect(readFormFields(again.body)).toMatchObject(MARIA)
    expect(await paymentsOf(link)).toHaveLength(2)
  },
)

test('a code that ran out is not renewed by who has paid by card meanwhile', async () => {
  const link = await newLink()
  const { browser, url } = await pay(link, PIX)
  clock.offsetMs = 31 * 60_000
  const form = readFormFields((await browser.get(url)).body)
  const paid = await browser.pay(link, buildTestCard('ok'), AGAIN)

  const renewed = await browser.post(`${url}/renew`, form)

  expect(renewed.headers.location).toBe(paid.headers.location)
  expect(await paymentsOf(link)).toHaveLength(2)
})

test('another browser that renews a code is led back to the new one, and no form shows its payer', async () => {
  const link = await newLink()
  const { browser, url } = await pay(link, PIX)
  const other = openPayerBrowser(app)
  clock.offsetMs = 31 * 60_000

  const renewed = await other.post(`${url}/renew`, {})
  const back = await other.get(`/pagar/${link.slug}`)
  const forms = [other, browser].map(({ get }) => get(`/pagar/${link.slug}${AGAIN}`))
  const [theirs, own] = await Promise.all(forms)

  expect([back.statusCode, back.headers.location]).toEqual([303, renewed.headers.location])
  expect(readFormFields(theirs!.body)).toMatchObject({ name: '', email: '', taxId: '' })
  expect(readFormFields(own!.body)).toMatchObject(MARIA)
})

test('a form that was shown before the browser forgot it all is remembered once it is paid', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  const send = await browser.fill(link, PIX)
  browser.cookies.clear()

  const paid = await send()
  const back = await browser.get(`/pagar/${link.slug}`)

  expect([back.statusCode, back.headers.location]).toEqual([303, paid.headers.location])
})

test('a second tab that pays after the first was declined is tried, once', async () => {
  const link = await newLink()
  const browser = openPayerBrowser(app)
  const send = await browser.fill(link)
  const [card, other] = [buildTestCard('funds'), buildTestCard('ok')]

  const first = await send(card)
  const repeated = await send(card)
  const second = await send(other)
  const twice = await send(other)
  const back = await browser.get(`/pagar/${link.slug}`)

  expect(repeated.headers.location).toBe(first.headers.location)
  expect(second.headers.location).not.toBe(first.headers.location)
  expect(twice.headers.location).toBe(second.headers.location)
  expect(back.headers.location).toBe(second.headers.location)
  const rows = (await paymentsOf(link)).sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(rows.map((row) => row.status)).toEqual(['declined', 'approved'])
})

test.each([
  ['a Pix code', PIX, buildTestCard('ok'), ['canceled', 'approved']],
  ['a card at its bank', buildTestCard('challenge'), PIX, ['declined', 'pending']],
  ['a card that was paid', buildTestCard('ok'), PIX, ['approved']],
])(
  'a form that is sent again after %s, with the other method, makes that payment, or leads to the paid one',
  async (_what, before, after, statuses) => {
    const link = await newLink()
    const send = await openPayerBrowser(app).fill(link)
    const first = await send(before)

    const wrong = await send({ ...after, taxId: '1' })
    const second = await send(after)
    const twice = await send(after)

    const isPaid = statuses.length === 1
    expect(wrong.statusCode).toBe(isPaid ? 303 : 422)
    expect(second.headers.location === first.headers.location).toBe(isPaid)
    expect(twice.headers.location).toBe(second.headers.location)
    const rows = (await paymentsOf(link)).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(rows.map((row) => row.status)).toEqual(statuses)
  },
)
