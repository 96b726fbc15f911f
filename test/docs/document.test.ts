// The document by itself: a stranger finds in it every route, every refusal, and an example of each.
import { expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { Schema } from '../../src/docs/json-schemas.ts'
import { toRecord } from '../../src/http/fields.ts'
import { collectApiRoutes, STREAM_PATH } from '../support/api-routes.ts'
import { loadOpenApiDocument, resolveRef } from '../support/document.ts'
import { BASE_URL, openTestApp } from '../support/test-app.ts'

const { app, needs, newCompany } = await openTestApp()
const { document, operations, listResponses, listReached, findSchemaIssues } =
  await loadOpenApiDocument(app)
const { schemas } = document.components
const response = await app.inject('/api/openapi.json')

function findOperation(name: string) {
  return operations.find(({ id }) => id === name)!
}

test('the document is public OpenAPI 3.1 of this address, behind a bearer key', () => {
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: {
      title: expect.any(String),
      license: { name: 'MIT' },
      contact: { url: `${BASE_URL}/api/docs` },
    },
    servers: [{ url: BASE_URL }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
  })
})

test('every route of the API is in it, and no page', async () => {
  const { built, routes } = await collectApiRoutes(() => buildApp(needs))
  await built.close()
  const registered = routes
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
  const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)

  expect(documented.length).toBeGreaterThan(20)
  expect(documented.toSorted()).toEqual(registered.toSorted())
})

test.each(operations)('$method $path is described to the end', ({ method, path, operation }) => {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const { parameters } = operation
  const isRepeatable = method === 'post' || method === 'patch'

  expect(operation).toMatchObject({
    operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
    summary: expect.stringMatching(/^[A-Z].{5,}[^.]$/),
    description: expect.stringMatching(/^[^u]/),
    tags: [expect.toSatisfy((tag) => document.tags.some(({ name }) => name === tag))],
    'x-scope': expect.stringMatching(method === 'get' ? /^[a-z-]+:read$/ : /^[a-z-]+$/),
  })
  expect(parameters.flatMap((one) => (one.in === 'path' ? [one.name] : []))).toEqual(named)
  expect(parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(isRepeatable)
  for (const parameter of parameters)
    expect(parameter).toMatchObject({ description: expect.stringMatching(/\S/) })
})

test('every field and every component has its words', () => {
  const silent = Object.entries(schemas).flatMap(([name, schema]) => listSilent(name, schema))

  expect(silent).toEqual([])
})

function listSilent(name: string, { properties = {}, items, anyOf = [] }: Schema): string[] {
  return [
    ...Object.entries(properties).flatMap(([field, schema]) => [
      ...(schema.description || schema.$ref || schema.readOnly ? [] : [`${name}.${field}`]),
      ...listSilent(`${name}.${field}`, schema),
    ]),
    ...[...(items ? [items] : []), ...anyOf].flatMap((inner) => listSilent(`${name}[]`, inner)),
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
  const names = operations.map(({ id }) => id)

  expect([...used].sort()).toEqual(there.sort())
  expect(new Set(names).size).toBe(names.length)
})

test('every example fits its schema, wherever it stands', () => {
  const examples = listExamples()
  const wrong = examples.flatMap(({ schema, value }) => {
    const issues = findSchemaIssues(schema, value)
    return issues.length > 0 ? [JSON.stringify({ value, issues })] : []
  })

  expect(wrong).toEqual([])
  expect(examples.length).toBeGreaterThan(400)
})

/** A schema has a list of them; beside one stands a single one, or some by their names. */
function listExamples() {
  const found: { schema: Schema; value: unknown }[] = []
  JSON.parse(response.body, (_key, part) => {
    const { schema, examples, example } = toRecord(part)
    const beside = (schema ?? part) as Schema
    if (example !== undefined) found.push({ schema: beside, value: example })
    for (const one of Object.values(toRecord(examples)))
      found.push({ schema: beside, value: schema ? toRecord(one).value : one })
    return part
  })
  return found
}

test('the example of each request is one that the service takes', async () => {
  const { key } = await newCompany()
  const refused: string[] = []

  for (const { method, path, operation } of operations) {
    const body = operation.requestBody?.content
    // A file is for the caller to choose; a stream does not end.
    if (body?.['multipart/form-data'] || path === STREAM_PATH) continue
    const { parameters } = operation
    const needed = parameters.filter((one) => one.in === 'query' && one.required)
    const query = new URLSearchParams(needed.map((one) => [one.name, getExample(one.schema)]))
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      getExample(parameters.find((one) => one.in === 'path' && one.name === name)!.schema),
    )
    const answer = await app.inject({
      method: method.toUpperCase() as 'GET',
      url: `${filled}?${query}`,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': crypto.randomUUID() },
      ...(body && { payload: getExample(body['application/json']!.schema) }),
    })
    if (![200, 201, 202, 204, 404].includes(answer.statusCode))
      refused.push(`${method} ${filled}: ${answer.body}`)
  }

  expect(refused).toEqual([])
})

