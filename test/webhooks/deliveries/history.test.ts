import { afterEach, expect, test } from 'vitest'
import { MAX_UUID } from '../../../src/database/id.ts'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { listDeliveries } from '../../../src/webhooks/deliveries/history.ts'
import { answerWith, openReceiver, openWebhooks } from '../../support/receiver.ts'

const { db, needs, newCompany, addReceiver, companyWith, emit, deliveriesOf } = await openWebhooks()

const NOW = new Date('2026-01-01T00:00:00.000Z')
const HOOK = 'https://loja.example/hook'

afterEach(async () => {
  await db.update(webhookEndpoints).set({ disabledAt: NOW.toISOString() })
})

async function deliveryFor(companyId: string, now = NOW) {
  const { eventId } = await emit(companyId, now)
  const [delivery] = await deliveriesOf(eventId)
  return delivery!.id
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

  const first = await listDeliveries(db, { companyId, limit: 1, cursor: MAX_UUID })
  const second = await listDeliveries(db, { companyId, limit: 1, cursor: first[1]!.id })

  expect(first.map(({ id }) => id)).toEqual([ids[2], ids[1]])
  expect(second.map(({ id }) => id)).toEqual([ids[0]])
  expect(second[0]).toMatchObject({
    eventType: 'transaction.approved',
    url: HOOK,
    endpointId,
    companyId,
  })
  expect(await listDeliveries(db, { limit: 0, cursor: MAX_UUID })).toMatchObject([
    { companyId: stranger.companyId },
  ])
})

test('deliveries are filtered by status and endpoint', async () => {
  const companyId = await newCompany()
  const good = await addReceiver(companyId, (await openReceiver()).url)
  const bad = await addReceiver(companyId, (await openReceiver(answerWith(410))).url)
  await emit(companyId, NOW)

  await deliverDue(needs, NOW)

  const delivered = await listDeliveries(db, {
    companyId,
    status: 'delivered',
    limit: 9,
    cursor: MAX_UUID,
  })
  const ofBad = await listDeliveries(db, {
    companyId,
    endpointId: bad.id,
    limit: 9,
    cursor: MAX_UUID,
  })
  expect(delivered).toMatchObject([{ endpointId: good.id }])
  expect(ofBad).toMatchObject([{ status: 'failed', outcome: 'gone', statusCode: 410 }])
})
