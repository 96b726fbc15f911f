import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EventType } from '../../../src/database/enums.ts'
import { createGuardedAgent } from '../../../src/http/outbound.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import {
  createEndpoint,
  removeEndpoint,
  setEndpointDisabled,
} from '../../../src/webhooks/endpoints/endpoint.ts'
import { recordEvent } from '../../../src/webhooks/events/event.ts'
import { openCheckout } from '../../support/payer.ts'
import { answerWith, openReceiver } from '../../support/receiver.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, cipher, clock, newCompany } = testApp
const { newLink } = openCheckout(testApp)

const EVENTS = '/api/events'
const needs = { db, cipher, agent: createGuardedAgent({ allowPrivate: true }), deadlineMs: 5_000 }

async function emit(
  { id: companyId }: TestCompany,
  type: EventType = 'transaction.approved',
  data: Record<string, unknown> = {},
) {
  const event = { companyId, type, testMode: true, data, now: clock.now() }
  return (await db.transaction((tx) => recordEvent(tx, event))).eventId
}

async function addReceiver({ id: companyId }: TestCompany, url: string) {
  return (await createEndpoint(db, cipher, { companyId, url, allowPrivate: true })).id
}

const idsOf = async (company: TestCompany, query: string) =>
  (await company.get(`${EVENTS}?${query}`)).json().data.map(({ id }: { id: string }) => id)

test('an event is shown as the very body that was sent, and what became of it', async () => {
  const receiver = await openReceiver(answerWith(200))
  const company = await newCompany()
  const endpointId = await addReceiver(company, receiver.url)
  await emit(company, 'transaction.approved', { paymentLink: { title: 'Pão', amountCents: 1_990 } })
  await deliverDue(needs, clock.now())

  const [{ createdAt, ...sent }] = (await company.get(EVENTS)).json().data
  const { deliveries, ...shown } = (await company.get(`${EVENTS}/${sent.id}`)).json()

  const [hit] = receiver.hits
  expect(JSON.stringify(sent)).toBe(hit!.body)
  expect(hit!.headers['webhook-id']).toBe(sent.id)
  expect(createdAt).toBe(sent.timestamp)
  expect(shown).toEqual({ ...sent, createdAt })
  expect(deliveries).toEqual([
    {
      id: expect.any(String),
      endpointId,
      url: receiver.url,
      status: 'delivered',
      attempts: 1,
      outcome: 'delivered',
      statusCode: 200,
      nextAttemptAt: null,
      deliveredAt: expect.any(String),
    },
  ])
})

test('a delivery that failed says how, and when it is tried next', async () => {
  const receiver = await openReceiver(answerWith(500))
  const company = await newCompany()
  await addReceiver(company, receiver.url)
  const id = await emit(company)
  await deliverDue(needs, clock.now())

  const { deliveries } = (await company.get(`${EVENTS}/${id}`)).json()

  const [{ nextAttemptAt }] = deliveries
  expect(deliveries).toMatchObject([
    { status: 'pending', attempts: 1, outcome: 'http_error', statusCode: 500, deliveredAt: null },
  ])
  expect(Date.parse(nextAttemptAt)).toBeGreaterThan(clock.now().getTime())
})

test('events are filtered by type, by payment, by link and by when they were made', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const [paid, declined, other] = [randomUUID(), randomUUID(), randomUUID()]
  const buildData = (transactionId: string, linkId: string) => ({
    transaction: { id: transactionId },
    paymentLink: { id: linkId },
  })
  const approved = await emit(company, 'transaction.approved', buildData(paid, other))
  clock.offsetMs += 1_000
  const completed = await emit(company, 'payment_link.completed', { paymentLink: { id: other } })
  clock.offsetMs += 1_000
  const last = await emit(company, 'transaction.declined', buildData(declined, link.id))
  const all = (await company.get(EVENTS)).json().data

  const found: [query: string, ids: string[]][] = [
    ['', [last, completed, approved]],
    ['type=payment_link.completed', [completed]],
    [`transactionId=${paid}`, [approved]],
    [`transactionId=${declined.toUpperCase()}`, [last]],
    [`paymentLinkId=${other}`, [completed, approved]],
    [`paymentLinkId=${link.id.toUpperCase()}`, [last]],
    [`paymentLinkId=${link.slug}`, [last]],
    [`paymentLinkId=${other}&type=transaction.approved`, [approved]],
    [`transactionId=${randomUUID()}`, []],
    [`createdFrom=${all[2].createdAt}&createdTo=${all[0].createdAt}`, [last, completed, approved]],
    [`createdFrom=${addMs(all[0].createdAt, 1)}`, []],
    [`createdTo=${addMs(all[2].createdAt, -1)}`, []],
    ['createdTo=0001-01-02T00:00:00Z', []],
  ]
  for (const [query, ids] of found)
    expect([query, await idsOf(company, query)]).toEqual([query, ids])
  expect(await idsOf(await newCompany(), `paymentLinkId=${link.slug}`)).toEqual([])
})

const addMs = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

