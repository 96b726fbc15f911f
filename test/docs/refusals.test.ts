// Each refusal that the document names can be met, on each operation, with the very code it names.
import { expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { loadOpenApiDocument } from '../support/document.ts'
import { IMAGE_FORM } from '../support/link-api.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock } = testApp
const { operations, listResponses } = await loadOpenApiDocument(app)
const company = await testApp.newCompany()
const unknownId = '01900000-0000-7000-8000-000000000000'

type Operation = (typeof operations)[number]
type Request = { url?: string; payload?: string; headers?: Record<string, string> }

/** As it may be sent, but for what the test says. */
function send({ method, path, operation }: Operation, { url, payload, headers }: Request = {}) {
  const { content } = operation.requestBody ?? {}
  const form = content?.['multipart/form-data'] && payload === undefined ? IMAGE_FORM : undefined
  const body = payload ?? form?.payload ?? (content && '{}')
  return app.inject({
    method: method.toUpperCase() as 'GET',
    url: url ?? fillPath({ path }, unknownId),
    ...(body !== undefined && { payload: body }),
    headers: {
      authorization: `Bearer ${company.key}`,
      'idempotency-key': crypto.randomUUID(),
      ...(body !== undefined && { 'content-type': form?.type ?? 'application/json' }),
      ...headers,
    },
  })
}

function fillPath({ path }: Pick<Operation, 'path'>, id: string) {
  return path.replace(/\{\w+\}/, id)
}

/** One way to each status that any operation may have. A 500 has none: it would be a bug. */
const WAYS: Record<number, (one: Operation) => ReturnType<typeof send>> = {
  400: (one) => send(one, one.method === 'get' ? { url: fillPath(one, '%FF') } : { payload: '{' }),
  401: (one) => send(one, { headers: { authorization: 'Bearer sk_live_no' } }),
  403: async (one) => {
    const other = one.path.includes('customers') ? 'events' : 'customers'
    const { key } = await issueApiKey(db, company.id, 'Curta', [other])
    return send(one, { headers: { authorization: `Bearer ${key}` } })
  },
  404: (one) => (one.path.includes('{') ? sendToNobody(one) : sendForgotten(one)),
  413: (one) => send(one, { payload: JSON.stringify({ title: 'x'.repeat(1_100_000) }) }),
  415: (one) => send(one, { payload: '{}', headers: { 'content-type': 'application/xml' } }),
  422: (one) =>
    one.operation.requestBody
      ? send(one, { payload: '{"strange":1}' })
      : send(one, { url: `${fillPath(one, unknownId)}?${isQueried(one) ? 'strange' : 'cvv'}=1` }),
  429: async (one) => {
    const { id, key } = await issueApiKey(db, company.id, 'Apressada')
    for (let i = 0; i < 100; i++) {
      await testApp.needs.limiter.countHit(id, { max: 100, windowMs: 60_000 })
    }
    return send(one, { headers: { authorization: `Bearer ${key}` } })
  },
  503: async (one) => {
    testApp.needs.lifecycle.phase = 'starting'
    try {
      return await send(one)
    } finally {
      testApp.needs.lifecycle.phase = 'ready'
    }
  },
}

/** What refuses these is the same for the whole API, so it is tried at the first operation of each method. */
const SHARED = [403, 413, 429, 503]
const byMethod = Map.groupBy(operations, ({ method }) => method)
const firsts = [...byMethod.values()].map(([first]) => first)

function findWay(one: Operation, status: number) {
  return SHARED.includes(status) && !firsts.includes(one) ? undefined : WAYS[status]
}

/** With what the address is about in the body, where that is another thing. */
function sendToNobody(one: Operation) {
  const isMatch = one.id === 'matchIncomingPayment'
  return send(one, isMatch ? { payload: JSON.stringify({ transactionId: unknownId }) } : {})
}

/** Again, after the customer whom the first answer told of was forgotten. */
async function sendForgotten(one: Operation) {
  const made = { payload: '{"name":"Maria"}', headers: { 'idempotency-key': crypto.randomUUID() } }
  const { id } = (await send(one, made)).json()
  const headers = { authorization: `Bearer ${company.key}` }
  await app.inject({ method: 'DELETE', url: `/api/customers/${id}`, headers })
  return send(one, made)
}

const isQueried = ({ operation: { parameters } }: Operation) =>
  parameters.some((one) => one.in === 'query')

test.each(operations)('$id refuses as documented', async (one) => {
  clock.offsetMs += 60_000
  for (const { status, answer } of listResponses(one)) {
    const way = findWay(one, status)
    if (!way) continue

    const { statusCode, headers, ...response } = await way(one)

    expect(statusCode, `${status} ${response.body}`).toBe(status)
    const { status: said, code = CODES[status] } = response.json()
    expect(said).toBe('error')
    const { examples = {} } = answer.content!['application/json']!
    expect(Object.keys(examples)).toContain(code)
    const fields = Object.keys(examples[code]!.value as object)
    expect(fields, `${status} ${code}`).toEqual(Object.keys(response.json()))
    const promised = Object.entries(answer.headers ?? {}).filter(([, header]) => '$ref' in header)
    for (const name of promised.map(([name]) => name.toLowerCase())) {
      if (isThere(name, status, code)) expect(headers, `${status} ${name}`).toHaveProperty([name])
    }
  }
})

const CODES: Record<number, string> = { 401: 'unauthorized', 429: 'rate_limited' }

/** A service that is still starting knows no key, and so no limit; nor does an address that is none. */
const isThere = (name: string, status: number, code: string) =>
  (status !== 503 && code !== 'invalid_url') || !name.startsWith('ratelimit')

test('only what depends on the state of things is left to the tests of each room', () => {
  const statuses = operations.flatMap(listResponses).map(({ status }) => status)
  const left = new Set(statuses.filter((status) => status >= 400 && !WAYS[status]))

  expect([...left].sort()).toEqual([409, 500])
})
