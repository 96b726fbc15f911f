// Every operation of the document under arbitrary requests: whatever comes, the answer is one that
// the document names, in the contract's format, and never a failure of ours.
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import {
  buildFittingValue,
  buildNearlyFittingValue,
  garbage,
  nastyText,
} from '../support/arbitrary.ts'
import {
  type ApiResponse,
  loadOpenApiDocument,
  type Parameter,
  resolveRef,
} from '../support/document.ts'
import { openCheckout } from '../support/payer.ts'
import { BASE_URL, openTestApp } from '../support/test-app.ts'

/** At night more, by FUZZ_RUNS; the same again with FUZZ_SEED, which a failure prints. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 2)
const SEED = process.env.FUZZ_SEED

const testApp = await openTestApp()
const { app } = testApp
testApp.needs.limiter.countHit = async () => ({ exceeded: false, current: 1, retryAfterMs: 0 })
const { document, operations: documented } = await loadOpenApiDocument(app)
const operations = documented
  // An answer that does not end.
  .filter(({ id }) => id !== 'streamEvents')
  // What is deleted is of no more use to the others.
  .toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
const headers: Record<string, string> = {}
/** By the collection that they are in: `customers`, … */
const known: Record<string, string[]> = {}

/** A company in which everything that an id may stand for exists. */
beforeAll(async () => {
  const { newLink, pay } = openCheckout(testApp)
  const company = await testApp.newCompany()
  headers.authorization = `Bearer ${company.key}`
  const link = await newLink({}, company)
  const { url } = await pay(link)
  await app.inject({ method: 'POST', url: `${url}/simulate` })
  const endpoint = { url: 'https://93.184.216.34/hook' }
  await app.inject({ method: 'POST', url: '/api/webhook-endpoints', headers, payload: endpoint })
  const lists = ['customers', 'events', 'webhook-endpoints', 'transactions']
  for (const list of lists) {
    const { data } = (await app.inject({ url: `/api/${list}`, headers })).json()
    known[list] = data.map(({ id }: { id: string }) => id)
  }
  known['payment-links'] = [link.id, link.slug]
})

type Operation = (typeof operations)[number]
type Sent = { url: string; payload?: string; headers: Record<string, string> }

function requestsOf({ path, operation }: Operation): fc.Arbitrary<Sent> {
  const { parameters } = operation
  const body = operation.requestBody?.content['application/json']
  return fc
    .record({
      id: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...(known[path.split('/')[2]!] ?? [''])) },
        { weight: 1, arbitrary: fc.constantFrom(...Object.values(known).flat()) },
        { weight: 1, arbitrary: fc.uuid() },
        { weight: 2, arbitrary: nastyText },
      ),
      query: queryOf(parameters.filter((one) => one.in === 'query')),
      payload: body ? bodiesOf(buildNearlyFittingValue(document, body.schema)) : fc.constant(''),
      type: mostly('application/json', 'text/plain', 'application/xml', ''),
      key: fc.oneof(
        { weight: 4, arbitrary: fc.uuid() },
        { weight: 3, arbitrary: fc.constantFrom(undefined, '', 'é', 'x'.repeat(256)) },
      ),
      accept: mostly('application/json', '*/*', 'text/csv', 'text/csv;q=0', ';;q=,', ''),
    })
    .map(({ id, query, payload, type, key, accept }) => ({
      url: path.replace(/\{\w+\}/, encoded(id)) + (query && `?${query}`),
      ...(payload && { payload }),
      headers: {
        ...headers,
        accept,
        ...(payload && type && { 'content-type': type }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    }))
}

function bodiesOf(values: fc.Arbitrary<unknown>) {
  return fc.oneof(
    { weight: 8, arbitrary: values.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: garbage.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: fc.constantFrom('{', '{"a":1e999}', '{"a":1,"a":2}', '\ufeff{}', '[') },
  )
}

function queryOf(parameters: Parameter[]) {
  const one = (parameter: Parameter) =>
    fc
      .tuple(
        fc.oneof(
          { weight: 5, arbitrary: buildFittingValue(document, parameter.schema) },
          { weight: 1, arbitrary: nastyText },
        ),
        mostly(1, 2),
      )
      .map(([value, times]) => Array(times).fill(writeParameter(parameter, value)).join('&'))
  const few = fc.subarray(parameters, { maxLength: Math.min(2, parameters.length) })
  const stray = mostly('', 'x=1', 'limit[]=1', '%', '&&==', 'cursor')
  return fc
    .tuple(
      stray,
      few.chain((chosen) => fc.tuple(...chosen.map(one))),
    )
    .map(([strange, pairs]) => [strange, ...pairs].filter(Boolean).join('&'))
}

/** `metadata[key]=value`, or `name=value`. */
function writeParameter({ name, style }: Parameter, value: unknown) {
  if (style !== 'deepObject') return `${name}=${encoded(String(value))}`
  const pairs = typeof value === 'object' ? Object.entries(value ?? {}) : [[value, value]]
  return [...pairs, ['pedido', '1042']]
    .map(([key, one]) => `${name}[${encoded(String(key))}]=${encoded(String(one))}`)
    .join('&')
}

/** The first nine times in ten. */
function mostly<Value>(usual: Value, ...others: Value[]) {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )
}

