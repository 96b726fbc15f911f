// The history of webhook deliveries: lists, and one delivery with its attempts.

import { REAL_COMPANY_ID } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, gte, isNull, ne, type SQL, sql } from '../../database/drizzle.ts'
import type { DeliveryStatus, EventType } from '../../database/enums.ts'
import { buildMinUuid, isUuid } from '../../database/id.ts'
import {
  companies,
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  events,
  webhookAttempts,
} from '../../database/tables.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { buildConditions, isAfter } from '../../lists/page.ts'
import { TRANSACTION_ID_SQL } from '../events/log.ts'

/** The states of filters: `failed` is a delivery with a failed last attempt, with or without another try. */
export const DELIVERY_STATES = ['delivered', 'failed', 'given_up', 'queued'] as const
type DeliveryState = (typeof DELIVERY_STATES)[number]

type DeliveryFilters = {
  /** When absent, all companies, which only the operator may see. */
  companyId?: string | undefined
  endpointId?: string | undefined
  type?: EventType | undefined
  status?: DeliveryStatus | undefined
  state?: DeliveryState | undefined
  since?: Date | undefined
}

export type ListedDelivery = Awaited<ReturnType<typeof listDeliveries>>[number]

const DELIVERY_COLUMNS = {
  id: deliveries.id,
  status: deliveries.status,
  attempts: deliveries.attempts,
  outcome: deliveries.outcome,
  statusCode: deliveries.statusCode,
  /** The time of the next attempt, or of a retry if the running attempt does not end. */
  dueAt: deliveries.dueAt,
  deliveredAt: deliveries.deliveredAt,
  createdAt: deliveries.createdAt,
  eventId: events.id,
  eventType: events.type,
  companyId: events.companyId,
  endpointId: endpoints.id,
  url: endpoints.url,
}

/** Lists up to `limit + 1` deliveries, newest first. The company is the real environment's. */
export async function listDeliveries(
  db: Database,
  { limit, cursor, ...filters }: PageQuery & DeliveryFilters,
) {
  const conditions = buildConditions<DeliveryFilters>(
    {
      companyId: (id) => eq(endpoints.companyId, id),
      endpointId: (id) => eq(endpoints.id, id),
      type: (type) => eq(events.type, type),
      status: (status) => eq(deliveries.status, status),
      state: buildStateCondition,
      since: (at) => gte(deliveries.id, buildMinUuid(at.getTime())),
    },
    filters,
  )
  return db
    .select({ ...DELIVERY_COLUMNS, companyId: REAL_COMPANY_ID, testMode: companies.testMode })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .innerJoin(companies, eq(companies.id, endpoints.companyId))
    .where(and(isAfter(cursor, { id: deliveries.id, isDescending: true }), ...conditions))
    .orderBy(desc(deliveries.id))
    .limit(limit + 1)
}

function buildStateCondition(state: DeliveryState): SQL | undefined {
  switch (state) {
    case 'delivered':
      return eq(deliveries.status, 'delivered')
    case 'failed':
      return and(ne(deliveries.status, 'delivered'), ne(deliveries.outcome, 'delivered'))
    case 'given_up':
      return eq(deliveries.status, 'failed')
    case 'queued':
      return and(eq(deliveries.status, 'pending'), isNull(deliveries.outcome))
  }
}

/** Finds a delivery with its body and the answers of its attempts, first attempt first; null when there is none. */
export async function findDelivery(db: Database, id: string, companyId?: string) {
  if (!isUuid(id)) return null
  const [delivery] = await db
    .select({
      ...DELIVERY_COLUMNS,
      body: events.body,
      leasedUntil: deliveries.leasedUntil,
      endpointDisabledAt: endpoints.disabledAt,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .where(and(eq(deliveries.id, id), companyId ? eq(endpoints.companyId, companyId) : undefined))
  if (!delivery) return null
  const attemptLog = await db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, id))
    .orderBy(webhookAttempts.number)
  return { ...delivery, attemptLog }
}

export type ListedWebhookAttempt = Awaited<ReturnType<typeof listWebhookAttempts>>[number]

/**
 * Lists up to `limit` attempts, newest first; a delivery without attempts is one row with nulls. The address is the one
 * of the attempt, or else the endpoint's current one.
 */
export async function listWebhookAttempts(
  db: Database,
  { companyId, transactionId, limit }: { companyId: string; transactionId: string; limit: number },
) {
  return db
    .select({
      deliveryId: deliveries.id,
      status: deliveries.status,
      /** The current number of attempts, which shows whether the last one will be repeated. */
      attempts: deliveries.attempts,
      dueAt: deliveries.dueAt,
      createdAt: deliveries.createdAt,
      eventType: events.type,
      url: sql<string>`coalesce(${webhookAttempts.url}, ${endpoints.url})`,
      number: webhookAttempts.number,
      startedAt: webhookAttempts.startedAt,
      durationMs: webhookAttempts.durationMs,
      outcome: webhookAttempts.outcome,
      statusCode: webhookAttempts.statusCode,
    })
    .from(events)
    .innerJoin(deliveries, eq(deliveries.eventId, events.id))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .leftJoin(webhookAttempts, eq(webhookAttempts.deliveryId, deliveries.id))
    .where(and(eq(events.companyId, companyId), sql`${TRANSACTION_ID_SQL} = ${transactionId}`))
    .orderBy(desc(sql`coalesce(${webhookAttempts.startedAt}, ${deliveries.createdAt})`))
    .limit(limit)
}
