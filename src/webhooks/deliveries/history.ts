// What became of the webhooks.

import { REAL_COMPANY_ID } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, lt } from '../../database/drizzle.ts'
import type { DeliveryStatus } from '../../database/enums.ts'
import { isUuid } from '../../database/id.ts'
import {
  companies,
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  events,
  webhookAttempts,
} from '../../database/tables.ts'

type DeliveryQuery = {
  /** Absent: of all companies, which only the operator may see. */
  companyId?: string | undefined
  endpointId?: string | undefined
  status?: DeliveryStatus | undefined
  limit: number
  /** The id of the last delivery of the page before. */
  before?: string | undefined
}

export const DELIVERY_COLUMNS = {
  id: deliveries.id,
  status: deliveries.status,
  attempts: deliveries.attempts,
  outcome: deliveries.outcome,
  statusCode: deliveries.statusCode,
  /** When it will be tried next, or tried again should the attempt under way not end. */
  dueAt: deliveries.dueAt,
  deliveredAt: deliveries.deliveredAt,
  createdAt: deliveries.createdAt,
  eventId: events.id,
  eventType: events.type,
  companyId: events.companyId,
  endpointId: endpoints.id,
  url: endpoints.url,
}

/** Newest first; named by its company itself, whose environment `testMode` says. */
export async function listDeliveries(db: Database, filter: DeliveryQuery) {
  const { companyId, endpointId, status, limit, before } = filter
  return db
    .select({ ...DELIVERY_COLUMNS, companyId: REAL_COMPANY_ID, testMode: companies.testMode })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .innerJoin(companies, eq(companies.id, endpoints.companyId))
    .where(
      and(
        companyId ? eq(endpoints.companyId, companyId) : undefined,
        endpointId ? eq(deliveries.endpointId, endpointId) : undefined,
        status ? eq(deliveries.status, status) : undefined,
        before ? lt(deliveries.id, before) : undefined,
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(limit)
}

/** With the body that was sent and each attempt's answer, the first attempt first. Null: not found. */
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
