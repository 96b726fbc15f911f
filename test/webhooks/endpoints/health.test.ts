// What is recent enough to be said of an endpoint, to the millisecond.
import { expect, test } from 'vitest'
import { claimDeliveries } from '../../../src/webhooks/deliveries/claim.ts'
import { recordDeliveryAttempt } from '../../../src/webhooks/deliveries/record.ts'
import {
  countFailingDeliveries,
  loadEndpointHealth,
} from '../../../src/webhooks/endpoints/health.ts'
import { openWebhooks } from '../../support/receiver.ts'

const { db, approvedFor } = await openWebhooks()

const NOW = new Date()
const later = (ms: number) => new Date(NOW.getTime() + ms)

async function failedDelivery() {
  const company = await approvedFor('https://loja.example/hook', NOW)
  const made = { outcome: 'http_error', statusCode: 500, answer: '', retryAfter: null } as const
  for (const claimed of await claimDeliveries(db, NOW, 10)) {
    await recordDeliveryAttempt(db, claimed, { ...made, startedAt: NOW, endedAt: NOW })
  }
  return company
}

test('an endpoint is judged by the last 24 hours, and by its last delivery after that', async () => {
  const { companyId, endpointId } = await failedDelivery()
  const assessAt = async (now: Date) =>
    (await loadEndpointHealth(db, companyId, now)).get(endpointId)

  const within = await assessAt(later(24 * 3_600_000))
  const after = await assessAt(later(24 * 3_600_000 + 1))

  expect(within).toMatchObject({ attempted: 1, failing: 1, isRecent: true })
  expect(after).toMatchObject({ attempted: 1, failing: 1, isRecent: false })
})

test('what failed is counted from its very instant on', async () => {
  const { companyId } = await failedDelivery()

  expect(await countFailingDeliveries(db, companyId, NOW)).toBe(1)
  expect(await countFailingDeliveries(db, companyId, later(1))).toBe(0)
})
