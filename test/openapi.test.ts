import { expect, test } from 'vitest'
import { BASE_URL, MINIMAL_LINK, openHouse } from './support/house.ts'

const { app, newCompany } = await openHouse()

type Operation = {
  operationId: string
  summary: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content: Record<string, { schema: { $ref?: string } }> }>
}

const response = await app.inject('/api/openapi.json')
const document = response.json()
const paths: Record<string, Record<string, Operation>> = document.paths
const { schemas } = document.components
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('the document is public OpenAPI 3.1 of this address, behind a bearer key', () => {
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { title: expect.any(String), version: expect.any(String) },
    servers: [{ url: BASE_URL }],
    security: [{ apiKey: [] }],
  })
  expect(document.components.securitySchemes).toEqual({
    apiKey: { type: 'http', scheme: 'bearer' },
  })
})

test('it tells of the API and of no page', () => {
  expect(Object.keys(paths).filter((path) => !path.startsWith('/api/'))).toEqual([])
  expect(operations.map(({ path, method }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'post /api/payment-links',
      'get /api/payment-links',
      'get /api/payment-links/{idOrSlug}',
    ]),
  )
})

test.each(operations)('$method $path is described to the end', ({ path, operation }) => {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path')

  expect(operation).toMatchObject({ operationId: expect.any(String), summary: expect.any(String) })
  expect(inPath.map(({ name }) => name)).toEqual(named)
  for (const status of ['401', '429']) {
    expect(operation.responses[status]!.content['application/json']!.schema).toEqual({
      $ref: '#/components/schemas/PlainProblem',
    })
  }
  expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['500', '503']))
})

test('every name of a schema leads to one, and every operation has its own name', () => {
  const refs = [...response.body.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, n]) => n)
  const names = operations.map(({ operation }) => operation.operationId)

  expect(refs).not.toEqual([])
  expect(refs.filter((name) => !(name! in schemas))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

test('what a new link may hold is what the route accepts', () => {
  const body = paths['/api/payment-links']!.post!.requestBody!.content['application/json']!.schema
  const { $ref } = body as { $ref: string }

  expect(schemas[$ref.split('/').at(-1)!]).toMatchObject({
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

test('the list tells its query, and 401 and 429 their two fields', () => {
  const { parameters = [] } = paths['/api/payment-links']!.get!

  expect(parameters.map(({ name }) => name)).toEqual([
    'limit',
    'cursor',
    'status',
    'tag',
    'method',
    'q',
    'externalReference',
    'createdFrom',
    'createdTo',
  ])
  expect(schemas.PlainProblem).toMatchObject({
    required: ['status', 'message'],
    properties: { status: { const: 'error' }, message: { type: 'string' } },
  })
  expect(Object.keys(schemas.PlainProblem.properties)).toHaveLength(2)
})

test('a link that is answered has the fields that the document names', async () => {
  const company = await newCompany()
  const link = (await company.post('/api/payment-links', MINIMAL_LINK)).json()
  const { required, properties } = schemas.PaymentLink as { required: string[]; properties: object }

  expect(Object.keys(link).sort()).toEqual([...required].sort())
  expect(Object.keys(properties).sort()).toEqual([...required, 'description'].sort())
})