test('events are paged from the newest on, and those of others are not seen', async () => {
  const [company, stranger] = [await newCompany(), await newCompany()]
  const ids = []
  for (let i = 0; i < 5; i++) ids.unshift(await emit(company))
  const theirs = await emit(stranger)

  const first = (await company.get(`${EVENTS}?limit=3`)).json()
  const rest = (await company.get(`${EVENTS}?limit=3&cursor=${first.nextCursor}`)).json()

  const shown = [...first.data, ...rest.data].map(({ id }: { id: string }) => id)
  expect(shown).toEqual(ids)
  expect([first.hasMore, rest.hasMore, rest.nextCursor]).toEqual([true, false, null])
  expect((await company.get(`${EVENTS}/${theirs}`)).statusCode).toBe(404)
  expect((await company.post(`${EVENTS}/${theirs}/redeliver`, {})).statusCode).toBe(404)
})

const NONSENSE = [
  ['type=transaction.lost', 'type'],
  ['type=transaction.approved&type=transaction.declined', 'type'],
  ['transactionId=1', 'transactionId'],
  ['paymentLinkId=k7-Pm3', 'paymentLinkId'],
  ['createdFrom=2026-01-01', 'createdFrom'],
  ['createdTo=2026-01-01T00:00:00', 'createdTo'],
  ['createdFrom=0001-01-01T00:00:00%2B14:00', 'createdFrom'],
  ['limit=101', 'limit'],
  ['cursor=x', 'cursor'],
  ['tipo=x', 'tipo'],
] as const

test('a question that makes no sense is refused at its field', async () => {
  const company = await newCompany()

  for (const [query, field] of NONSENSE) {
    const refused = await company.get(`${EVENTS}?${query}`)

    expect([query, refused.statusCode]).toEqual([query, 422])
    expect(refused.json().errors).toMatchObject([{ field }])
  }
})

test('an event goes out once more, under the same id, to all that had it and are enabled', async () => {
  const [one, other] = [await openReceiver(), await openReceiver()]
  const company = await newCompany()
  await addReceiver(company, one.url)
  const disabled = await addReceiver(company, other.url)
  const id = await emit(company)
  await deliverDue(needs, clock.now())
  await setEndpointDisabled(db, company.id, disabled, clock.now())

  const again = await company.post(`${EVENTS}/${id}/redeliver`, {})
  await deliverDue(needs, clock.now())

  expect([again.statusCode, again.json()]).toEqual([202, { deliveries: 1 }])
  expect(one.hits.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
  expect(one.hits[1]!.body).toBe(one.hits[0]!.body)
  expect(other.hits).toHaveLength(1)
})

test('it goes to one endpoint alone when that is named, also to one that came later', async () => {
  const [one, late] = [await openReceiver(), await openReceiver()]
  const company = await newCompany()
  const first = await addReceiver(company, one.url)
  const id = await emit(company)
  await deliverDue(needs, clock.now())
  const later = await addReceiver(company, late.url)
  const again = (endpointId: string) => company.post(`${EVENTS}/${id}/redeliver`, { endpointId })

  const sent = [await again(later), await again(first)]
  const underWay = await again(first)
  await deliverDue(needs, clock.now())

  expect(sent.map(({ statusCode }) => statusCode)).toEqual([202, 202])
  expect(underWay.json()).toEqual({ deliveries: 1 })
  expect([one.hits.length, late.hits.length]).toEqual([2, 1])
  expect((await company.get(`${EVENTS}/${id}`)).json().deliveries).toHaveLength(2)
})

test('it goes to no endpoint that is unknown, another’s, disabled or removed', async () => {
  const { url } = await openReceiver()
  const [company, stranger] = [await newCompany(), await newCompany()]
  const [theirs, disabled, removed] = [
    await addReceiver(stranger, url),
    await addReceiver(company, url),
    await addReceiver(company, url),
  ]
  const id = await emit(company)
  await setEndpointDisabled(db, company.id, disabled, clock.now())
  await removeEndpoint(db, company.id, removed, clock.now())
  const again = async (endpointId: string) =>
    (await company.post(`${EVENTS}/${id}/redeliver`, { endpointId })).json()

  const unknown = [await again(theirs), await again(randomUUID()), await again(removed)]
  const refused = await again(disabled)

  for (const { errors } of unknown) {
    expect(errors).toEqual([
      { field: 'endpointId', code: 'not_found', message: 'Endpoint não encontrado.' },
    ])
  }
  expect(refused).toMatchObject({ status: 'error', code: 'not_resendable' })
})

test.each(['x', 'x%00y', randomUUID()])('%s is no event', async (id) => {
  const company = await newCompany()

  const [shown, again] = [
    await company.get(`${EVENTS}/${id}`),
    await company.post(`${EVENTS}/${id}/redeliver`, {}),
  ]

  expect([shown.statusCode, again.statusCode]).toEqual([404, 404])
  expect(shown.json()).toMatchObject({
    code: 'not_found',
    message: 'Evento não encontrado: o id não existe, ou o evento é antigo e já foi apagado.',
  })
})
