// The scopes of one program: each address comes to its own, and is told of once.
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createMetrics } from '../../src/http/metrics.ts'
import { startTestApp } from '../support/test-app.ts'

const { app, logged, anotherProcess } = await startTestApp()
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

test.each(['/painel/entrar', '/configurar', '/api/docs', '/llms.txt', '/painel/nao-existe'])(
  '%s is told of once, under the id that its answer names',
  async (url) => {
    const { headers } = await app.inject(url)

    const told = logged.filter((line) => line.includes(`"path":"${url}"`))
    expect(told).toEqual([expect.stringContaining(`"reqId":"${headers['x-request-id']}"`)])
  },
)

test.each([
  ['/painel/entrar?x=%zz', 303],
  ['http://localhost/painel/entrar', 303],
  ['/p%61inel/entrar?x=%zz', 308],
  ['/%61pi/docs', 308],
  ['/api/openapi%2Ejson', 200],
  ['HTTP://localhost/llms.txt', 200],
  ['/painel%2Fentrar', 404],
  ['/api/%zz/docs', 400],
])('%s is understood as the router does', async (path, status) => {
  const [answer] = await once(request({ port, path, agent: false }).end(), 'response')

  expect(answer.resume().statusCode).toBe(status)
})

test('with the checkout at the root of a host, each is counted once, under the pattern of its route', async () => {
  const metricsToken = 'um-token-para-as-metricas'
  const counting = { metrics: await createMetrics(), metricsToken }
  const other = await anotherProcess({ ...counting, checkoutUrl: 'https://pay.example.com' })
  for (const url of ['/painel/entrar', '/llms.txt', '/um-link']) await other.inject(url)

  const headers = { authorization: `Bearer ${metricsToken}` }
  const { body } = await other.inject({ url: '/metrics', headers })

  const counts = [...body.matchAll(/^vintem_http_\w+_count\{.*route="(.*?)".*\} ([1-9]\d*)$/gm)]
  expect(counts.map(([, route, count]) => `${route} ${count}`).toSorted()).toEqual([
    '/:slug 1',
    '/llms.txt 1',
    '/painel/entrar 1',
  ])
})

test('an address below one of the documentation is an unknown one of the API, which wants a key', async () => {
  const paths = ['/api/openapi.json/x', '/api/openapi.yaml/x']

  const answers = await Promise.all(paths.map((url) => app.inject(url)))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401])
})