/** Also of what no URL can hold: a lone surrogate goes as its replacement. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

test.each(operations)('$id answers whatever is sent as documented', async (one) => {
  const { method, operation } = one
  const property = fc.asyncProperty(requestsOf(one), async (sent) => {
    const verb = method.toUpperCase() as 'GET'
    const { statusCode, headers, body } = await app.inject({ method: verb, ...sent })
    const type = headers['content-type'] ?? ''

    expect(statusCode, body).toBeLessThan(500)
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    // An empty name in the path makes it the path of another operation.
    if (/\/(\/|$)/.test(sent.url.split('?')[0]!)) return
    expect(Object.keys(operation.responses)).toContain(String(statusCode))
    const answer = resolveRef<ApiResponse>(document, operation.responses[statusCode]!)
    if (statusCode < 400) {
      expectMediaType(type, answer)
      expectHeaders(headers, answer)
      return
    }
    expect(type).toBe('application/json; charset=utf-8')
    expectProblem(statusCode, JSON.parse(body), answer)
  })

  await fc.assert(property, { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) })
})

function expectMediaType(type: unknown, answer: ApiResponse) {
  const [essence = ''] = String(type).split(';')
  expect(Object.keys(answer.content ?? { '': 1 })).toContain(essence)
}

/** The answer has the headers that are always there, and no known header that the document leaves out. */
function expectHeaders(headers: object, { headers: named = {} }: ApiResponse) {
  const known = document.components.headers
  const sent = Object.keys(known).filter((name) => name.toLowerCase() in headers)

  expect(Object.keys(named)).toEqual(expect.arrayContaining(sent))
  expect(sent).toEqual(
    expect.arrayContaining(Object.keys(named).filter((name) => known[name]!.required)),
  )
}

function expectProblem(status: number, body: Record<string, unknown>, answer: ApiResponse) {
  const { code, type, errors, ...plain } = body
  expect(plain).toEqual({ status: 'error', message: expect.stringMatching(/\S/) })
  if (status === 401 || status === 429) return expect(body).toEqual(plain)
  expect(Object.keys(answer.content!['application/json']!.examples!)).toContain(code)
  expect(type).toBe(`${BASE_URL}/api/docs/erros#${code}`)
  if (code !== 'validation_error') return expect(errors).toBeUndefined()
  expect(errors).not.toHaveLength(0)
  for (const error of errors as unknown[]) {
    expect(error).toEqual({
      field: expect.any(String),
      code: expect.stringMatching(/^[a-z_]+$/),
      message: expect.stringMatching(/\S/),
    })
  }
}

test('nothing of this was a bug of ours', () => {
  const bugs = testApp.logged.filter((line) => line.includes('"level":"error"'))

  expect(bugs.slice(0, 3).map((line) => line.slice(0, 1_000))).toEqual([])
})
