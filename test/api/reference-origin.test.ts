// The reference's page is of no origin: it may read what the API answers, and no page of another site may.
import { expect, test } from 'vitest'
import { openTestApp } from '../support/test-app.ts'

const { app, newCompany } = await openTestApp()
const { key } = await newCompany()
const headers = { authorization: `Bearer ${key}` }
const allowed = 'access-control-allow-origin'

test.each([
  ['null', 'null'],
  ['https://loja.com.br', undefined],
])('to a page of the origin %s the API says that %s may read', async (origin, expected) => {
  const preflight = { origin, 'access-control-request-method': 'POST' }

  const asked = await app.inject({
    method: 'OPTIONS',
    url: '/api/payment-links',
    headers: preflight,
  })
  const listed = await app.inject({ url: '/api/customers', headers: { ...headers, origin } })
  const refused = await app.inject({ url: '/api/customers', headers: { origin } })

  expect([asked, listed, refused].map((answer) => answer.headers[allowed])).toEqual(
    Array(3).fill(expected),
  )
  expect(asked.statusCode).toBe(expected ? 204 : 401)
  expect(listed.statusCode).toBe(200)
  expect(refused.statusCode).toBe(401)
})

test('the page says that it is in a sandbox, and its document may be read', async () => {
  const page = await app.inject('/api/docs/referencia')
  const document = await app.inject('/api/openapi.json')

  expect(page.headers['content-security-policy']).toMatch(/; sandbox allow-scripts allow-popups$/)
  expect(document.headers[allowed]).toBe('*')
})
