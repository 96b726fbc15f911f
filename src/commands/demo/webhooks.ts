// Two receivers of the demonstration's events and what became of each delivery. They are away now and
// then, and one does not know of refunds.

import { v7 } from 'uuid'
import { type DeliveryStatus, EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import type { webhookEndpoints } from '../../database/tables.ts'
import { DELIVERY_RETRY_DELAYS_MS } from '../../webhooks/deliveries/retry-schedule.ts'
import { newWebhookSecret } from '../../webhooks/signature.ts'
import type { SeededRandom } from './random.ts'
import type { EventRow } from './run.ts'

type NewEndpoint = typeof webhookEndpoints.$inferInsert

const ERP_URL = 'https://erp.solemar.example/eventos'
const STORE_URL = 'https://loja.solemar.example/webhooks/vintem'
const STORE_EVENTS: EventType[] = ['transaction.approved', 'transaction.refunded']
/** From the first attempt to each of them, were all to fail. */
const ATTEMPT_OFFSETS_MS = [0, ...DELIVERY_RETRY_DELAYS_MS].map((_, i) =>
  DELIVERY_RETRY_DELAYS_MS.slice(0, i).reduce((sum, delayMs) => sum + delayMs, 0),
)
const OK = { outcome: 'delivered', statusCode: 200, answer: '{"ok":true}' } as const
const AWAY = { outcome: 'http_error', statusCode: 503, answer: 'Service Unavailable' } as const
const UNKNOWN_TYPE = { ...AWAY, statusCode: 422, answer: '{"erro":"tipo de evento desconhecido"}' }

export function buildEndpoints(companyId: string, cipher: Cipher, madeAt: Date): NewEndpoint[] {
  const build = (url: string, events: EventType[]) => {
    const id = v7({ msecs: madeAt.getTime() })
    const secret = cipher.encrypt(newWebhookSecret(), 'webhook_endpoints.secret', id)
    return { id, companyId, url, events, secret, createdAt: madeAt.toISOString() }
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
      .filter((endpoint) => endpoint.events.includes(event.type))
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
  const isUnknown = url === ERP_URL && type === 'transaction.refunded'
  const failures = isUnknown ? Number.POSITIVE_INFINITY : random.chance(0.01) ? 2 : 0
  const firstMs = Date.parse(createdAt) + random.integer(3, 40)
  const times = ATTEMPT_OFFSETS_MS.map((ms) => new Date(firstMs + ms).toISOString())
  const past = times.filter((at) => at < now.toISOString()).slice(0, failures + 1)
  const attempts = past.map((startedAt, i) => ({
    ...{ deliveryId: id, number: i + 1, url, startedAt, durationMs: random.integer(38, 310) },
    ...(i < failures ? (isUnknown ? UNKNOWN_TYPE : AWAY) : OK),
  }))
  const { outcome, statusCode, startedAt } = requireFound(attempts.at(-1))
  const delivered = outcome === 'delivered'
  const dueAt = delivered ? null : (times[past.length] ?? null)
  const status: DeliveryStatus = delivered ? 'delivered' : dueAt ? 'pending' : 'failed'
  const result = { status, attempts: past.length, outcome, statusCode, dueAt }
  const deliveredAt = delivered ? startedAt : null
  return { delivery: { id, eventId, endpointId, createdAt, ...result, deliveredAt }, attempts }
}