/** Every request has one; a body that may be null is one of two choices. */
function getExample(schema: Schema) {
  const [example] = resolveRef<Schema>(document, schema.anyOf?.[0] ?? (schema as { $ref: '' }))
    .examples as [string]
  return example
}

test('no schema carries noise, and null is a type like any other', () => {
  expect(response.body).not.toContain('9007199254740991')
  expect(response.body).not.toMatch(/"nullable"|"default"|Input"/)
  expect(schemas.PaymentLink!.properties!.redirectUrl).toMatchObject({ type: ['string', 'null'] })
  expect(schemas.PaymentLink!.properties!.id).toMatchObject({ type: 'string', format: 'uuid' })
  expect(schemas.PaymentLink!.properties!.id).not.toHaveProperty('pattern')
})

test('an event is told apart by its type, and what it says is typed', () => {
  const { Event: event, StoredTransactionApprovedEvent: approved } = schemas
  const types = Object.keys(document.webhooks)
  const mapping = Object.fromEntries(types.map((type, at) => [type, event!.oneOf![at]!.$ref]))

  expect(event!.discriminator).toEqual({ propertyName: 'type', mapping })
  expect(approved!.required).toContain('createdAt')
  expect(approved!.properties!.data!.properties).toMatchObject({
    transaction: { $ref: '#/components/schemas/Transaction' },
  })
})

test('401 and 429 carry two fields, and others a code of a list that may grow', () => {
  const { code } = schemas.Problem!.properties!

  expect(schemas.PlainProblem!.required).toEqual(['status', 'message'])
  expect(Object.keys(schemas.PlainProblem!.properties!)).toEqual(['status', 'message'])
  expect(code!['x-extensible-enum']).toEqual(
    expect.arrayContaining(['invalid_json', 'link_archived', 'method_not_allowed', 'not_found']),
  )
  expect(code!['x-extensible-enum']).not.toContain('rate_limited')
})

test('answers may grow: none forbids further fields, or a word that it does not know', () => {
  const answers = operations.flatMap(listResponses).map(({ answer }) => answer)
  const { status } = schemas.PaymentLink!.properties!
  const { feeSource } = schemas.Transaction!.properties!

  expect(JSON.stringify([answers, ...listReached(answers)])).not.toMatch(
    /"additionalProperties":false|"enum":/,
  )
  expect(status).toMatchObject({
    type: 'string',
    'x-extensible-enum': ['active', 'inactive', 'expired', 'completed', 'archived'],
  })
  expect(feeSource).toMatchObject({
    type: ['string', 'null'],
    'x-extensible-enum': ['company', 'provider'],
  })
})

test('its version, which each answer says, is the day of the last change that is told', async () => {
  const { version } = document.info
  const changes = await app.inject('/api/docs/mudancas')
  const stranger = await app.inject('/api/customers')

  const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'UTC' })
  expect(/<h2[^>]*>([^<]*)</.exec(changes.body)?.[1]).toBe(day.format(new Date(version)))
  expect(stranger).toMatchObject({ statusCode: 401, headers: { 'api-version': version } })
})

test('pairs of metadata are written as clients write objects', () => {
  expect(findOperation('listTransactions').operation.parameters).toContainEqual(
    expect.objectContaining({ name: 'metadata', in: 'query', style: 'deepObject', explode: true }),
  )
})

test('a body that may be left out is not required, and a key is where it has to be sent', () => {
  const optional = operations
    .filter(({ operation }) => operation.requestBody && !operation.requestBody.required)
    .map(({ id }) => id)

  expect(optional).toEqual(expect.arrayContaining(['createRefund', 'redeliverEvent']))
  expect(findOperation('createRefund').operation.parameters).toContainEqual(
    expect.objectContaining({ name: 'Idempotency-Key', required: true }),
  )
})

test('an address with letters that no URI has is answered as sent, and not called a URI', async () => {
  const redirectUrl = 'https://loja.com.br/concluído'
  const { post } = await newCompany()

  const { statusCode, body } = await post('/api/payment-links', {
    ...{ title: 'Bolo', amountCents: 1990, methods: ['pix'], redirectUrl },
  })

  expect([statusCode, JSON.parse(body).redirectUrl]).toEqual([201, redirectUrl])
  const answers = [schemas.PaymentLink, schemas.PaymentLinkWithTotals]
  const formats = answers.map((schema) => toRecord(schema?.properties?.redirectUrl).format)
  expect(formats).toEqual([undefined, undefined])
  expect(toRecord(schemas.NewPaymentLink?.properties?.redirectUrl).format).toBe('uri')
})
