// The document by itself: a stranger finds in it every route, every refusal, and an example of each.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import {
  type ApiResponse,
  type MediaType,
  type Parameter,
  resolveRef,
  type Schema,
} from '../../../src/http/openapi/types.ts'
import { STREAM_PATH } from '../../support/api-routes.ts'
import { loadOpenApiDocument } from '../../support/document.ts'
import { BASE_URL, MINIMAL_LINK, openTestApp } from '../../support/test-app.ts'

/** What a stranger may call, as it was registered. */
const routes: string[] = []

function note({ method, url, schema }: RouteOptions) {
  const ours = url.startsWith('/api/') && !url.startsWith('/api/docs') && !schema?.hide
  if (!ours || method === 'HEAD') return
  routes.push(...[method].flat().map((one) => `${one} ${url.replace(/:(\w+)/g, '{$1}')}`))
}

function watch(message: unknown) {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', note)
}

subscribe('fastify.initialization', watch)
const { app, newCompany } = await openTestApp()
unsubscribe('fastify.initialization', watch)
const { document, operations, listResponses, findSchemaIssues } = await loadOpenApiDocument(app)
const { schemas } = document.components
const response = await app.inject('/api/openapi.json')

test('the document is public OpenAPI 3.1 of this address, behind a bearer key', () => {
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: {
      title: expect.any(String),
      version: expect.any(String),
      license: { name: 'MIT' },
      contact: { url: `${BASE_URL}/api/docs` },
    },
    servers: [{ url: BASE_URL }],
    security: [{ apiKey: [] }],
  })
  expect(document.components.securitySchemes).toMatchObject({
    apiKey: { type: 'http', scheme: 'bearer' },
  })
})

test('every route of the API is in it, and no page', () => {
  const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)

  expect(documented.length).toBeGreaterThan(20)
  expect(documented.toSorted()).toEqual(routes.toSorted())
})

test.each(operations)('$method $path is described to the end', ({ path, operation }) => {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const parameters = (operation.parameters ?? []).map((one) => resolveRef(document, one))

  expect(operation).toMatchObject({
    operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
    summary: expect.stringMatching(/^[A-Z].{5,}[^.]$/),
    description: expect.stringMatching(/\S/),
    tags: [expect.toSatisfy((tag) => document.tags.some(({ name }) => name === tag))],
    'x-scope': expect.any(String),
  })
  expect(parameters.flatMap((one) => ('in' in one && one.in === 'path' ? [one.name] : []))).toEqual(
    named,
  )
  expect(Object.keys(operation.responses)).toEqual(
    expect.arrayContaining(['401', '403', '429', '500', '503']),
  )
  for (const parameter of parameters) {
    expect(parameter).toMatchObject({ description: expect.stringMatching(/\S/) })
  }
})

test('what is sent may be repeated under a key, and says so', () => {
  for (const { method, operation } of operations) {
    const takesKey = JSON.stringify(operation.parameters ?? []).includes('Idempotency')

    expect(takesKey, operation.operationId).toBe(method === 'post' || method === 'patch')
  }
})

test('every answer names its request, how much of the limit is left, and how long to wait', () => {
  for (const { status, answer } of operations.flatMap(listResponses)) {
    const headers = Object.keys(answer.headers ?? {})

    expect(headers).toContain('X-Request-Id')
    expect(headers.includes('API-Version')).toBe(status < 400)
    if (status !== 409) expect(headers.includes('Retry-After')).toBe([429, 503].includes(status))
    expect(headers.includes('RateLimit-Remaining')).toBe(status !== 401)
  }
})

test('every field and every component has its words', () => {
  const silent = Object.entries(schemas).flatMap(([name, schema]) => silentFields(name, schema))

  expect(silent).toEqual([])
})

