// Two receivers of the demonstration's events and what became of each delivery: a receiver is away now and then, and
// one of the two does not know of refunds.

import type { Database } from '../../database/connect.ts'
import { eq } from '../../database/drizzle.ts'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { newIdAt } from '../../database/id.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import {
  events,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../../database/tables.ts'
import { createEndpoint } from '../../webhooks/endpoints/endpoint.ts'
import type { SeededRandom } from './random.ts'

const ERP_URL = 'https://erp.solemar.example/eventos'
const STORE_URL = 'https://loja.solemar.example/webhooks/vintem'
const EVENTS_BY_URL: Record<string, EventType[]> = {
  [ERP_URL]: [...EVENT_TYPES],
  [STORE_URL]: ['transaction.approved', 'transaction.refunded'],
}
const RETRY_DELAY_MS = 5_000
const OK = { outcome: 'delivered', statusCode: 200, answer: '{"ok":true}' } as const
const AWAY = { outcome: 'http_error', statusCode: 503, answer: 'Service Unavailable' } as const
const UNKNOWN_TYPE = { ...AWAY, statusCode: 422, answer: '{"erro":"tipo de evento desconhecido"}' }

/** After all that they are told of, so that nothing is left for a worker to send. */
export async function writeWebhooks(
  db: Database,
  cipher: Cipher,
  { companyId, random, madeAt }: { companyId: string; random: SeededRandom; madeAt: Date },
) {
  const told = await db
    .select({ id: events.id, type: events.type, createdAt: events.createdAt })
    .from(events)
    .where(eq(events.companyId, companyId))
    .orderBy(events.id)
  for (const [url, types] of Object.entries(EVENTS_BY_URL)) {
    const { id } = await createEndpoint(db, cipher, { companyId, url, events: types })
    const createdAt = madeAt.toISOString()
    await db.update(webhookEndpoints).set({ createdAt }).where(eq(webhookEndpoints.id, id))
    const sent = told
      .filter(({ type }) => types.includes(type))
      .map((event) => simulateDelivery(random, { id, url }, event))
    await db.insert(webhookDeliveries).values(sent.map(({ delivery }) => delivery))
    await db.insert(webhookAttempts).values(sent.flatMap(({ attempts }) => attempts))
  }
}

function simulateDelivery(
  random: SeededRandom,
  { id: endpointId, url }: { id: string; url: string },
  { id: eventId, type, createdAt }: Pick<typeof events.$inferSelect, 'id' | 'type' | 'createdAt'>,
) {
  const createdMs = Date.parse(createdAt)
  const id = newIdAt(createdMs)
  const isUnknown = url === ERP_URL && type === 'transaction.refunded'
  const results = random.chance(0.01) ? [AWAY, OK] : [OK]
  const attempts = (isUnknown ? [UNKNOWN_TYPE] : results).map((result, i) => ({
    ...result,
    deliveryId: id,
    number: i + 1,
    url,
    startedAt: new Date(createdMs + random.integer(3, 40) + i * RETRY_DELAY_MS).toISOString(),
    durationMs: random.integer(38, 310),
  }))
  const { outcome, statusCode, startedAt } = requireFound(attempts.at(-1))
  const delivery = {
    id,
    eventId,
    endpointId,
    createdAt,
    status: isUnknown ? ('failed' as const) : ('delivered' as const),
    attempts: attempts.length,
    outcome,
    statusCode,
    dueAt: null,
    deliveredAt: isUnknown ? null : startedAt,
  }
  return { delivery, attempts }
}
