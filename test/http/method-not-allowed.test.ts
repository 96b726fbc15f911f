// Paths that are served, asked by methods that they are not served by.
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { openTestApp } from '../support/test-app.ts'

const { app, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'

const METHOD_NOT_ALLOWED = {
  status: 'error',
  code: 'method_not_allowed',
  message: 'Método não permitido.',
}

const { key } = await newCompany()
const authorization = `Bearer ${key}`
const send = (method: InjectOptions['method'], url: string, more: Partial<InjectOptions> = {}) =>
  app.inject({ ...more, method: method!, url, headers: { authorization, ...more.headers } })

test.each([
  ['DELETE', LINKS, 'GET, HEAD, POST'],
  ['PATCH', LINKS, 'GET, HEAD, POST'],
  ['PUT', LINKS, 'GET, HEAD, POST'],
  ['OPTIONS', LINKS, 'GET, HEAD, POST'],
  ['POST', `${LINKS}/abc`, 'GET, HEAD, PATCH, DELETE'],
  ['PUT', `${LINKS}/abc`, 'GET, HEAD, PATCH, DELETE'],
  ['TRACE', LINKS, 'GET, HEAD, POST'],
  ['QUERY', `${LINKS}?limit=1`, 'GET, HEAD, POST'],
  ['PROPFIND', `${LINKS}/abc/`, 'GET, HEAD, PATCH, DELETE'],
  ['SEARCH', '/api/transactions', 'GET, HEAD'],
  ['GET', `${LINKS}/batch`, 'POST'],
  ['DELETE', '/api/events/stream', 'GET'],
  ['HEAD', '/api/events/stream', 'GET'],
] as const)('%s %s is not a method of it; Allow says %s', async (method, url, allow) => {
  const response = await send(method, url)

  expect(response.statusCode).toBe(405)
  expect(response.headers.allow).toBe(allow)
  if (method !== 'HEAD') expect(response.json()).toMatchObject(METHOD_NOT_ALLOWED)
})

test.each(['POST', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'QUERY'] as const)(
  '%s is no method of the public documents either, and asks for no key',
  async (method) => {
    const paths = ['openapi.json', 'openapi.yaml', 'docs', 'docs/', 'docs/webhooks']
    for (const path of paths) {
      const response = await app.inject({ method, url: `/api/${path}` })

      expect([path, response.statusCode]).toEqual([path, 405])
      expect(response.headers.allow).toBe('GET, HEAD')
      expect(response.json()).toMatchObject(METHOD_NOT_ALLOWED)
    }
  },
)

test.each(['PUT', 'TRACE', 'PROPFIND', 'QUERY'] as const)(
  'an address without a route is unknown by %s too',
  async (method) => {
    for (const path of ['/api/nada', `${LINKS}/abc/nada`, '/api/docs/nada', '/painel/nada']) {
      const response = await send(method, path)

      expect([path, response.statusCode]).toEqual([path, 404])
      expect(response.headers.allow).toBeUndefined()
    }
  },
)

test('by a method that is none, who asks is told first, and what they sent is not read', async () => {
  const headers = { 'content-type': 'application/json' }

  const stranger = await app.inject({ method: 'PROPFIND', url: LINKS })
  const bodies = [{ payload: '{' }, { payload: '' }, {}, { payload: 'x'.repeat(70_000) }]
  const answers = await Promise.all(
    bodies.flatMap((body) => [
      send('QUERY', LINKS, { ...body, headers }),
      send('PUT', LINKS, { ...body, headers }),
    ]),
  )

  expect(stranger.statusCode).toBe(401)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 405))
})