function silentFields(name: string, { properties = {}, items, anyOf = [] }: Schema): string[] {
  return [
    ...Object.entries(properties).flatMap(([field, schema]) => [
      ...(schema.description || schema.$ref || schema.readOnly ? [] : [`${name}.${field}`]),
      ...silentFields(`${name}.${field}`, schema),
    ]),
    ...[...(items ? [items] : []), ...anyOf].flatMap((inner) => silentFields(`${name}[]`, inner)),
  ]
}

test('all that the document describes is told in Portuguese', () => {
  const told = [...JSON.stringify(document).matchAll(/"description":"([^"]*)"/g)]
  const english = told.filter(([, text]) => /\b(the|of|was|were|is|what)\b/i.test(text!))

  expect(told.length).toBeGreaterThan(100)
  expect(english.map(([, text]) => text)).toEqual([])
})

test('every reference leads somewhere, nothing is left over, and names are unique', () => {
  const refs = [...response.body.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)]
  const used = new Set(refs.map(([, kind, name]) => `${kind}/${name}`))
  const { securitySchemes: _, ...kinds } = document.components
  const there = Object.entries(kinds).flatMap(([kind, things]) =>
    Object.keys(things).map((name) => `${kind}/${name}`),
  )
  const names = operations.map(({ operation }) => operation.operationId)

  expect([...used].sort()).toEqual(there.sort())
  expect(there.filter((name) => name.endsWith('Input'))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

const media: { name: string; media: MediaType }[] = [
  ...operations.flatMap((one) => [
    { name: one.id, media: one.operation.requestBody?.content['application/json'] },
    ...listResponses(one).map(({ status, answer }) => ({
      name: `${one.id} ${status}`,
      media: answer.content?.['application/json'],
    })),
  ]),
  ...Object.entries(document.webhooks).map(([name, { post }]) => ({
    name,
    media: post!.requestBody!.content['application/json'],
  })),
].flatMap(({ name, media }) => (media ? [{ name, media }] : []))

test.each(media)('the examples of $name fit their schema', ({ media }) => {
  const { schema, example, examples = {} } = media
  const given = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ]
  expect(given).not.toEqual([])
  for (const value of given) expect(findSchemaIssues(schema, value)).toEqual([])
})

test('the example of each request is one that the service takes', async () => {
  const { key } = await newCompany()
  const refused: string[] = []

  for (const { method, path, operation } of operations) {
    const body = operation.requestBody?.content
    // A file is for the caller to choose; a stream does not end.
    if (body?.['multipart/form-data'] || path === STREAM_PATH) continue
    const parameters = (operation.parameters ?? []).map((one) =>
      resolveRef<Parameter>(document, one),
    )
    const exampleOf = ({ example, schema }: Parameter) =>
      String(example ?? (schema.anyOf?.[0] ?? schema).examples?.[0])
    const needed = parameters.filter((one) => one.in === 'query' && one.required)
    const query = new URLSearchParams(needed.map((one) => [one.name, exampleOf(one)]))
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      exampleOf(parameters.find((one) => one.in === 'path' && one.name === name)!),
    )
    const url = `${filled}?${query}`
    const payload = body?.['application/json']?.example
    const answer = await app.inject({
      method: method.toUpperCase() as 'GET',
      url,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': crypto.randomUUID() },
      ...(payload !== undefined && { payload: payload as object }),
    })
    if (![200, 201, 202, 204, 404].includes(answer.statusCode))
      refused.push(`${method} ${url}: ${answer.body}`)
  }

  expect(refused).toEqual([])
})

test('no schema carries noise, and null is a type like any other', () => {
  expect(response.body).not.toContain('9007199254740991')
  expect(response.body).not.toContain('"nullable"')
  expect(schemas.PaymentLink!.properties!.redirectUrl).toMatchObject({ type: ['string', 'null'] })
  expect(schemas.PaymentLink!.properties!.id).toMatchObject({ type: 'string', format: 'uuid' })
  expect(schemas.PaymentLink!.properties!.id).not.toHaveProperty('pattern')
})

