// Whole periods of events sent once more, by the API.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EventType } from '../../../src/database/enums.ts'
import { createGuardedAgent } from '../../../src/http/outbound.ts'
import { claimDeliveries } from '../../../src/webhooks/deliveries/claim.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { countResendable, MAX_RESENT_DELIVERIES } from '../../../src/webhooks/deliveries/resend.ts'
import { createEndpoint, setEndpointDisabled } from '../../../src/webhooks/endpoints/endpoint.ts'
import { newEventId, recordEvent } from '../../../src/webhooks/events/event.ts'
import { openReceiver } from '../../support/receiver.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, cipher, clock, newCompany } = testApp

const PATH = '/api/events/redeliver'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const needs = { db, cipher, agent: createGuardedAgent({ allowPrivate: true }), deadlineMs: 5_000 }

const ago = (ms: number) => new Date(clock.now().getTime() - ms)
const since = (ms: number) => ({ createdFrom: ago(ms).toISOString() })

async function addReceiver({ id: companyId }: TestCompany, events?: EventType[]) {
  const { url, hits } = await openReceiver()
  const wanted = { companyId, url, allowPrivate: true, ...(events && { events }) }
  const { id } = await createEndpoint(db, cipher, wanted)
  return { id, idsOf: () => hits.map(({ headers }) => headers['webhook-id']).sort() }
}

async function emit(
  { id: companyId }: TestCompany,
  now: Date,
  type: EventType = 'transaction.approved',
) {
  const event = { companyId, type, testMode: true, data: {}, now }
  return (await db.transaction((tx) => recordEvent(tx, event))).eventId
}

const deliver = () => deliverDue(needs, clock.now())

test('all events of a period go once more to those that had them, under their ids', async () => {
  const company = await newCompany()
  const [one, other] = [await addReceiver(company), await addReceiver(company)]
  const from = ago(2 * HOUR_MS)
  const to = ago(HOUR_MS)
  await emit(company, new Date(from.getTime() - 1))
  const inside = [await emit(company, from), await emit(company, to)]
  await emit(company, new Date(to.getTime() + 1))
  await deliver()
  const before = one.idsOf()

  const period = { createdFrom: from.toISOString(), createdTo: to.toISOString() }
  const { statusCode, body } = await company.post(PATH, period)
  await deliver()

  expect([statusCode, JSON.parse(body)]).toEqual([202, { deliveries: 4 }])
  expect(one.idsOf()).toEqual([...before, ...inside].sort())
  expect(other.idsOf()).toEqual(one.idsOf())
})

test('an endpoint that came later gets what it subscribes to, and of a named type what it does not', async () => {
  const company = await newCompany()
  const first = await addReceiver(company)
  const approved = await emit(company, ago(HOUR_MS))
  const expired = await emit(company, ago(HOUR_MS), 'transaction.expired')
  await deliver()
  const late = await addReceiver(company)
  const filter = { ...since(2 * HOUR_MS), endpointId: late.id }

  const subscribed = await company.post(PATH, filter)
  await deliver()
  expect(late.idsOf()).toEqual([approved])
  await company.post(PATH, { ...filter, type: 'transaction.expired' })
  await deliver()

  expect(subscribed.json()).toEqual({ deliveries: 1 })
  expect(late.idsOf()).toEqual([approved, expired].sort())
  expect(first.idsOf()).toEqual([approved])
})

test('it reaches nothing of another company, of a disabled endpoint, or under way', async () => {
  const [company, stranger] = [await newCompany(), await newCompany()]
  const [disabled, theirs] = [await addReceiver(company), await addReceiver(stranger)]
  await emit(stranger, ago(HOUR_MS))
  await emit(company, ago(HOUR_MS))
  await deliver()
  await setEndpointDisabled(db, company.id, disabled.id, clock.now())
  const busy = await addReceiver(company)
  await emit(company, ago(HOUR_MS))
  await claimDeliveries(db, clock.now(), 10)

  const none = await company.post(PATH, since(2 * HOUR_MS))
  const answers = [
    await company.post(PATH, { ...since(HOUR_MS), endpointId: theirs.id }),
    await company.post(PATH, { ...since(HOUR_MS), endpointId: randomUUID() }),
    await company.post(PATH, { ...since(HOUR_MS), endpointId: disabled.id }),
  ]

  expect(none.json()).toEqual({ deliveries: 0 })
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 409])
  expect(answers[0]!.json().errors).toMatchObject([{ field: 'endpointId', code: 'not_found' }])
  expect(theirs.idsOf()).toHaveLength(1)
  expect(busy.idsOf()).toEqual([])
})

test('what names no period or type is refused at its field', async () => {
  const company = await newCompany()
  const refused: [string, object, string?][] = [
    ['createdFrom', {}, 'required'],
    ['createdFrom', since(30 * DAY_MS + 60_000)],
    ['createdTo', { ...since(HOUR_MS), createdTo: ago(2 * HOUR_MS) }],
    ['type', { ...since(HOUR_MS), type: 'transaction.lost' }],
    ['tipo', { ...since(HOUR_MS), tipo: 'x' }],
  ]

  for (const [field, body, code = expect.any(String)] of refused) {
    const answer = await company.post(PATH, body)

    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field, code }])
  }
  const nearlyThirtyDays = await company.post(PATH, since(30 * DAY_MS - 60_000))
  expect(nearlyThirtyDays.statusCode).toBe(202)
})

test('ten thousand may go at once, one more is refused and sends nothing', async () => {
  const company = await newCompany()
  const { id } = await addReceiver(company)
  await fill(company, MAX_RESENT_DELIVERIES)
  const filter = { companyId: company.id, from: ago(2 * HOUR_MS), endpointId: id }

  const most = await countResendable(db, filter, clock.now())
  await fill(company, 1)
  const tooMany = await company.post(PATH, { ...since(2 * HOUR_MS), endpointId: id })

  expect(most).toBe(MAX_RESENT_DELIVERIES)
  expect(tooMany.statusCode).toBe(422)
  expect(tooMany.json().errors).toMatchObject([{ field: 'createdTo', code: 'too_many' }])
  const made = 'select from webhook_deliveries where endpoint_id = $1'
  expect((await db.$client.query(made, [id])).rowCount).toBe(0)
})

async function fill({ id: companyId }: TestCompany, count: number) {
  const at = ago(HOUR_MS)
  const ids = Array.from({ length: count }, () => newEventId(at))
  await db.$client.query(
    `insert into events (id, company_id, type, body, created_at)
     select unnest($1::uuid[]), $2, 'transaction.approved', '{}', $3`,
    [ids, companyId, at.toISOString()],
  )
}
