// A payment's own page while it waits: the code, its status, its expiry and its renewal.
import { afterEach, expect, test } from 'vitest'
import { newToken } from '../../../src/database/id.ts'
import { buildNetworkLimits, countHits } from '../../../src/http/limiter.ts'
import {
  AGAIN,
  buildTestCard,
  MARIA,
  openCheckout,
  openPayerBrowser,
  readFormFields,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, needs } = testApp
const { newLink, pay, read, paymentsOf, editLink, editCompany, listEventTypes } =
  openCheckout(testApp)

const HALF_HOUR_MS = 30 * 60_000

afterEach(() => {
  clock.offsetMs = 0
})

test('a payment’s address cannot be guessed, and opens at its own link only', async () => {
  const [link, other] = [await newLink(), await newLink()]
  const { url, row, browser } = await pay(link)

  const foreign = await browser.get(`/pagar/${other.slug}/payments/${row.token}`)
  const unknown = await browser.get(`/pagar/${link.slug}/payments/${newToken()}`)
  const byId = await browser.get(`/pagar/${link.slug}/payments/${row.id}`)

  expect((await openPayerBrowser(app).get(url)).statusCode).toBe(200)
  for (const answer of [foreign, unknown, byId]) {
    expect(answer.statusCode).toBe(404)
    expect(readPageText(answer.body)).toContain('Pagamento não encontrado')
  }
})

test('an address of no payment leads to its link, and a person who guesses addresses must wait', async () => {
  const link = await newLink()
  const guesser = openPayerBrowser(app)
  const unknown = () => guesser.get(`/pagar/${link.slug}/payments/${newToken()}`)
  const noLink = await guesser.get(`/pagar/no-such-link/payments/${newToken()}`)

  const first = await unknown()
  const limits = buildNetworkLimits('slug', guesser.address, { max: 60, windowMs: 60_000 })
  for (let i = 0; i < 58; i++) await countHits(needs.limiter, limits, `guess ${i}`)
  const tooMany = await unknown()

  expect(first.statusCode).toBe(404)
  expect(first.body).toContain(`href="/pagar/${link.slug}"`)
  expect(noLink.statusCode).toBe(404)
  expect(readPageText(noLink.body)).toContain('peça um novo link')
  expect(tooMany.statusCode).toBe(429)
})

test('the page of a code has all that a payer needs; without a script it stands still until it is asked again', async () => {
  const { row, url, browser } = await pay(await newLink())

  const { body } = await browser.get(url)

  expect(body).toContain(`value="${row.pixBrCode}"`)
  expect(body).toMatch(/<svg [^>]*viewBox="0 0 (\d+) \1"/)
  expect(body).toContain(`data-expires="${row.expiresAt}"`)
  expect(body).not.toContain('http-equiv="refresh"')
  expect(body).toMatch(new RegExp(`<a [^>]*href="${url}">Já paguei: verificar</a>`))
  expect(readPageText(body)).toMatch(
    /Pague até (\d\d\/\d\d\/\d{4} às )?\d\d:\d\d \(horário de Brasília\)/,
  )
  expect(readPageText(body)).toContain('nome de quem recebe, PADARIA SOL , e confirme.')
  expect(readPageText(body)).toContain('este código não pode ser pago em um banco')
})

test('the status says when the page would look different', async () => {
  const { url, browser } = await pay(await newLink())
  const waiting = (await browser.get(`${url}/status`)).json()
  const same = (await browser.get(`${url}/status`)).json()

  await browser.post(`${url}/simulate`, {})
  const paid = (await browser.get(`${url}/status`)).json()

  expect(waiting.state).toBe('pix')
  expect(same).toEqual(waiting)
  expect(paid.state).toBe('approved')
  expect(paid.version).not.toBe(waiting.version)
  expect((await browser.get(url)).body).toContain(`data-version="${paid.version}"`)
})

test('the state of a code changes at its expiry, before anybody has noted it', async () => {
  const { url, browser, row } = await pay(await newLink())

  clock.offsetMs = HALF_HOUR_MS + 1_000
  const { state } = (await browser.get(`${url}/status`)).json()

  expect(state).toBe('expired')
  expect(await read(row.id)).toMatchObject({ status: 'pending' })
})

test('in test mode a Pix can be paid from its page, once', async () => {
  const link = await newLink()
  const { row, url, browser } = await pay(link)

  const [first, second] = [
    await browser.post(`${url}/simulate`, {}),
    await browser.post(`${url}/simulate`, {}),
  ]

  expect([first.statusCode, first.headers.location]).toEqual([303, url])
  expect(second.headers.location).toBe(url)
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
})

test('an expired code is renewed with one button, for the same payer, and twice pressed once', async () => {
  const link = await newLink()
  const { row, url, browser } = await pay(link)
  clock.offsetMs = HALF_HOUR_MS + 1_000
  const form = readFormFields((await browser.get(url)).body)

  const first = await browser.post(`${url}/renew`, form)
  const second = await browser.post(`${url}/renew`, form)

  expect(first.statusCode).toBe(303)
  expect(first.headers.location).not.toBe(url)
  expect(second.headers.location).toBe(first.headers.location)
  const [, renewed, ...others] = (await paymentsOf(link)).sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(others).toEqual([])
  expect(renewed).toMatchObject({
    status: 'pending',
    customerId: row.customerId,
    payerName: MARIA.name,
    totalCents: 10_000,
  })
  expect(renewed!.pixBrCode).not.toBe(row.pixBrCode)
  expect(await read(row.id)).toMatchObject({ status: 'expired' })
})

