// Each page has one address. Other writings of it redirect there, and never to another host.
import { expect, test } from 'vitest'
import { findCleanAddress } from '../../src/http/server.ts'
import { openTestApp } from '../support/test-app.ts'

const { app } = await openTestApp()

test.each([
  ['//painel', '/painel'],
  ['/%70ainel', '/painel'],
  ['/painel//entrar?voltar=//painel', '/painel/entrar?voltar=//painel'],
  ['/%2F/painel', undefined],
  ['//pagar/abc', '/pagar/abc'],
  ['/pagar/%61bc/status', '/pagar/abc/status'],
  ['/pagar/a%C3%A7%2Fb', undefined],
  ['//metrics', '/metrics'],
  ['/api//docs/', '/api/docs/'],
  ['/api/docs//referencia', '/api/docs/referencia'],
  ['http://vintem.example.com//painel', '/painel'],
  ['//evil.example', '/evil.example'],
  ['///evil.example/%2e%2e', undefined],
  ['//\\evil.example', '/%5Cevil.example'],
  ['/\\/evil.example', undefined],
  ['/%5C/evil.example//', '/%5C/evil.example/'],
  ['/painel', undefined],
  ['/?a=//', undefined],
  ['//api/payment-links', undefined],
  ['/api/%70ayment-links', undefined],
  ['//webhooks/openpix/x', undefined],
  ['/pagar/%41%zz', undefined],
  ['*', undefined],
])('%s is clean as %s', (asked, clean) => {
  expect(findCleanAddress(asked)).toBe(clean)
})

test.each([
  ['GET', '//painel/entrar', '/painel/entrar'],
  ['HEAD', '/%70ainel/entrar', '/painel/entrar'],
  ['POST', '//painel/entrar', '/painel/entrar'],
  ['GET', '//pagar/nao-existe?x=1', '/pagar/nao-existe?x=1'],
  ['GET', '/api//docs', '/api/docs'],
] as const)('%s %s is led to %s', async (method, url, location) => {
  const { statusCode, headers } = await app.inject({ method, url: `http://localhost${url}` })

  expect(statusCode).toBe(308)
  expect(headers).toMatchObject({ location, 'x-content-type-options': 'nosniff' })
})
