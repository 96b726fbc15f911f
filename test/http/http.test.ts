import { Readable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../src/database/drizzle.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { BASE_URL, CHECKOUT_URL, MINIMAL_LINK, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
const { app, db, logged, newCompany } = testApp

const LINKS = '/api/payment-links'
const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/

app.get('/broken', { schema: { response: { 200: z.object({ id: z.uuid() }) } } }, () => ({}))
app.get('/buggy', () => db.execute(sql`select ${'um\nCPF 52998224725'}::text, 1 / ${0}::int`))

const { key, get, raw } = await newCompany()
const authorization = `Bearer ${key}`
const send = (method: InjectOptions['method'], url: string, more: Partial<InjectOptions> = {}) =>
  app.inject({ ...more, method: method!, url, headers: { authorization, ...more.headers } })

test('a failure of ours is a bare 500 that is logged and tells nothing of itself', async () => {
  for (const path of ['/broken', '/buggy']) {
    const response = await app.inject(path)

    expect(response.statusCode).toBe(500)
    expect(response.json()).toMatchObject({
      status: 'error',
      code: 'internal_error',
      type: `${BASE_URL}/api/docs/erros#internal_error`,
      message: 'Erro interno. Tente novamente; se persistir, informe o código do erro.',
    })
    const id = response.headers['x-request-id'] as string
    const error = logged.find((line) => line.includes(id) && line.includes('"level":"error"'))
    expect(JSON.parse(error ?? '{}')).toMatchObject({
      err: { stack: expect.stringMatching(/^\w*Error/) },
    })
    expect(error).not.toContain('52998224725')
  }
})

test.each<[string, Partial<InjectOptions> & { url: string }, number]>([
  ['a link list', { url: LINKS, headers: { authorization } }, 200],
  ['no key', { url: LINKS }, 401],
  ['an unknown link', { url: '/pagar/2222222222' }, 404],
  ['a path that is none', { url: '/api/payment-links/%E0%A4%A' }, 400],
  ['a bug', { url: '/broken' }, 500],
  ['health', { url: '/healthz' }, 200],
])('the answer to %s names its request, by an id of ours', async (_what, request, status) => {
  const headers = { ...request.headers, 'x-request-id': 'mine', 'request-id': 'mine' }

  const response = await app.inject({ ...request, headers })

  expect(response.statusCode).toBe(status)
  expect(response.headers['x-request-id']).toMatch(UUID)
})

test('one line is logged for an answer, without query, headers or body', async () => {
  const response = await send('GET', `${LINKS}?q=segredo`)

  const id = response.headers['x-request-id'] as string
  await expect.poll(() => logged.filter((line) => line.includes(id))).toHaveLength(1)
  const line = logged.find((line) => line.includes(id)) as string
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', path: LINKS, status: 200 })
  expect(line).not.toMatch(/segredo|sk_live_/)
})

test('HEAD answers as GET does, without a body', async () => {
  const response = await send('HEAD', LINKS)

  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.body).toBe('')
})

test.each(['{', ' ', '{"title":}', "{'title':'x'}", '[1,]', 'title=Bolo', '\ufeff'])(
  'the body %j is not JSON',
  async (body) => {
    const response = await raw(LINKS, body)

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      status: 'error',
      code: 'invalid_json',
      message: 'O corpo da requisição não é um JSON válido.',
    })
  },
)

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json-patch+json',
  'application/json garbage',
  'json',
])('Content-Type %j is not read', async (type) => {
  const response = await raw(LINKS, JSON.stringify(MINIMAL_LINK), type)

  expect(response.statusCode).toBe(415)
  expect(response.json()).toMatchObject({
    status: 'error',
    code: 'unsupported_media_type',
    message: 'Use Content-Type: application/json.',
  })
})

test('a body of 64 KB is read, and one byte more is not', async () => {
  const limit = JSON.stringify(MINIMAL_LINK).padEnd(65_536, ' ')

  expect((await raw(LINKS, limit)).statusCode).toBe(201)
  const response = await raw(LINKS, `${limit} `)
  expect(response.statusCode).toBe(413)
  expect(response.json()).toMatchObject({
    status: 'error',
    code: 'payload_too_large',
    message: 'O corpo da requisição excede o limite de 64 KB.',
  })
})

test.each([
  ['a stranger', '/painel/senha', 20_480, 200],
  ['somebody who signs in', '/painel/entrar', 20_480, 422],
  ['somebody who is signed in', '/painel/ambiente', 65_536, 303],
])(
  'a form of %s is read up to its limit, and one byte more is not',
  async (_, url, limit, status) => {
    const { id } = await newCompany()
    const person = await openDashboardClient(testApp, { companyId: id })
    const fill = (length: number) => `_csrf=${person.csrf}&x=`.padEnd(length, 'x')
    const type = 'application/x-www-form-urlencoded'

    const read = await person.postRaw(url, fill(limit), type)
    const refused = await person.postRaw(url, fill(limit + 1), type)

    expect([read.statusCode, refused.statusCode]).toEqual([status, 413])
  },
)

test('ten megabytes are not read, told beforehand or not', async () => {
  const chunks = Array.from({ length: 160 }, () => Buffer.alloc(65_536, ' '))
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }

  const told = await raw(LINKS, ' '.repeat(10_000_000))
  const streamed = await send('POST', LINKS, { payload: Readable.from(chunks), headers })

  expect([told.statusCode, streamed.statusCode]).toEqual([413, 413])
})

test('the API answers in JSON and pages in HTML, whatever is accepted', async () => {
  const api = await send('GET', '/api/nada', { headers: { accept: 'text/html' } })
  const page = await app.inject({ url: '/pagar/nada/x', headers: { accept: 'application/json' } })

  expect(api.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(api.json()).toMatchObject({
    status: 'error',
    code: 'not_found',
    type: `${BASE_URL}/api/docs/erros#not_found`,
    message: 'Recurso não encontrado.',
  })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect([api.statusCode, page.statusCode]).toEqual([404, 404])
})

test('addresses come from the configuration, never from the request', async () => {
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  }

  const created = await send('POST', LINKS, { payload: MINIMAL_LINK, headers })
  const document = await app.inject({ url: '/api/openapi.json', headers })

  expect(created.json().url).toBe(`${CHECKOUT_URL}/${created.json().slug}`)
  expect(created.headers.location).toBe(`${LINKS}/${created.json().id}`)
  expect(document.json().servers).toMatchObject([{ url: BASE_URL }])
  expect(created.body + document.body).not.toContain('evil')
})

test('a slash at the end of a path changes nothing', async () => {
  expect((await get(`${LINKS}/`)).statusCode).toBe(200)
})
