import { afterEach, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { claim, LEASE_MS } from '../../../src/webhooks/deliveries/claim.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import {
  findDelivery,
  listDeliveries,
  resendDelivery,
  resendEvent,
  resendFailed,
} from '../../../src/webhooks/deliveries/history.ts'
import { record } from '../../../src/webhooks/deliveries/record.ts'
import { disableEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { answers, answersInTurn, openWebhooks, receive } from '../../support/receiver.ts'

const { db, needs, newCompany, addReceiver, companyWith, emit, deliveriesOf } = await openWebhooks()

const NOW = new Date('2026-01-01T00:00:00.000Z')
const HOOK = 'https://loja.example/hook'
const LATER = new Date(NOW.getTime() + 30 * 86_400_000)
const LAST_ATTEMPT = 10

afterEach(async () => {
  await db.update(webhookEndpoints).set({ disabledAt: NOW.toISOString() })
})

async function deliveryFor(companyId: string, now = NOW) {
  const { eventId } = await emit(companyId, now)
  const [delivery] = await deliveriesOf(eventId)
  return delivery!.id
}

/** Everything that is pending has failed for the last time. */
async function giveUp() {
  for (const claimed of await claim(db, NOW, 100)) {
    const made = { outcome: 'http_error', statusCode: 500, answer: '', retryAfter: null } as const
    const last = { ...claimed, attempt: LAST_ATTEMPT }
    await db.$client.query('update webhook_deliveries set attempts = $1', [LAST_ATTEMPT])
    await record(db, last, { ...made, startedAt: NOW, endedAt: NOW })
  }
}

test('deliveries are listed newest first, page by page, each company its own', async () => {
  const { companyId, endpointId } = await companyWith(HOOK)
  const ids = [
    await deliveryFor(companyId),
    await deliveryFor(companyId),
    await deliveryFor(companyId),
  ]
  const stranger = await companyWith(HOOK)
  await deliveryFor(stranger.companyId)

  const first = await listDeliveries(db, { companyId, limit: 2 })
  const second = await listDeliveries(db, { companyId, limit: 2, before: first[1]!.id })

  expect(first.map(({ id }) => id)).toEqual([ids[2], ids[1]])
  expect(second.map(({ id }) => id)).toEqual([ids[0]])
  expect(second[0]).toMatchObject({
    eventType: 'transaction.approved',
    url: HOOK,
    endpointId,
    companyId,
  })
  expect(await listDeliveries(db, { limit: 1 })).toMatchObject([{ companyId: stranger.companyId }])
})

test('deliveries are filtered by status and endpoint', async () => {
  const companyId = await newCompany()
  const good = await addReceiver(companyId, (await receive()).url)
  const bad = await addReceiver(companyId, (await receive(answers(410))).url)
  await emit(companyId, NOW)

  await deliverDue(needs, NOW)

  const delivered = await listDeliveries(db, { companyId, status: 'delivered', limit: 9 })
  const ofBad = await listDeliveries(db, { companyId, endpointId: bad.id, limit: 9 })
  expect(delivered).toMatchObject([{ endpointId: good.id }])
  expect(ofBad).toMatchObject([{ status: 'failed', outcome: 'gone', statusCode: 410 }])
})

test('a delivery is shown to its company only', async () => {
  const { companyId } = await companyWith(HOOK)
  const id = await deliveryFor(companyId)

  expect(await findDelivery(db, id, companyId)).toMatchObject({ id, attempts: 0, attemptLog: [] })
  expect(await findDelivery(db, id, await newCompany())).toBeNull()
  expect(await findDelivery(db, newId())).toBeNull()
})

test('what was given up is sent again with the same id, and its attempts count on', async () => {
  const receiver = await receive(answersInTurn(500, 204))
  const { companyId } = await companyWith(receiver.url)
  const id = await deliveryFor(companyId)
  await giveUp()

  await resendDelivery(db, id, LATER, companyId)
  await deliverDue(needs, LATER)
  expect(await findDelivery(db, id)).toMatchObject({ status: 'failed', attempts: 11 })
  await resendDelivery(db, id, LATER)
  await deliverDue(needs, LATER)

  const delivery = await findDelivery(db, id)
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 12 })
  expect(delivery!.attemptLog.map(({ number }) => number)).toEqual([10, 11, 12])
  expect(receiver.hits.map(({ headers }) => headers['webhook-id'])).toEqual([
    delivery!.eventId,
    delivery!.eventId,
  ])
})

test('what was delivered may be sent again', async () => {
  const receiver = await receive()
  const { companyId } = await companyWith(receiver.url)
  const id = await deliveryFor(companyId)
  await deliverDue(needs, NOW)

  await resendDelivery(db, id, LATER)
  await deliverDue(needs, LATER)

  expect(receiver.hits).toHaveLength(2)
  expect(await findDelivery(db, id)).toMatchObject({ status: 'delivered', attempts: 2 })
})

test('a delivery under way, or of a disabled endpoint, is not sent again', async () => {
  const { companyId, endpointId } = await companyWith(HOOK)
  const id = await deliveryFor(companyId)
  await claim(db, NOW, 10)

  const underWay = new Date(NOW.getTime() + LEASE_MS - 1)
  await expect(resendDelivery(db, id, underWay)).rejects.toMatchObject({ statusCode: 409 })
  await disableEndpoint(db, companyId, endpointId, NOW)

  await expect(resendDelivery(db, id, LATER)).rejects.toMatchObject({ statusCode: 409 })
  expect(await findDelivery(db, id)).toMatchObject({ attempts: 1 })
})

test('a delivery of another company is not found and not sent', async () => {
  const { companyId } = await companyWith(HOOK)
  const id = await deliveryFor(companyId)
  await giveUp()

  const resent = resendDelivery(db, id, LATER, await newCompany())

  await expect(resent).rejects.toMatchObject({ statusCode: 404 })
  expect(await findDelivery(db, id)).toMatchObject({ status: 'failed' })
})

test('all that failed since a moment is sent again, and nothing else', async () => {
  const { companyId } = await companyWith(HOOK)
  const before = new Date(NOW.getTime() - 1)
  const early = await deliveryFor(companyId, before)
  const failed = [await deliveryFor(companyId), await deliveryFor(companyId)]
  const stranger = await companyWith(HOOK)
  const foreign = await deliveryFor(stranger.companyId)
  await giveUp()
  const pending = await deliveryFor(companyId)

  expect(await resendFailed(db, { companyId, since: NOW }, LATER)).toBe(2)
  expect(await resendFailed(db, { companyId, since: NOW }, LATER)).toBe(0)

  for (const id of failed) {
    const delivery = await findDelivery(db, id)
    expect(delivery).toMatchObject({ status: 'pending', dueAt: LATER.toISOString() })
  }
  for (const id of [early, foreign]) {
    expect(await findDelivery(db, id)).toMatchObject({ status: 'failed' })
  }
  expect(await findDelivery(db, pending)).toMatchObject({ dueAt: NOW.toISOString() })
})

test('an event is delivered once more to each endpoint that had it', async () => {
  const receiver = await receive()
  const { companyId } = await companyWith(receiver.url)
  await addReceiver(companyId, receiver.url)
  const { eventId } = await emit(companyId, NOW)
  await deliverDue(needs, NOW)

  expect(await resendEvent(db, await newCompany(), eventId, LATER)).toBe(0)
  expect(await resendEvent(db, companyId, eventId, LATER)).toBe(2)
  await deliverDue(needs, LATER)

  expect(receiver.hits.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array.from({ length: 4 }, () => eventId),
  )
})
