// Two receivers of the demonstration's events, one of which was away for some hours, and what became of
// each delivery.
import { v7 } from 'uuid'
import type { Seal } from '../../database/encryption.ts'
import { type DeliveryOutcome, EVENT_TYPES } from '../../database/enums.ts'
import type { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../database/tables.ts'
import { DELIVERY_RETRY_DELAYS_MS } from '../../webhooks/deliveries/retry-schedule.ts'
import { newWebhookSecret } from '../../webhooks/signature.ts'
import type { EmittedEvent } from './ledger.ts'
import type { SeededRandom } from './random.ts'

type NewEndpointRow = typeof webhookEndpoints.$inferInsert
type NewDeliveryRow = typeof webhookDeliveries.$inferInsert & { id: string }
type NewAttemptRow = typeof webhookAttempts.$inferInsert

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const STORE_URL = 'https://loja.solemar.example/webhooks/vintem'
const ERP_URL = 'https://erp.solemar.example/eventos'
/** When the bookkeeping did not answer, and until when it did not know of refunds. */
const ERP_OUTAGE = { daysAgo: 20, hours: 5 }
const ERP_KNOWS_REFUNDS_SINCE_DAYS = 33
/** So many of the newest events it refuses. */
const REFUSED_LATEST = 3

export function buildEndpoints(companyId: string, seal: Seal, madeAt: Date): NewEndpointRow[] {
  const shop: NewEndpointRow['events'] = ['transaction.approved', 'transaction.refunded']
  const urls = [
    [STORE_URL, shop],
    [ERP_URL, [...EVENT_TYPES]],
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
export function simulateDeliveries(
  chance: SeededRandom,
  endpoints: NewEndpointRow[],
  events: EmittedEvent[],
  now: Date,
) {
  const deliveries: NewDeliveryRow[] = []
  const attempts: NewAttemptRow[] = []
  const inOrder = events.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
  const newest = new Set(inOrder.slice(-REFUSED_LATEST))
  const isRefused = (event: EmittedEvent) => newest.has(event) || isUnknownToErp(event, now)
  for (const event of inOrder) {
    for (const endpoint of endpoints.filter(({ events: types }) => types.includes(event.type))) {
      const made = simulateDelivery({ chance, isRefused, now }, endpoint, event)
      deliveries.push(made.delivery)
      attempts.push(...made.attempts)
    }
  }
  return { deliveries, attempts }
}

type ReceiverContext = {
  chance: SeededRandom
  isRefused: (event: EmittedEvent) => boolean
  now: Date
}

function simulateDelivery(
  receiving: ReceiverContext,
  { id: endpointId, url }: NewEndpointRow,
  event: EmittedEvent,
) {
  const { chance, now } = receiving
  const told = Date.parse(event.createdAt)
  const id = v7({ msecs: told })
  const attempts: NewAttemptRow[] = []
  let dueAt: number | null = told + chance.between(3, 40)
  while (dueAt !== null && dueAt < now.getTime()) {
    const answer = simulateResponse(receiving, url, event, dueAt)
    const startedAt = new Date(dueAt).toISOString()
    attempts.push({ deliveryId: id, number: attempts.length + 1, url, startedAt, ...answer })
    const delay = DELIVERY_RETRY_DELAYS_MS[attempts.length - 1]
    dueAt = answer.outcome === 'delivered' || delay === undefined ? null : dueAt + delay
  }
  return {
    delivery: {
      ...buildDeliveryState(attempts, dueAt),
      id,
      eventId: event.id,
      endpointId,
      createdAt: event.createdAt,
    },
    attempts,
  }
}

/** How a delivery stands after these attempts, of which there is one at least. */
function buildDeliveryState(attempts: NewAttemptRow[], dueAt: number | null) {
  const { outcome, statusCode, startedAt } = attempts.at(-1)!
  const common = { attempts: attempts.length, outcome, statusCode }
  if (outcome === 'delivered') {
    return { ...common, status: outcome, dueAt: null, deliveredAt: startedAt }
  }
  if (dueAt === null) return { ...common, status: 'failed' as const, dueAt }
  return { ...common, status: 'pending' as const, dueAt: new Date(dueAt).toISOString() }
}

type ReceiverResponse = {
  outcome: DeliveryOutcome
  statusCode: number | null
  durationMs: number
  answer: string | null
}

function simulateResponse(
  { chance, isRefused, now }: ReceiverContext,
  url: string,
  event: EmittedEvent,
  at: number,
): ReceiverResponse {
  const durationMs = chance.between(38, 310)
  const bad = chance.is(0.011)
  if (url === STORE_URL) {
    return bad
      ? { outcome: 'timeout', statusCode: null, durationMs: 15_000, answer: null }
      : { outcome: 'delivered', statusCode: 200, durationMs, answer: '{"ok":true}' }
  }
  if (isRefused(event)) {
    const answer = '{"erro":"tipo de evento desconhecido"}'
    return { outcome: 'http_error', statusCode: 422, durationMs, answer }
  }
  return bad || isDuringOutage(at, now)
    ? { outcome: 'http_error', statusCode: 503, durationMs, answer: 'Service Unavailable' }
    : { outcome: 'delivered', statusCode: 204, durationMs, answer: '' }
}

function isUnknownToErp({ type, createdAt }: EmittedEvent, now: Date) {
  const ago = now.getTime() - Date.parse(createdAt)
  return type === 'transaction.refunded' && ago > ERP_KNOWS_REFUNDS_SINCE_DAYS * DAY_MS
}

function isDuringOutage(at: number, now: Date) {
  const since = now.getTime() - ERP_OUTAGE.daysAgo * DAY_MS
  return at > since && at < since + ERP_OUTAGE.hours * HOUR_MS
}
