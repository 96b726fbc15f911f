// What webhooks said, read again and sent once more.

import type { Database } from '../../database/connect.ts'
import { and, desc, eq, gte, inArray, lt, lte, type SQL, sql } from '../../database/drizzle.ts'
import { newId } from '../../database/id.ts'
import {
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  events,
} from '../../database/tables.ts'
import { AppError, invalidFields, notFound } from '../../http/errors.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { refuseTooOld, resendEvent } from '../deliveries/history.ts'
import { webhookTexts } from '../texts.ts'
import { firstIdAt } from './id.ts'
import type { EventFilters } from './schema.ts'

export type EventRow = typeof events.$inferSelect
export type DeliveryRow = Awaited<ReturnType<typeof listDeliveriesOf>>[number]

/** The id of an event that a request names is a moment older than the event. */
const ID_SLACK_MS = 1_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Up to `limit + 1` events, newest first, from below `cursor`. */
export async function listEvents(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: PageQuery & EventFilters,
): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), lt(events.id, cursor), ...conditions(filters)))
    .orderBy(desc(events.id))
    .limit(limit + 1)
}

/** Undefined when the company has none of this id. */
export async function findEvent(
  db: Database,
  companyId: string,
  id: string,
): Promise<EventRow | undefined> {
  if (!UUID.test(id)) return undefined
  const [event] = await db
    .select()
    .from(events)
    .where(and(eq(events.id, id), eq(events.companyId, companyId)))
  return event
}

/** Those of the ids that are the company's, the oldest first. */
export async function findEvents(
  db: Database,
  companyId: string,
  ids: string[],
): Promise<EventRow[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), inArray(events.id, ids)))
    .orderBy(events.id)
}

/** The ids of the company's events from `since` on, the oldest first. */
export async function listEventIds(db: Database, companyId: string, since: Date) {
  const rows = await db
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.companyId, companyId), gte(events.id, firstIdAt(since))))
    .orderBy(events.id)
  return rows.map(({ id }) => id)
}

/** The oldest first; at most one for each endpoint. */
export async function listDeliveriesOf(db: Database, eventId: string) {
  return db
    .select({
      id: deliveries.id,
      endpointId: deliveries.endpointId,
      url: endpoints.url,
      status: deliveries.status,
      attempts: deliveries.attempts,
      outcome: deliveries.outcome,
      statusCode: deliveries.statusCode,
      dueAt: deliveries.dueAt,
      deliveredAt: deliveries.deliveredAt,
    })
    .from(deliveries)
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .where(eq(deliveries.eventId, eventId))
    .orderBy(deliveries.id)
}

type Again = { companyId: string; id: string; endpointId?: string | undefined; now: Date }

/**
 * Makes an event's deliveries due now, whatever became of them, and answers how many those are: all
 * that it had, those of disabled endpoints and those under way aside, or that of one endpoint alone.
 */
export async function redeliverEvent(db: Database, { companyId, id, endpointId, now }: Again) {
  const event = await findEvent(db, companyId, id)
  if (!event) throw notFound(webhookTexts.eventNotFound)
  refuseTooOld(event, now)
  if (!endpointId) return resendEvent(db, companyId, event.id, now)
  await redeliverTo(db, event, endpointId, now)
  return 1
}

async function redeliverTo(db: Database, event: EventRow, endpointId: string, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rowCount } = await db.execute(sql`
    with due as (
      insert into webhook_deliveries as delivery (id, event_id, endpoint_id, due_at, created_at)
      select ${newId()}::uuid, ${event.id}::uuid, endpoint.id, ${at}, ${at}
      from webhook_endpoints endpoint
      where endpoint.id = ${endpointId} and endpoint.company_id = ${event.companyId}
        and endpoint.disabled_at is null
      for key share
      on conflict (event_id, endpoint_id) do update
      set status = 'pending', due_at = ${at}, leased_until = null
      where delivery.leased_until is null or delivery.leased_until <= ${at}
      returning id
    )
    select pg_notify('delivery_due', '') from due`)
  if (rowCount === 1) return
  const ours = and(eq(endpoints.id, endpointId), eq(endpoints.companyId, event.companyId))
  if (await db.$count(endpoints, ours)) {
    throw new AppError(409, 'not_resendable', webhookTexts.notResendable)
  }
  const message = webhookTexts.endpointNotFound
  throw invalidFields([{ field: 'endpointId', code: 'not_found', message }])
}

function conditions({ type, transactionId, paymentLinkId, createdFrom, createdTo }: EventFilters) {
  const given: SQL[] = []
  if (type) given.push(eq(events.type, type))
  if (transactionId) given.push(sql`${TRANSACTION_ID} = ${transactionId}`)
  if (paymentLinkId) given.push(sql`${LINK_ID} = ${paymentLinkId}`)
  // The ids bound the walk, the instants make it exact.
  if (createdFrom) {
    given.push(
      gte(events.createdAt, createdFrom),
      gte(events.id, shifted(createdFrom, -ID_SLACK_MS)),
    )
  }
  if (createdTo) {
    given.push(lte(events.createdAt, createdTo), lt(events.id, shifted(createdTo, ID_SLACK_MS)))
  }
  return given
}

// The very expressions of two indexes: the body says what it is about, and nothing else needs to.
const TRANSACTION_ID = sql`(${events.body}::jsonb #>> '{data,transaction,id}')`
const LINK_ID = sql`(${events.body}::jsonb #>> '{data,paymentLink,id}')`

function shifted(instant: string, ms: number) {
  return firstIdAt(new Date(Date.parse(instant) + ms))
}
