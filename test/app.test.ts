import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { TAKEN_PATHS } from '../src/config.ts'
import { createMetrics } from '../src/http/metrics.ts'
import { openTestApp } from './support/test-app.ts'

const { needs } = await openTestApp()

test('the paths that the checkout can’t have are those of all other pages', async () => {
  const found = new Set<string>()
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ url }) => void found.add(url.split('/')[1]!))
  }
  subscribe('fastify.initialization', watch)
  const checkoutUrl = 'http://localhost:3000/caixa'
  const measured = { metrics: await createMetrics(), metricsToken: 'um-token-de-16-c' }
  const app = await buildApp({ ...needs, ...measured, checkoutUrl })
  for (const loadedWhenAsked of ['/painel', '/docs']) await app.inject(loadedWhenAsked)
  unsubscribe('fastify.initialization', watch)
  await app.close()

  expect([...found].sort()).toEqual(['', 'caixa', ...TAKEN_PATHS].sort())
})

test.each([
  ['https://pay.example.com', { 'pay.example.com': undefined, 'vintem.example.com': '/painel' }],
  ['https://pay.example.com/pagar', { 'pay.example.com': '/painel' }],
  ['https://vintem.example.com', { 'vintem.example.com': '/painel' }],
])('with its checkout at %s, the roots lead to %j', async (checkoutUrl, roots) => {
  const app = await buildApp({ ...needs, baseUrl: 'https://vintem.example.com', checkoutUrl })

  for (const [host, to] of Object.entries(roots)) {
    const { statusCode, headers } = await app.inject({ url: '/', headers: { host } })
    expect([statusCode, headers.location]).toEqual([to ? 302 : 404, to])
  }
  await app.close()
})
