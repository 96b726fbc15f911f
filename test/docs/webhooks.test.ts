// The webhooks section of the document: what it says of an event is what an event is.
import { expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/database/enums.ts'
import { DAY_MS } from '../../src/database/instant.ts'
import { DELIVERY_RETRY_DELAYS_MS } from '../../src/webhooks/deliveries/record.ts'
import { loadOpenApiDocument } from '../support/document.ts'
import { buildTestCard, openCheckout } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, newCompany } = testApp
const { document, findSchemaIssues } = await loadOpenApiDocument(app)

test('every event is described as the webhook that it is', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES])
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { parameters, requestBody } = post!

    expect(parameters).toMatchObject([
      { name: 'webhook-id' },
      { name: 'webhook-timestamp' },
      { name: 'webhook-signature' },
    ])
    expect(requestBody!.content['application/json']!.example).toMatchObject({ type })
  }
})

test('how often an event is tried again is what happens', () => {
  const { responses } = document.webhooks['transaction.approved']!.post!
  const days = DELIVERY_RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) / DAY_MS

  expect(DELIVERY_RETRY_DELAYS_MS).toHaveLength(9)
  expect(Math.round(days)).toBe(3)
  expect(responses['4XX']).toMatchObject({
    description: expect.stringContaining('de novo, nove vezes em cerca de três dias'),
  })
})

test('an example that does not fit would be found', () => {
  const { schema, example } =
    document.webhooks['transaction.approved']!.post!.requestBody!.content['application/json']!
  const { data, ...rest } = example as { data: { transaction: object } }
  const wrong = { ...data, transaction: { ...data.transaction, amountCents: '1990' } }

  expect(findSchemaIssues(schema, { ...rest, data: wrong })).toHaveLength(1)
  expect(findSchemaIssues(schema, rest)).toHaveLength(1)
})

test('an event that happened has the shape that its webhook documents, to the last field', async () => {
  const { newLink, pay } = openCheckout(testApp)
  const company = await newCompany()
  const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': 'reembolso-1' }
  const link = await newLink({ maxPayments: 1 }, company)
  await pay(link, buildTestCard('funds'))
  const { row } = await pay(link, buildTestCard('ok'))
  const url = `/api/transactions/${row.id}/refunds`
  await app.inject({ method: 'POST', url, headers, payload: { amountCents: 500 } })

  const { data } = (await company.get('/api/events')).json()

  expect(data.map(({ type }: { type: string }) => type).sort()).toEqual([
    'payment_link.completed',
    'transaction.approved',
    'transaction.declined',
    'transaction.refunded',
  ])
  for (const { createdAt: _, ...body } of data) {
    const { schema, example } =
      document.webhooks[body.type]!.post!.requestBody!.content['application/json']!
    expect(findSchemaIssues(schema, body), body.type).toEqual([])
    expect(namesIn(body)).toEqual(namesIn(example))
  }
})

test('an event with a link that would not fit has the shape that its webhook documents', async () => {
  const { newLink, pay } = openCheckout(testApp)
  const company = await newCompany()
  const pairs = Array.from({ length: 20 }, (_, i) => [`chave-${i}`, 'x'.repeat(500)])
  const link = await newLink({ metadata: Object.fromEntries(pairs), tags: ['bolos'] }, company)
  await pay(link, buildTestCard('ok'))

  const { data } = (await company.get('/api/events')).json()

  const [{ createdAt: _, ...body }] = data
  const { schema } = document.webhooks[body.type]!.post!.requestBody!.content['application/json']!
  expect(body.data.paymentLink).not.toHaveProperty('metadata')
  expect(findSchemaIssues(schema, body)).toEqual([])
})

/** The fields of an event and of the things that it tells of. */
function namesIn(body: unknown) {
  const { data, ...envelope } = body as { data: Record<string, object> }
  const things = Object.entries(data).map(([name, thing]) => [name, Object.keys(thing).sort()])
  return [Object.keys(envelope).sort(), Object.fromEntries(things)]
}