test('after ten renewals the form of the link still has what the payer typed, and again after a reload', async () => {
  const link = await newLink()
  const { url, browser } = await pay(link)
  let latest = url
  for (let times = 1; times <= 10; times++) {
    clock.offsetMs = times * (HALF_HOUR_MS + 1_000)
    latest = String((await browser.post(`${latest}/renew`, {})).headers.location)
  }
  clock.offsetMs += HALF_HOUR_MS

  const forms = [
    await browser.get(`/pagar/${link.slug}${AGAIN}`),
    await browser.get(`/pagar/${link.slug}${AGAIN}`),
  ]

  expect(await paymentsOf(link)).toHaveLength(11)
  for (const { body } of forms) expect(readFormFields(body)).toMatchObject(MARIA)
})

test('the pages of a link that takes no more payments offer none, and lead to the company', async () => {
  const link = await newLink()
  await editCompany(link.companyId, { supportPhone: '(11) 98765-4321' })
  const { url, browser } = await pay(link)
  clock.offsetMs = HALF_HOUR_MS + 1
  const renewable = await browser.get(url)
  await editLink(link.id, { status: 'archived' })

  const { body } = await browser.get(url)

  expect(readPageText(body)).toContain('Este link não aceita mais pagamentos.')
  expect(readPageText(renewable.body)).toContain('Gerar novo código')
  expect(readPageText(body)).toContain('Falar com a loja no WhatsApp')
  expect(body).toContain('href="https://wa.me/5511987654321?text=')
  expect(body).not.toContain('?new=')
  expect(readPageText(body)).not.toContain('Gerar novo código')
})

test.each(['before', 'after'])(
  'a code is not to be paid any more that others paid %s its link was archived',
  async (order) => {
    const link = await newLink({ maxPayments: 1 })
    const [{ url, browser, row }, other] = [await pay(link), await pay(link)]
    const payOther = () => other.browser.post(`${other.url}/simulate`, {})

    if (order === 'before') await payOther()
    await editLink(link.id, { status: 'archived' })
    if (order === 'after') await payOther()
    const { body } = await browser.get(url)

    expect((await browser.get(`${url}/status`)).json()).toMatchObject({ state: 'soldOut' })
    expect(readPageText(body)).toContain('Este link já foi pago')
    expect(body).not.toContain(row.pixBrCode!)
  },
)

test('a code that was shown stays payable when its link is archived', async () => {
  const link = await newLink({ maxPayments: 1 })
  const { url, browser, row } = await pay(link)
  await editLink(link.id, { status: 'archived' })

  const { body } = await browser.get(url)
  await browser.post(`${url}/simulate`, {})

  expect(body).toContain(row.pixBrCode!)
  expect(await read(row.id)).toMatchObject({ status: 'approved', paidLate: false })
})

test('a code that still waits is not renewed', async () => {
  const link = await newLink()
  const { url, browser } = await pay(link)

  const answer = await browser.post(`${url}/renew`, { attempt: newToken() })

  expect(answer.headers.location).toBe(url)
  expect(await paymentsOf(link)).toHaveLength(1)
})

const DEARER = { amountCents: 20_000 }

test.each([
  ['the price has changed', DEARER, 409, 'es', 'El precio de este enlace cambió.'],
  ['there is no Pix', { methods: ['credit_card' as const] }, 409, 'pt', 'O Pix não está'],
  ['a card is under way', { maxPayments: 1 }, 409, 'pt', 'Outro pagamento deste link está em'],
  ['the link is off', { status: 'inactive' as const }, 410, 'pt', 'Este link está indisponível'],
])(
  'a code is not renewed when %s, and its payer is told why',
  async (...[, changes, status, language, why]) => {
    const link = await newLink()
    const { url, browser, row } = await pay(link)
    if ('maxPayments' in changes) await pay(link, buildTestCard('slow'))
    await editLink(link.id, { ...changes, updatedAt: clock.now().toISOString() })
    clock.offsetMs = HALF_HOUR_MS + 1_000

    const refused = await browser.post(`${url}/renew`, {}, { 'accept-language': language })

    expect(refused.statusCode).toBe(status)
    expect(readPageText(refused.body)).toContain(why)
    if (status === 409) expect(readFormFields(refused.body)).toMatchObject(MARIA)
    expect((await paymentsOf(link)).filter(({ method }) => method === 'pix')).toEqual([
      expect.objectContaining({ id: row.id }),
    ])
  },
)

test('a form that was shown in place of a new code pays', async () => {
  const link = await newLink()
  const { url, browser } = await pay(link)
  await editLink(link.id, { ...DEARER, updatedAt: clock.now().toISOString() })
  clock.offsetMs = HALF_HOUR_MS + 1_000
  const { body } = await browser.post(`${url}/renew`, {})

  const paid = await browser.post(`/pagar/${link.slug}/payments`, readFormFields(body))

  expect(paid.headers.location).toMatch(/\/payments\//)
  expect((await paymentsOf(link)).map(({ totalCents }) => totalCents)).toContain(20_000)
})
