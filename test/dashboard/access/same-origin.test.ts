// Forms of the dashboard, that of signing in too, are taken from its own pages alone: a page of a sibling host is
// another's, though browsers send cookies with it.
import { expect, test } from 'vitest'
import { openDashboardClient, postForm } from '../../support/dashboard/client.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, newCompany } = testApp
const company = await newCompany()
const client = await openDashboardClient(testApp, { companyId: company.id })

const HOST = 'painel.loja.example'
const SIBLING = 'https://pagar.loja.example'
const form = {
  _csrf: client.csrf,
  email: 'ana@loja.example',
  password: 'x',
  name: 'Padaria',
  city: 'Recife',
}

const send = (url: string, headers: Record<string, string>) =>
  postForm(app, url, form, { headers: { host: HOST, cookie: client.cookie, ...headers } })

const PATHS = [
  '/painel/entrar',
  '/painel/entrar/codigo',
  '/painel/senha/x',
  '/painel/convite/x',
  '/painel/ajustes',
]

test.each<[string, Record<string, string>]>([
  ['a sibling, by what browsers say', { 'sec-fetch-site': 'same-site', origin: SIBLING }],
  ['another site, by what browsers say', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling, by its origin', { origin: SIBLING }],
  ['another port, by its origin', { origin: `https://${HOST}:8443` }],
  ['a sibling without the origin, which an old browser leaves out', { referer: `${SIBLING}/x` }],
  ['a page without an origin of a sibling', { origin: 'null', referer: `${SIBLING}/x` }],
])('refused: %s', async (_, headers) => {
  for (const path of PATHS) {
    const { statusCode, body } = await send(path, headers)
    expect([path, statusCode]).toEqual([path, 403])
    expect(body).toContain('Este envio veio de outro site e foi recusado.')
  }
})

test.each<[string, Record<string, string>]>([
  ['its own page', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
  ['a page that was loaded again', { 'sec-fetch-site': 'none' }],
  ['its own origin', { origin: `https://${HOST}` }],
  [
    'its own origin, by a proxy that names the port',
    { origin: `https://${HOST}`, host: `${HOST}:443` },
  ],
  ['its own page, of a browser that names no origin', { referer: `https://${HOST}/painel` }],
  ['a browser that tells nothing', {}],
])('taken: %s', async (_, headers) => {
  const answers = await Promise.all(PATHS.map((path) => send(path, headers)))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 410, 410, 303])
})
