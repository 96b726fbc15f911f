import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { newId } from '../../src/database/id.ts'
import { createMemoryLimiter } from '../../src/http/rate-limit-store.ts'
import { MINIMAL_LINK, openTestApp, type TestCompany } from '../support/test-app.ts'

const { app, db, clock, needs, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'
const LIMIT = { max: 100, windowMs: 60_000 }

const headersOf = ({ headers }: LightMyRequestResponse) => ({
  limit: Number(headers['ratelimit-limit']),
  remaining: Number(headers['ratelimit-remaining']),
  reset: Number(headers['ratelimit-reset']),
})

/** As if it had asked so often. */
async function countAsked({ keyId }: TestCompany, times: number) {
  for (let i = 0; i < times; i++) await needs.limiter.countHit(keyId, LIMIT)
}

// Each test begins with an unused limit.
beforeEach(() => {
  clock.offsetMs += 10 * LIMIT.windowMs
})

test('the 101st request in a minute is refused, with exactly two fields', async () => {
  const company = await newCompany()
  await countAsked(company, 99)

  const [last, refused] = [await company.get(LINKS), await company.get(LINKS)]

  expect([last.statusCode, refused.statusCode]).toEqual([200, 429])
  expect(refused.json()).toEqual({
    status: 'error',
    message: 'Limite de requisições excedido. Tente novamente em instantes.',
  })
  expect(refused.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(refused.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/)
  expect(headersOf(refused)).toMatchObject({ limit: 100, remaining: 0 })
})

test('who waits as told is let through', async () => {
  const company = await newCompany()
  await countAsked(company, 100)
  const told = Number((await company.get(LINKS)).headers['retry-after'])

  clock.offsetMs += told * 1000 - 2_000
  expect((await company.get(LINKS)).statusCode).toBe(429)

  clock.offsetMs += 2_000
  expect((await company.get(LINKS)).statusCode).toBe(200)
})

test('of requests that come at once no more are let through than are left', async () => {
  const company = await newCompany()
  await countAsked(company, 90)

  const answers = await Promise.all(Array.from({ length: 15 }, () => company.get(LINKS)))

  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
    ...Array(10).fill(200),
    ...Array(5).fill(429),
  ])
})

test('each key is counted alone, also within one company', async () => {
  const [busy, calm] = [await newCompany(), await newCompany()]
  const { key } = await issueApiKey(db, busy.id, 'Segunda')
  await countAsked(busy, 101)

  const second = await app.inject({ url: LINKS, headers: { authorization: `Bearer ${key}` } })

  expect(second.statusCode).toBe(200)
  expect((await calm.get(LINKS)).statusCode).toBe(200)
  expect((await busy.get(LINKS)).statusCode).toBe(429)
})

test('all endpoints count together, and every answer says how many are left', async () => {
  const company = await newCompany()
  const headers = { authorization: `Bearer ${company.key}` }

  const answers = [
    await company.get(LINKS),
    await company.post(LINKS, MINIMAL_LINK),
    await company.post(LINKS, {}),
    await company.get(`${LINKS}/${newId()}`),
    await company.get('/api/nada'),
    await company.raw('/api/nada', '{'),
    await company.raw('/api/nada', 'x'.repeat(70_000)),
    await company.raw('/api/nada', '{}', 'text/plain'),
    await company.raw(LINKS, '{'),
    await company.raw(LINKS, '{}', 'text/plain'),
    await company.raw(LINKS, 'x'.repeat(70_000)),
    await app.inject({ method: 'PUT', url: LINKS, headers }),
    await app.inject({ method: 'HEAD', url: LINKS, headers }),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    200, 201, 422, 404, 404, 400, 413, 415, 400, 415, 413, 405, 200,
  ])
  expect(answers.map(headersOf)).toEqual(
    answers.map((_, i) => ({ limit: 100, remaining: 99 - i, reset: expect.any(Number) })),
  )
  for (const { reset } of answers.map(headersOf)) {
    expect(reset).toBeGreaterThan(0)
    expect(reset).toBeLessThanOrEqual(60)
  }
})

test('what is named and comes again counts once, and is let through when nothing else is', async () => {
  const limiter = createMemoryLimiter(() => clock.now().getTime())
  const hit = (what: string) => limiter.countHit('chave', { ...LIMIT, max: 2 }, what)

  const counts = [await hit('a'), await hit('a'), await hit('b'), await hit('c'), await hit('a')]
  clock.offsetMs += LIMIT.windowMs
  const later = await hit('c')

  expect(counts.map(({ exceeded, current }) => [exceeded, current])).toEqual([
    [false, 1],
    [false, 1],
    [false, 2],
    [true, 2],
    [false, 2],
  ])
  expect(later).toMatchObject({ exceeded: false, current: 1 })
})
