// What a key may do, over every route that there is: the routes are taken from the app as it is built.
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { isScopeAllowed, parseScopes, requireScopes } from '../../src/api/scope.ts'
import { RESOURCES, SCOPES, type Scope } from '../../src/database/enums.ts'
import { type ApiRoute, collectApiRoutes, STREAM_PATH } from '../support/api-routes.ts'
import { startTestApp } from '../support/test-app.ts'

type Route = ApiRoute

const collected = await collectApiRoutes(startTestApp)
const { unnamed } = collected
const { app, db, newCompany } = collected.built
const routes = collected.routes.map((route) => ({
  ...route,
  url: route.url.replaceAll(/:\w+/g, randomUUID()).replace(STREAM_PATH, `${STREAM_PATH}?after=no`),
}))

const isReading = ({ method }: Route) => method === 'GET' || method === 'HEAD'

/** The routes that a key of these scopes may not use; the others answer this or that, but no 403. */
async function refusedBy(scopes: Scope[]) {
  const company = await newCompany()
  const { key } = await issueApiKey(db, company.id, 'Restrita', scopes)
  const headers = { authorization: `Bearer ${key}` }
  const refused: Route[] = []
  for (const route of routes) {
    const { statusCode } = await app.inject({ ...route, headers })
    if (statusCode === 429) throw new Error('Too many routes for one key')
    if (statusCode === 403) refused.push(route)
  }
  return refused
}

test('every route of the API names the resource that it is about', () => {
  expect(routes.length).toBeGreaterThan(20)
  expect(new Set(routes.map(({ resource }) => resource))).toEqual(new Set(RESOURCES))
  expect(unnamed).toEqual([])
})

test('a route that names no resource would be open to every key, so the program does not start', async () => {
  const broken = Fastify()
  requireScopes(broken)

  expect(() => broken.get('/api/nova', () => '')).toThrow('GET /api/nova names no resource')
})

test('a key of read and payment-links reads everything and writes links', async () => {
  const refused = await refusedBy(['read', 'payment-links'])

  expect(refused).toEqual(
    routes.filter((route) => !isReading(route) && route.resource !== 'payment-links'),
  )
  expect(refused.length).toBeGreaterThan(5)
})

const PAIRS = RESOURCES.flatMap((scope) => RESOURCES.map((resource) => [scope, resource] as const))

test('a key of the scope of one resource does nothing at another, and one of read alone writes nothing', () => {
  for (const [scope, resource] of PAIRS) {
    const own = scope === resource
    const tried = [[scope], [`${scope}:read`], ['read'], []].map((scopes) =>
      [true, false].map((reading) => isScopeAllowed(scopes as Scope[], resource, reading)),
    )
    expect(tried, `${scope} at ${resource}`).toEqual([
      [own, own],
      [own, false],
      [true, false],
      [false, false],
    ])
  }
})

test('the refusal names the scope that is needed, before anything of the body is read', async () => {
  const { id } = await newCompany()
  const { key } = await issueApiKey(db, id, 'Restrita', ['transactions:read'])
  const headers = { authorization: `Bearer ${key}` }

  const read = await app.inject({ url: '/api/payment-links', headers })
  const written = await app.inject({
    method: 'POST',
    url: '/api/payment-links',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'k' },
    payload: '{',
  })

  expect([read.statusCode, written.statusCode]).toEqual([403, 403])
  expect(read.json()).toMatchObject({
    status: 'error',
    code: 'insufficient_scope',
    message:
      'Esta chave não tem permissão para isto. Use uma chave com o escopo payment-links:read.',
  })
  expect(written.json().message).toContain('o escopo payment-links.')
})

test('what is refused for its scope counts towards the limit', async () => {
  const { id } = await newCompany()
  const { key } = await issueApiKey(db, id, 'Restrita', ['customers'])
  const headers = { authorization: `Bearer ${key}` }

  const refused = await app.inject({ url: '/api/payment-links', headers })

  expect(refused.statusCode).toBe(403)
  expect(refused.headers['ratelimit-remaining']).toBe('99')
})

test('unknown addresses and methods are told to any key, and the document without a key', async () => {
  const { id } = await newCompany()
  const { key } = await issueApiKey(db, id, 'Restrita', ['customers:read'])
  const headers = { authorization: `Bearer ${key}` }

  const unknown = await app.inject({ url: '/api/nada', headers })
  const wrong = await app.inject({ method: 'PUT', url: '/api/payment-links', headers })
  const open = await app.inject('/api/openapi.json')

  expect([unknown.statusCode, wrong.statusCode]).toEqual([404, 405])
  expect(open.statusCode).toBe(200)
})

test('scopes are read from a list with commas, each once, and not at all when one does not exist', () => {
  expect(parseScopes('read')).toEqual(['read'])
  expect(parseScopes('payment-links, transactions:read,payment-links')).toEqual([
    'payment-links',
    'transactions:read',
  ])
  expect(SCOPES.map((scope) => parseScopes(scope))).toEqual(SCOPES.map((scope) => [scope]))
  expect(['', 'write', 'read,', 'Read', 'payment-links:write'].map(parseScopes)).toEqual(
    Array(5).fill(undefined),
  )
})
