// Two receivers of the demonstration's events and what became of each delivery. One of them was away for
// some hours, and does not know of refunds.
import { v7 } from 'uuid'
import type { Cipher } from '../../database/encryption.ts'
import { type DeliveryStatus, EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { DAY_MS } from '../../database/instant.ts'
import type { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../database/tables.ts'
import { DELIVERY_RETRY_DELAYS_MS } from '../../webhooks/deliveries/retry-schedule.ts'
import { newWebhookSecret } from '../../webhooks/signature.ts'
import type { EventRow } from './ledger.ts'
import type { SeededRandom } from './random.ts'

type NewEndpoint = typeof webhookEndpoints.$inferInsert
type NewAttempt = typeof webhookAttempts.$inferInsert
type Answer = Pick<NewAttempt, 'outcome' | 'statusCode' | 'durationMs' | 'answer'>

const STORE_URL = 'https://loja.solemar.example/webhooks/vintem'
const STORE_EVENTS: EventType[] = ['transaction.approved', 'transaction.refunded']
const ERP_URL = 'https://erp.solemar.example/eventos'
const ERP_OUTAGE = { daysAgo: 20, hours: 5 }

export function buildEndpoints(companyId: string, cipher: Cipher, madeAt: Date): NewEndpoint[] {
  const createdAt = madeAt.toISOString()
  const build = (url: string, events: EventType[]) => {
    const id = v7({ msecs: madeAt.getTime() })
    return { id, companyId, url, events, secret: cipher.encrypt(newWebhookSecret()), createdAt }
  }
  return [build(STORE_URL, STORE_EVENTS), build(ERP_URL, [...EVENT_TYPES])]
}

/** One delivery for each endpoint that subscribes to an event, with its attempts before `now`. */
export function simulateDeliveries(
  random: SeededRandom,
  endpoints: NewEndpoint[],
  events: EventRow[],
  now: Date,
) {
  const made = events.flatMap((event) =>
    endpoints
      .filter(({ events: types }) => types.includes(event.type))
      .map((endpoint) => simulateDelivery(random, endpoint, event, now)),
  )
  const deliveries = made.map(({ delivery }) => delivery)
  return { deliveries, attempts: made.flatMap(({ attempts }) => attempts) }
}

function simulateDelivery(
  random: SeededRandom,
  { id: endpointId, url }: NewEndpoint,
  { id: eventId, type, createdAt }: EventRow,
  now: Date,
) {
  const id = v7({ msecs: Date.parse(createdAt) })
  const attempts: NewAttempt[] = []
  let dueMs = Date.parse(createdAt) + random.integer(3, 40)
  let status: DeliveryStatus = 'pending'
  while (status === 'pending' && dueMs < now.getTime()) {
    const daysAgo = (now.getTime() - dueMs) / DAY_MS
    const answer = simulateAnswer(random, url, type, daysAgo)
    const startedAt = new Date(dueMs).toISOString()
    const delayMs = DELIVERY_RETRY_DELAYS_MS[attempts.length]
    attempts.push({ deliveryId: id, number: attempts.length + 1, url, startedAt, ...answer })
    if (answer.outcome === 'delivered') status = 'delivered'
    else if (delayMs === undefined) status = 'failed'
    else dueMs += delayMs
  }
  const { outcome, statusCode, startedAt } = attempts.at(-1)!
  const delivery: typeof webhookDeliveries.$inferInsert = {
    ...{ id, eventId, endpointId, createdAt, status },
    ...{ attempts: attempts.length, outcome, statusCode },
    dueAt: status === 'pending' ? new Date(dueMs).toISOString() : null,
    deliveredAt: status === 'delivered' ? startedAt : null,
  }
  return { delivery, attempts }
}

function simulateAnswer(
  random: SeededRandom,
  url: string,
  type: EventType,
  daysAgo: number,
): Answer {
  const durationMs = random.integer(38, 310)
  if (url === STORE_URL) {
    return random.chance(0.011)
      ? { outcome: 'timeout', statusCode: null, durationMs: 15_000, answer: null }
      : { outcome: 'delivered', statusCode: 200, durationMs, answer: '{"ok":true}' }
  }
  if (type === 'transaction.refunded') {
    const answer = '{"erro":"tipo de evento desconhecido"}'
    return { outcome: 'http_error', statusCode: 422, durationMs, answer }
  }
  const { daysAgo: outageDaysAgo, hours } = ERP_OUTAGE
  return daysAgo < outageDaysAgo && daysAgo > outageDaysAgo - hours / 24
    ? { outcome: 'http_error', statusCode: 503, durationMs, answer: 'Service Unavailable' }
    : { outcome: 'delivered', statusCode: 204, durationMs, answer: '' }
}
