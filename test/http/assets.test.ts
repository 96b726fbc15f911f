import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readAssets } from '../../src/http/assets.ts'
import { openCheckout } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const ASSETS = new URL('../../views/assets/', import.meta.url)
const assets = readAssets(ASSETS.pathname)

const testApp = await openTestApp()
const { app } = testApp
const { newLink } = openCheckout(testApp)
const { body: page } = await app.inject('/nada')
const [stylesheet, folder] = /href="(\/assets\/[^/]+\/)checkout\.css"/
  .exec(page)!
  .map((text) => text.replace(/^href="|"$/g, ''))
const css = assets.get('checkout.css')!

const get = (url: string, accepted?: string) =>
  app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['BR;q=0.5, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br;q=0.0, gzip;q=0', undefined],
  ['identity', undefined],
  ['deflate, zbr', undefined],
  ['', undefined],
  [undefined, undefined],
])('a browser that takes %j gets a stylesheet in %s', async (accepted, encoding) => {
  const { statusCode, headers, rawPayload } = await get(stylesheet!, accepted)

  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? '']
  expect(statusCode).toBe(200)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers['content-length']).toBe(String(rawPayload.length))
  expect(headers.vary).toBe('Accept-Encoding')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect((decode?.(rawPayload) ?? rawPayload).equals(css)).toBe(true)
  expect(rawPayload.length).toBeLessThan(encoding ? css.length / 3 : css.length + 1)
})

test.each([...assets].filter(([name]) => /\.(?:css|js)$/.test(name)))(
  'comments in %s for its developers are not sent',
  (_name, content) => {
    expect(content.toString()).not.toMatch(/^\s*\/[/*]/m)
  },
)

test('its size is told without it', async () => {
  const whole = await get(stylesheet!, 'gzip')

  const { statusCode, headers, body } = await app.inject({
    method: 'HEAD',
    url: stylesheet!,
    headers: { 'accept-encoding': 'gzip' },
  })

  expect([statusCode, body]).toEqual([200, ''])
  expect(headers['content-length']).toBe(whole.headers['content-length'])
})

test('a picture is served as it is, a small one goes along in the page', async () => {
  const { headers, rawPayload } = await get(`${folder}preview.png`, 'br, gzip')

  expect(headers['content-type']).toBe('image/png')
  expect(headers['content-encoding']).toBeUndefined()
  expect(rawPayload.equals(readFileSync(new URL('preview.png', ASSETS)))).toBe(true)
  const [, icon] = /rel="icon" href="data:image\/svg\+xml,([^"]+)"/.exec(page)!
  expect(decodeURIComponent(icon!)).toBe(assets.get('favicon.svg')!.toString())
})

test.each(['checkout-sandbox.js', 'checkout-mercadopago.js'])(
  '%s is one script, in which the names of its parts do not meet',
  async (file) => {
    const { headers, body } = await get(folder + file)

    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(body.split('function parseTaxId(')).toHaveLength(2)
    expect(body).toMatch(/vintemCard = \{[\s\S]*vintemCard\?\.inputs/)
    expect(body).not.toMatch(/^(import|export) /m)
    // What a module may say and a script may not.
    const plain = body.replaceAll('import.meta', 'importMeta')
    expect(() => new Script(`'use strict';async()=>{${plain}}`)).not.toThrow()
  },
)

test.each(['../layout.eta', '%2e%2e/layout.eta', 'checkout/link.css', 'nothing.css', ''])(
  'nothing else of the folder is served: %j',
  async (file) => {
    expect((await get(folder + file)).statusCode).toBe(404)
  },
)

test('a payer loads the form of a link in three requests and less than 18 kB', async () => {
  const { slug } = await newLink({ amountCents: 123_456, maxInstallments: 12 })

  const form = await get(`/pagar/${slug}`, 'br')

  const html = brotliDecompressSync(form.rawPayload).toString()
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url!)
  const wanted = files.filter((url) => !url.endsWith('/noscript.css'))
  const answers = await Promise.all(wanted.map((url) => get(url, 'br')))
  const bytes = [form, ...answers].map(({ rawPayload }) => rawPayload.length)
  expect(bytes).toHaveLength(3)
  expect(bytes.reduce((sum, length) => sum + length)).toBeLessThan(18_000)
})

test('a page is compressed only for a browser without a cookie, so that its length betrays nothing', async () => {
  const url = '/pagar/2222222222'
  const headers = { 'accept-encoding': 'gzip', cookie: 'vintem_lang=pt' }

  const first = await get(url, 'gzip')
  const plain = await get(url)
  const known = await app.inject({ url, headers })

  expect(first.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: 'accept-language, accept-encoding',
  })
  expect(gunzipSync(first.rawPayload).toString()).toBe(plain.body)
  expect(known.headers['content-encoding']).toBeUndefined()
  expect(known.body).toBe(plain.body)
})