test('what a new link may hold is what the route accepts', () => {
  const { requestBody } = document.paths['/api/payment-links']!.post!
  const schema = requestBody!.content['application/json']!.schema

  expect(resolveRef<Schema>(document, schema as { $ref: string })).toMatchObject({
    required: ['title', 'amountCents', 'methods'],
    additionalProperties: false,
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 128 },
      amountCents: { type: 'integer', minimum: 1_000, maximum: 20_000_000 },
      methods: { minItems: 1, maxItems: 2, items: { enum: ['pix', 'credit_card'] } },
      maxInstallments: { type: 'integer', minimum: 1, maximum: 12 },
      interestMode: { enum: ['absorb', 'pass_to_customer'] },
      tags: { maxItems: 20, items: { maxLength: 50 } },
      id: { readOnly: true },
    },
  })
})

test('401 and 429 carry their two fields', () => {
  expect(schemas.PlainProblem).toMatchObject({
    required: ['status', 'message'],
    properties: { status: { const: 'error' }, message: { type: 'string' } },
  })
  expect(Object.keys(schemas.PlainProblem!.properties!)).toHaveLength(2)
})

test('a link that is answered has the fields that the document names', async () => {
  const company = await newCompany()
  const link = (await company.post('/api/payment-links', MINIMAL_LINK)).json()
  const { required = [], properties = {} } = schemas.PaymentLink!

  expect(Object.keys(link).sort()).toEqual([...required].sort())
  expect(Object.keys(properties).sort()).toEqual([...required, 'description'].sort())
})

test('an event is told apart by its type, and what it says is typed', () => {
  const { Event: event, StoredTransactionApprovedEvent: approved } = document.components.schemas
  const types = Object.keys(document.webhooks).toSorted()

  expect(event!.discriminator!.propertyName).toBe('type')
  expect(Object.keys(event!.discriminator!.mapping).toSorted()).toEqual(types)
  expect(event!.oneOf!.map(({ $ref }) => $ref).toSorted()).toEqual(
    Object.values(event!.discriminator!.mapping).toSorted(),
  )
  expect(approved!.allOf!.map(({ $ref }) => $ref)).toEqual([
    '#/components/schemas/TransactionApprovedEvent',
    '#/components/schemas/StoredEvent',
  ])
})

test('an answer that goes well has one media type', () => {
  for (const { id, operation } of operations) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (Number(status) >= 300 || '$ref' in answer) continue
      expect(Object.keys(answer.content ?? {}).length, `${id} ${status}`).toBeLessThanOrEqual(1)
    }
  }
})

test('codes of refusals are known words of a list that may grow', () => {
  const { code } = document.components.schemas.Problem!.properties!

  expect(code).toMatchObject({ type: 'string' })
  expect(code).not.toHaveProperty('enum')
  expect(code!['x-extensible-enum']).toEqual(
    expect.arrayContaining([
      ...['invalid_json', 'link_archived', 'method_not_allowed', 'not_found', 'validation_error'],
    ]),
  )
})

test('the example of a payment that is accepted is a Pix', () => {
  const { operation } = operations.find(({ id }) => id === 'acceptTransaction')!
  const answer = resolveRef<ApiResponse>(document, operation.responses[200]!)

  expect(answer.content!['application/json']!.example).toMatchObject({
    method: 'pix',
    pix: { txid: expect.any(String) },
    card: null,
    threeDs: null,
  })
})

test('pairs of metadata are written as clients write objects', () => {
  const { operation } = operations.find(({ id }) => id === 'listTransactions')!

  expect(operation.parameters).toContainEqual(
    expect.objectContaining({ name: 'metadata', in: 'query', style: 'deepObject', explode: true }),
  )
})

test('a body that may be left out is not required', () => {
  const optional = operations
    .filter(({ operation }) => operation.requestBody && !operation.requestBody.required)
    .map(({ id }) => id)

  expect(optional).toEqual(expect.arrayContaining(['createRefund', 'redeliverEvent']))
  expect(optional).not.toContain('createPaymentLink')
})
