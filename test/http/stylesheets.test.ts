import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAssets } from '../../src/http/assets.ts'
import { openTestApp } from '../support/test-app.ts'

const ASSETS = join(import.meta.dirname, '../../views/assets')
const MAX_LINES = 250

const { app } = await openTestApp()
const stylesheets = new Map(
  [...readAssets(ASSETS)]
    .filter(([file]) => file.endsWith('.css'))
    .map(([file, css]) => [file, css.toString()]),
)
const parts = readdirSync(ASSETS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css'))
  .map((file) => ({ file, text: readFileSync(join(ASSETS, file), 'utf8') }))

test('a surface is one stylesheet, with all that it is made of in the order of its imports', () => {
  const dashboard = stylesheets.get('dashboard.css')!
  const order = [
    '@layer reset, base, parts, pages;',
    '.side-menu',
    '.table {',
    '.link-qr',
    '.people',
  ]

  const places = order.map((text) => dashboard.indexOf(text))

  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBe(0)
  expect([...stylesheets.values()].join('')).not.toContain('@import')
})

test('every part of a stylesheet is in exactly one of them, the base also in the checkout’s, and short', () => {
  const base = stylesheets.get('base.css')!
  const joined = [...stylesheets.values()].join('\n').replace(base, '')
  const bodies = parts
    .filter(({ file }) => file.includes('/'))
    .map(({ file, text }) => ({
      file,
      body: text
        .replace(/@import.*\n|\/\*[\s\S]*?\*\/\s*/g, '')
        .replace(/\n\s+/g, '\n')
        .trim(),
    }))

  expect(
    bodies.filter(({ body }) => joined.split(body).length !== 2).map(({ file }) => file),
  ).toEqual([])
  const long = parts.filter(({ text }) => text.split('\n').length > MAX_LINES + 1)
  expect(long.map(({ file }) => file)).toEqual([])
})

test('a browser gets the whole under an address that it may keep, and no part alone', async () => {
  const { body } = await app.inject('/painel/entrar')
  const page = body || (await app.inject('/configurar')).body
  const address = /href="([^"]+dashboard\.css)"/.exec(page)![1]!

  const { statusCode, headers, body: css } = await app.inject(address)

  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/css; charset=utf-8')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(css).toBe(stylesheets.get('dashboard.css'))
  expect((await app.inject(address.replace('.css', '/links.css'))).statusCode).toBe(404)
})
