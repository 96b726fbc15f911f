// What strangers send in masses is refused by address before it costs anything, and an IPv6 network is one.
import type { InjectOptions } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { limitDocuments } from '../../src/checkout/payment/limits.ts'
import { pt } from '../../src/checkout/texts/pt.ts'
import { newToken } from '../../src/database/id.ts'
import { createServer } from '../../src/http/server.ts'
import { MINIMAL_LINK, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
const { app, clock, db, needs, newCompany } = testApp
const company = await newCompany()
const { slug, id: linkId } = (await company.post('/api/payment-links', MINIMAL_LINK)).json()

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const TOKEN = 'a'.repeat(24)
/** A host of this IPv6 network. */
const host = (network: string, i: number) => `2001:db8:0:${network}::${i.toString(16)}`

// Each test begins with an unused limit.
beforeEach(() => {
  clock.offsetMs += 60 * 60_000
})

/** Asks once, and has it counted as if so many had asked. */
async function askTimes(request: InjectOptions, times: number) {
  const { limiter } = needs
  const { countHit } = limiter
  const hits: Parameters<typeof countHit>[] = []
  limiter.countHit = (...hit) => {
    hits.push(hit)
    return countHit(...hit)
  }
  await app.inject(request)
  limiter.countHit = countHit
  for (const [key, limit] of hits.filter(([, { max }]) => max >= times))
    for (let i = 1; i < times; i++) await countHit(key, limit)
}

test.each<[string, InjectOptions, number]>([
  ['guesses of keys', { url: '/api/payment-links', headers: { authorization: 'Bearer x' } }, 100],
  ['guesses of links', { url: '/pagar/nao-existe' }, 60],
  ['reports of abuse', { method: 'POST', url: `/pagar/${slug}/report`, headers: FORM }, 5],
  ['questions for installments', { method: 'POST', url: `/pagar/${slug}/quotes` }, 30],
  [
    'payments',
    { method: 'POST', url: `/pagar/${slug}/payments`, headers: FORM, payload: `attempt=${TOKEN}` },
    600,
  ],
  ['notifications', { method: 'POST', url: `/webhooks/openpix/${TOKEN}` }, 600],
])('%s are counted by IPv6 network', async (_, request, max) => {
  const ask = async (remoteAddress: string) =>
    (await app.inject({ ...request, remoteAddress })).statusCode
  await askTimes({ ...request, remoteAddress: host('a', 1) }, max - 1)

  const [last, refused, other] = [
    await ask(host('a', 2)),
    await ask(host('a', 3)),
    await ask(host('b', 1)),
  ]

  expect(last).not.toBe(429)
  expect(refused).toBe(429)
  expect(other).not.toBe(429)
})

test('a whole /48 of IPv6 may do no more than four of its networks', async () => {
  const request = { method: 'POST', url: `/pagar/${slug}/report`, headers: FORM } as const
  const ask = async (remoteAddress: string) =>
    (await app.inject({ ...request, remoteAddress })).statusCode
  const statuses: number[] = []
  for (let i = 0; i < 21; i++) statuses.push(await ask(`2001:db8:9:${i.toString(16)}00::1`))

  expect(statuses.indexOf(429)).toBe(20)
  expect(await ask('2001:db8:a::1')).not.toBe(429)
})

test('tries of a document are counted by IPv6 network', async () => {
  // Of a link it reads nothing else.
  const link = { id: linkId } as never
  const guess = (address: string) =>
    limitDocuments(needs.limiter, link, { typed: 'x', attempt: newToken(), address, t: pt })
  for (let i = 0; i < 10; i++) await guess(host('a', i + 1))

  expect(await guess(host('a', 99))).toMatchObject({ kind: 'limited' })
  expect(await guess(host('b', 1))).toEqual({ kind: 'counted' })
})

// Loaded when they are first asked for, which takes as long as the listener is quiet.
for (const path of ['/painel', '/api/docs']) await app.inject(path)

test.each([
  `/pagar/${slug}/payments`,
  `/pagar/${slug}/payments/${TOKEN}/check`,
  `/pagar/${slug}/payments/${TOKEN}/renew`,
  `/pagar/${slug}/payments/${TOKEN}/simulate`,
  `/pagar/${slug}/quotes`,
  `/pagar/${slug}/report`,
  `/pagar/sandbox/3ds/${TOKEN}`,
  '/painel/entrar',
  '/painel/entrar/codigo',
  '/painel/senha',
  `/painel/senha/${TOKEN}`,
  `/painel/convite/${TOKEN}`,
  '/configurar',
  '/nada',
  '/healthz',
  '/api/docs',
])(
  'of 601 posts to %s in a minute the last is refused before its body and the database',
  async (url) => {
    let queries = 0
    const query = db.$client.query
    const remoteAddress = '203.0.113.77'
    await askTimes({ method: 'POST', url: '/nada', remoteAddress }, 600)
    db.$client.query = ((...given: Parameters<typeof query>) => {
      queries++
      return query.apply(db.$client, given)
    }) as typeof query

    const refused = await app.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: FORM,
      payload: `name=${'4+'.repeat(40_000)}`,
    })
    const other = await app.inject({ method: 'POST', url: '/nada', remoteAddress: '203.0.113.78' })

    db.$client.query = query
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/)
    expect(queries).toBe(0)
    expect(other.statusCode).toBe(404)
  },
)

test('every answer says that nothing is to be sniffed or kept, and over https that it stays so', async () => {
  const secure = createServer({ ...needs, baseUrl: 'https://vintem.example.com' })
  secure.get('/', () => '')
  const urls = ['/api/payment-links', '/api/nada', '/healthz', '/%ff', '/nada']

  for (const url of urls) {
    const { headers } = await company.get(url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(headers).not.toHaveProperty('strict-transport-security')
  }
  const { headers } = await secure.inject('/')
  expect(headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000' })
  const [, asset] = /href="(\/assets\/[^"]+\.css)"/.exec((await app.inject('/nada')).body) ?? []
  expect((await app.inject(asset!)).headers['cache-control']).toContain('immutable')
  await secure.close()
})
