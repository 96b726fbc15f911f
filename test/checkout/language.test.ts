// In which language a payer reads the checkout, and what follows from it.
import type { FastifyRequest } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { resolveTexts } from '../../src/checkout/language.ts'
import { MINUTE_MS } from '../../src/database/instant.ts'
import {
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  PIX,
  readPageText,
} from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock } = testApp
const { newLink, pay, paymentsOf } = openCheckout(testApp)

const ENGLISH = { 'accept-language': 'en-US,en;q=0.9' }
const SPANISH = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' }
const PORTUGUESE = { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' }

afterEach(() => {
  clock.offsetMs = 0
})

const open = (url: string, headers: object = {}) => app.inject({ url, headers: { ...headers } })

const langOf = (html: string) => /<html lang="([^"]+)">/.exec(html)?.[1]

/** A new payer with a browser that asks for a language. */
async function payIn(headers: object, filled: object, link?: Awaited<ReturnType<typeof newLink>>) {
  const paid = link ?? (await newLink())
  const browser = openPayerBrowser(app)
  const post = (path: string, form: object) => browser.post(path, form, headers)
  return pay(paid, filled, { ...browser, post })
}

test.each([
  ['', 'pt'],
  ['*', 'pt'],
  ['pt-PT', 'pt'],
  ['EN-gb', 'en'],
  ['es-419,es;q=0.9', 'es'],
  ['fr-FR,fr;q=0.9,en;q=0.8', 'en'],
  ['en;q=0.5, es;q=0.8', 'es'],
  ['en, es', 'en'],
  ['es;q=0.7, en;q=0.7', 'es'],
  ['en;q=0, es;q=0.1', 'es'],
  ['en;q=0', 'pt'],
  ['en;q=1.000', 'en'],
  ['en;q=2, es', 'es'],
  ['english', 'pt'],
  [`${'xx,'.repeat(60)}es,`, 'es'],
  [`${'xx,'.repeat(70)}es,`, 'pt'],
  [';;,q=;=,en', 'en'],
])('of the languages "%s" the first that we have is %s', (accepted, locale) => {
  const headers = { 'accept-language': accepted }

  expect(resolveTexts({ query: {}, headers } as FastifyRequest).locale).toBe(locale)
})

test('a language chosen on a page is kept for the checkout, and no cookie is set before', async () => {
  const [first, second] = [await newLink(), await newLink()]
  const browser = openPayerBrowser(app)
  const plain = await browser.get(`/pagar/${first.slug}`)
  const href = /<a href="([^"]+)" lang="es"/.exec(plain.body)![1]!

  const chosen = await browser.get(href)
  const later = [
    await browser.get(`/pagar/${first.slug}`),
    await browser.get(`/pagar/${second.slug}`),
    await browser.get('/pagar/2222222222'),
  ]

  expect(`${plain.headers['set-cookie']}`).not.toContain('vintem_lang')
  expect(chosen.headers['set-cookie']).toContainEqual(
    'vintem_lang=es; Max-Age=31536000; Path=/pagar; HttpOnly; SameSite=Lax',
  )
  expect([chosen, ...later].map(({ body }) => langOf(body))).toEqual(['es', 'es', 'es', 'es'])
})

test('a language that is none of ours is not kept', async () => {
  const link = await newLink()

  for (const lang of ['de', 'EN', '', 'pt%00']) {
    const { body, headers } = await open(`/pagar/${link.slug}?lang=${lang}`, ENGLISH)

    expect(langOf(body)).toBe('en')
    expect(`${headers['set-cookie']}`).not.toContain('vintem_lang')
  }
})

test('the form is shown again in another language with what its address brought', async () => {
  const link = await newLink()

  const { body } = await open(
    `/pagar/${link.slug}?new=1763730309120&name=Ana%20Lima&utm=x`,
    ENGLISH,
  )

  const [, href] = /<a href="([^"]+)" lang="pt-BR"/.exec(body)!
  expect(href).toBe(`/pagar/${link.slug}?new=1763730309120&amp;name=Ana%20Lima&amp;lang=pt`)
  const other = await open(href!.replaceAll('&amp;', '&'), ENGLISH)
  expect(langOf(other.body)).toBe('pt-BR')
  expect(other.body).toContain('value="Ana Lima"')
})

test('a decline is told to its payer in their language, to the API in Portuguese', async () => {
  const company = await testApp.newCompany()
  const link = await newLink({}, company)

  const { url, row } = await payIn(ENGLISH, buildTestCard('funds'), link)

  const { body } = await open(url, ENGLISH)
  expect(readPageText(body)).toContain('Insufficient funds or credit limit.')
  const { declineMessage } = (await company.get(`/api/transactions/${row.id}`)).json()
  expect(declineMessage).toContain('Saldo ou limite insuficiente.')
})

test.each([
  [SPANISH, 'es'],
  [{}, 'pt'],
])('a payment keeps what its payer read: %j', async (headers, locale) => {
  const { row } = await payIn(headers, PIX)

  expect(row.locale).toBe(locale)
})

test('a code that expired is renewed in the language of who renews it', async () => {
  const link = await newLink()
  const { url } = await payIn(PORTUGUESE, PIX, link)
  clock.offsetMs = 24 * 60 * MINUTE_MS

  const shown = await open(url, SPANISH)
  await openPayerBrowser(app).post(`${url}/renew`, {}, SPANISH)

  expect(readPageText(shown.body)).toContain('El código Pix venció')
  expect((await paymentsOf(link)).map(({ locale }) => locale)).toEqual(['pt', 'es'])
})

test('a payer in Brazil reads of a failure what payers do elsewhere, not what programs are told', async () => {
  const { slug } = await newLink()
  const url = `/pagar/${slug}/payments`
  const send = (payload: string, type = 'application/x-www-form-urlencoded') =>
    app.inject({ method: 'POST', url, payload, headers: { ...PORTUGUESE, 'content-type': type } })

  const lost = await open(`${url}/x/y/z`, PORTUGUESE)
  const long = await send(`ref=${'a'.repeat(21_000)}`)
  const other = await send('x', 'text/plain')

  expect([lost, long, other].map(({ statusCode }) => statusCode)).toEqual([404, 413, 415])
  expect(lost.headers).toMatchObject({ 'content-language': 'pt-BR', vary: 'accept-language' })
  expect(readPageText(lost.body)).toContain('Não há nada neste endereço.')
  expect(readPageText(long.body)).toContain('O que foi enviado é grande demais.')
  expect(readPageText(other.body)).toContain('Não foi possível ler o que foi enviado.')
})
