// Webhooks that are sent once more, and those that are not.
import { afterEach, expect, test } from 'vitest'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { LEASE_MS } from '../../../src/queue/lease.ts'
import { claimDeliveries } from '../../../src/webhooks/deliveries/claim.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { findDelivery } from '../../../src/webhooks/deliveries/history.ts'
import { recordDeliveryAttempt } from '../../../src/webhooks/deliveries/record.ts'
import { resendDeliveries } from '../../../src/webhooks/deliveries/resend.ts'
import { setEndpointDisabled } from '../../../src/webhooks/endpoints/endpoint.ts'
import { answerInTurn, openReceiver, openWebhooks } from '../../support/receiver.ts'

const { db, needs, companyWith, emit, deliveriesOf } = await openWebhooks()

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
  for (const claimed of await claimDeliveries(db, NOW, 100)) {
    const made = { outcome: 'http_error', statusCode: 500, answer: '', retryAfter: null } as const
    const last = { ...claimed, attempt: LAST_ATTEMPT }
    await db.$client.query('update webhook_deliveries set attempts = $1', [LAST_ATTEMPT])
    await recordDeliveryAttempt(db, last, { ...made, startedAt: NOW, endedAt: NOW })
  }
}

test('what is sent again while it is still tried by itself is tried as often as before', async () => {
  const receiver = await openReceiver(answerInTurn(500))
  const { companyId } = await companyWith(receiver.url)
  const id = await deliveryFor(companyId)
  await deliverDue(needs, NOW)

  for (let i = 0; i < 12; i++) {
    // Pressed twice at once, it is one attempt.
    await resendDeliveries(db, { deliveryId: id }, NOW)
    await resendDeliveries(db, { deliveryId: id }, NOW)
    await deliverDue(needs, NOW)
  }

  const delivery = await findDelivery(db, id)
  expect(delivery).toMatchObject({ status: 'pending', attempts: 13 })
  expect(Date.parse(delivery!.dueAt!) - NOW.getTime()).toBeLessThan(6_000)
  let [at, tries] = [NOW, 0]
  for (;;) {
    const { dueAt, status } = (await findDelivery(db, id))!
    if (status === 'failed') break
    at = new Date(dueAt!)
    tries += await deliverDue(needs, at)
  }
  expect(tries).toBe(LAST_ATTEMPT - 1)
})

test('what was given up is sent again with the same id, and its attempts count on', async () => {
  const receiver = await openReceiver(answerInTurn(500, 204))
  const { companyId } = await companyWith(receiver.url)
  const id = await deliveryFor(companyId)
  await giveUp()

  await resendDeliveries(db, { companyId, deliveryId: id }, LATER)
  await deliverDue(needs, LATER)
  expect(await findDelivery(db, id)).toMatchObject({ status: 'failed', attempts: 11 })
  await resendDeliveries(db, { deliveryId: id }, LATER)
  await deliverDue(needs, LATER)

  const delivery = await findDelivery(db, id)
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 12 })
  expect(delivery!.attemptLog.map(({ number }) => number)).toEqual([10, 11, 12])
  expect(receiver.hits.map(({ headers }) => headers['webhook-id'])).toEqual([
    delivery!.eventId,
    delivery!.eventId,
  ])
})

test('a delivery under way, or of a disabled endpoint, is not sent again', async () => {
  const { companyId, endpointId } = await companyWith(HOOK)
  const id = await deliveryFor(companyId)
  await claimDeliveries(db, NOW, 10)

  const underWay = new Date(NOW.getTime() + LEASE_MS - 1)
  await expect(resendDeliveries(db, { deliveryId: id }, underWay)).rejects.toMatchObject({
    statusCode: 409,
  })
  const event = { companyId, eventId: (await findDelivery(db, id))!.eventId, endpointId }
  await expect(resendDeliveries(db, event, underWay)).rejects.toMatchObject({ statusCode: 409 })
  await setEndpointDisabled(db, companyId, endpointId, NOW)

  await expect(resendDeliveries(db, { deliveryId: id }, LATER)).rejects.toMatchObject({
    statusCode: 409,
  })
  expect(await findDelivery(db, id)).toMatchObject({ attempts: 1 })
})

test('a delivery is sent again after its lease has run out', async () => {
  const { companyId, endpointId } = await companyWith(HOOK)
  const ids = [await deliveryFor(companyId), await deliveryFor(companyId)]
  await claimDeliveries(db, NOW, 10)
  const free = new Date(NOW.getTime() + LEASE_MS)

  await resendDeliveries(db, { deliveryId: ids[0]! }, free)
  const { eventId } = (await findDelivery(db, ids[1]!))!
  await resendDeliveries(db, { companyId, eventId, endpointId }, free)

  for (const id of ids) {
    expect(await findDelivery(db, id)).toMatchObject({
      dueAt: free.toISOString(),
      leasedUntil: null,
    })
  }
})

test('what is thirty days old is sent again, and nothing older', async () => {
  const { companyId } = await companyWith(HOOK)
  const id = await deliveryFor(companyId)
  const late = new Date(LATER.getTime() + 1)

  await expect(resendDeliveries(db, { deliveryId: id }, late)).rejects.toMatchObject({
    code: 'event_too_old',
  })
  await resendDeliveries(db, { deliveryId: id }, LATER)

  expect(await findDelivery(db, id)).toMatchObject({ dueAt: LATER.toISOString() })
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

  const filter = { companyId, from: NOW, isGivenUp: true }
  expect(await resendDeliveries(db, filter, LATER)).toBe(2)
  expect(await resendDeliveries(db, filter, LATER)).toBe(0)

  for (const id of failed) {
    const delivery = await findDelivery(db, id)
    expect(delivery).toMatchObject({ status: 'pending', dueAt: LATER.toISOString() })
  }
  for (const id of [early, foreign]) {
    expect(await findDelivery(db, id)).toMatchObject({ status: 'failed' })
  }
  expect(await findDelivery(db, pending)).toMatchObject({ dueAt: NOW.toISOString() })
})
