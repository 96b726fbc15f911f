// Two receivers of the demonstration's events, one of which was away for some hours, and what became of
// each delivery.
import { v7 } from 'uuid'
import type { Seal } from '../../database/encryption.ts'
import { type DeliveryOutcome, EVENT_TYPES } from '../../database/enums.ts'
import type { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../database/tables.ts'
import { RETRY_DELAYS_MS } from '../../webhooks/deliveries/retry-schedule.ts'
import { newWebhookSecret } from '../../webhooks/deliveries/sign.ts'
import type { Told } from './ledger.ts'
import type { Chance } from './random.ts'

type Endpoint = typeof webhookEndpoints.$inferInsert
type Delivery = typeof webhookDeliveries.$inferInsert & { id: string }
type Attempt = typeof webhookAttempts.$inferInsert

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SHOP = 'https://loja.solemar.example/webhooks/vintem'
const BOOKKEEPING = 'https://erp.solemar.example/eventos'
/** When the bookkeeping did not answer, and until when it did not know of refunds. */
const AWAY = { daysAgo: 20, hours: 5 }
const LEARNED_DAYS_AGO = 33
/** So many of the newest events it refuses. */
const REFUSED_NOW = 3

export function makeEndpoints(companyId: string, seal: Seal, madeAt: Date): Endpoint[] {
  const shop: Endpoint['events'] = ['transaction.approved', 'transaction.refunded']
  const urls = [
    [SHOP, shop],
    [BOOKKEEPING, [...EVENT_TYPES]],
  ] as const
  return urls.map(([url, events], i) => {
    const createdAt = new Date(madeAt.getTime() + i * HOUR_MS)
    return {
      id: v7({ msecs: createdAt.getTime() }),
      companyId,
      url,
      events: [...events],
      secret: seal.close(newWebhookSecret()),
      createdAt: createdAt.toISOString(),
    }
  })
}

/** One delivery for each endpoint that subscribes to an event, with its attempts before `now`. */
export function deliverAll(chance: Chance, endpoints: Endpoint[], events: Told[], now: Date) {
  const deliveries: Delivery[] = []
  const attempts: Attempt[] = []
  const inOrder = events.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
  const newest = new Set(inOrder.slice(-REFUSED_NOW))
  const isRefused = (event: Told) => newest.has(event) || isUnknown(event, now)
  for (const event of inOrder) {
    for (const endpoint of endpoints.filter(({ events: types }) => types.includes(event.type))) {
      const made = deliver({ chance, isRefused, now }, endpoint, event)
      deliveries.push(made.delivery)
      attempts.push(...made.attempts)
    }
  }
  return { deliveries, attempts }
}

type Receiving = { chance: Chance; isRefused: (event: Told) => boolean; now: Date }

function deliver(receiving: Receiving, { id: endpointId, url }: Endpoint, event: Told) {
  const { chance, now } = receiving
  const told = Date.parse(event.createdAt)
  const id = v7({ msecs: told })
  const attempts: Attempt[] = []
  let dueAt: number | null = told + chance.between(3, 40)
  while (dueAt !== null && dueAt < now.getTime()) {
    const answer = answerTo(receiving, url, event, dueAt)
    const startedAt = new Date(dueAt).toISOString()
    attempts.push({ deliveryId: id, number: attempts.length + 1, url, startedAt, ...answer })
    const delay = RETRY_DELAYS_MS[attempts.length - 1]
    dueAt = answer.outcome === 'delivered' || delay === undefined ? null : dueAt + delay
  }
  return {
    delivery: {
      ...standing(attempts, dueAt),
      id,
      eventId: event.id,
      endpointId,
      createdAt: event.createdAt,
    },
    attempts,
  }
}

/** How a delivery stands after these attempts, of which there is one at least. */
function standing(attempts: Attempt[], dueAt: number | null) {
  const { outcome, statusCode, startedAt } = attempts.at(-1)!
  const common = { attempts: attempts.length, outcome, statusCode }
  if (outcome === 'delivered') {
    return { ...common, status: outcome, dueAt: null, deliveredAt: startedAt }
  }
  if (dueAt === null) return { ...common, status: 'failed' as const, dueAt }
  return { ...common, status: 'pending' as const, dueAt: new Date(dueAt).toISOString() }
}

type Answer = {
  outcome: DeliveryOutcome
  statusCode: number | null
  durationMs: number
  answer: string | null
}

function answerTo(
  { chance, isRefused, now }: Receiving,
  url: string,
  event: Told,
  at: number,
): Answer {
  const durationMs = chance.between(38, 310)
  const bad = chance.is(0.011)
  if (url === SHOP) {
    return bad
      ? { outcome: 'timeout', statusCode: null, durationMs: 15_000, answer: null }
      : { outcome: 'delivered', statusCode: 200, durationMs, answer: '{"ok":true}' }
  }
  if (isRefused(event)) {
    const answer = '{"erro":"tipo de evento desconhecido"}'
    return { outcome: 'http_error', statusCode: 422, durationMs, answer }
  }
  return bad || isAway(at, now)
    ? { outcome: 'http_error', statusCode: 503, durationMs, answer: 'Service Unavailable' }
    : { outcome: 'delivered', statusCode: 204, durationMs, answer: '' }
}

function isUnknown({ type, createdAt }: Told, now: Date) {
  const ago = now.getTime() - Date.parse(createdAt)
  return type === 'transaction.refunded' && ago > LEARNED_DAYS_AGO * DAY_MS
}

function isAway(at: number, now: Date) {
  const since = now.getTime() - AWAY.daysAgo * DAY_MS
  return at > since && at < since + AWAY.hours * HOUR_MS
}
