import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { events } from '../../../src/database/tables.ts'
import { setEndpointDisabled } from '../../../src/webhooks/endpoints/endpoint.ts'
import { recordEvent } from '../../../src/webhooks/events/event.ts'
import { openWebhooks } from '../../support/receiver.ts'

const { db, url, newCompany, addReceiver, companyWith, emit, deliveriesOf } = await openWebhooks()

const NOW = new Date('2026-01-01T00:00:00.000Z')
const HOOK = 'https://loja.example/hook'

test('the body is the envelope of the contract, byte for byte', async () => {
  const companyId = await newCompany()

  const { eventId } = await emit(companyId, NOW, { testMode: false, data: { total: 1990 } })

  const [event] = await db.select().from(events).where(eq(events.id, eventId))
  expect(event!.body).toBe(
    `{"id":"${eventId}","type":"transaction.approved","timestamp":"2026-01-01T00:00:00.000Z","testMode":false,"data":{"total":1990}}`,
  )
  expect(event).toMatchObject({
    companyId,
    type: 'transaction.approved',
    createdAt: NOW.toISOString(),
  })
})

test('each endpoint of the company that subscribes gets one delivery, due at once, a disabled one too', async () => {
  const companyId = await newCompany()
  const first = await addReceiver(companyId, HOOK)
  const second = await addReceiver(companyId, HOOK)
  const disabled = await addReceiver(companyId, HOOK)
  await setEndpointDisabled(db, companyId, disabled.id, NOW)
  await companyWith(HOOK)

  const { eventId } = await emit(companyId, NOW)

  const deliveries = await deliveriesOf(eventId)
  expect(deliveries.map(({ endpointId }) => endpointId).sort()).toEqual(
    [first.id, second.id, disabled.id].sort(),
  )
  for (const delivery of deliveries) {
    expect(delivery).toMatchObject({ status: 'pending', attempts: 0, dueAt: NOW.toISOString() })
  }
})

test('an endpoint subscribes to approvals alone unless it asks for more', async () => {
  const companyId = await newCompany()
  await addReceiver(companyId, HOOK)
  const curious = await addReceiver(companyId, HOOK, { events: ['transaction.declined'] })

  const declined = await emit(companyId, NOW, { type: 'transaction.declined' })
  const expired = await emit(companyId, NOW, { type: 'transaction.expired' })

  expect(await deliveriesOf(declined.eventId)).toMatchObject([{ endpointId: curious.id }])
  expect(await deliveriesOf(expired.eventId)).toEqual([])
})

test('a test event goes to the chosen endpoint only, whatever it subscribes to', async () => {
  const companyId = await newCompany()
  const other = await addReceiver(companyId, HOOK)
  const chosen = await addReceiver(companyId, HOOK, { events: ['payment_link.expired'] })
  const stranger = await companyWith(HOOK)

  const event = await emit(companyId, NOW, { endpointId: chosen.id })
  const foreign = await emit(companyId, NOW, { endpointId: stranger.endpointId })

  expect(await deliveriesOf(event.eventId)).toMatchObject([{ endpointId: chosen.id }])
  expect(await deliveriesOf(foreign.eventId)).toEqual([])
  expect(other.id).not.toBe(chosen.id)
})

test('a payment that is rolled back leaves neither event nor delivery', async () => {
  const { companyId } = await companyWith(HOOK)

  const payment = db.transaction(async (tx) => {
    await recordEvent(tx, {
      companyId,
      type: 'transaction.approved',
      testMode: true,
      data: {},
      now: NOW,
    })
    throw new Error('the payment did not happen')
  })

  await expect(payment).rejects.toThrow('the payment did not happen')
  expect(await db.$count(events, eq(events.companyId, companyId))).toBe(0)
})

test('workers are woken by the commit when there is something to deliver, and only then', async () => {
  const { companyId } = await companyWith(HOOK)
  const silent = await newCompany()
  const waiting = await companyWith(HOOK)
  await setEndpointDisabled(db, waiting.companyId, waiting.endpointId, NOW)
  const heard: string[] = []
  const listener = new pg.Client(url)
  await listener.connect()
  onTestFinished(() => listener.end())
  listener.on('notification', ({ channel }) => heard.push(channel))
  await listener.query('listen delivery_due')

  await emit(silent, NOW)
  await emit(waiting.companyId, NOW)
  await listener.query('select 1')
  expect(heard).toEqual([])
  await emit(companyId, NOW)

  await expect.poll(() => heard).toEqual(['delivery_due'])
})

test('a payment while its endpoint is being removed is approved, without a delivery', async () => {
  const { companyId, endpointId } = await companyWith(HOOK)
  const removal = await db.$client.connect()
  await removal.query('begin')
  await removal.query('select 1 from webhook_endpoints where id = $1 for update', [endpointId])

  const payment = emit(companyId, NOW)
  const waiting =
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  await expect.poll(async () => (await db.$client.query(waiting)).rows).toHaveLength(1)
  await removal.query('delete from webhook_endpoints where id = $1', [endpointId])
  await removal.query('commit')
  removal.release()

  expect(await deliveriesOf((await payment).eventId)).toEqual([])
})
