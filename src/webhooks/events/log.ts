import type { Database } from '../../database/connect.ts'
import { and, desc, eq, gte, lt, lte, sql } from '../../database/drizzle.ts'
import { buildMinUuid, isUuid } from '../../database/id.ts'
import {
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  events,
} from '../../database/tables.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { buildConditions, type FilterConditions } from '../../lists/page.ts'
import {
  COUNT_WALKED_SQL,
  getRetentionStart,
  type PurgeOptions,
  selectAgedRows,
  toPurgeResult,
  type WalkedRows,
} from '../../queue/purge.ts'
import type { EventFilters } from './schema.ts'

/** The id that a request gives to its event is slightly older than the event. */
export const EVENT_ID_SKEW_MS = 1_000

export type EventRow = typeof events.$inferSelect
export type EventDeliveryRow = Awaited<ReturnType<typeof listEventDeliveries>>[number]

/** Lists up to `limit + 1` events below `cursor`, newest first. */
export async function listEvents(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: PageQuery & EventFilters,
): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(
      and(
        eq(events.companyId, companyId),
        lt(events.id, cursor),
        ...buildConditions(EVENT_CONDITIONS, filters),
      ),
    )
    .orderBy(desc(events.id))
    .limit(limit + 1)
}

export async function findEvent(db: Database, companyId: string, id: string) {
  if (!isUuid(id)) return undefined
  const [event] = await db
    .select()
    .from(events)
    .where(and(eq(events.id, id), eq(events.companyId, companyId)))
  return event
}

/** Lists the deliveries, oldest first; at most one for each endpoint. */
export async function listEventDeliveries(db: Database, eventId: string) {
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

// These must be the exact expressions of two indexes. The subject of an event is only in its body.
export const TRANSACTION_ID_SQL = sql`(${events.body}::jsonb #>> '{data,transaction,id}')`
const LINK_ID_SQL = sql`(${events.body}::jsonb #>> '{data,paymentLink,id}')`

// The ids limit the rows that are read; the instants are exact.
const EVENT_CONDITIONS: FilterConditions<EventFilters> = {
  type: (type) => eq(events.type, type),
  transactionId: (id) => sql`${TRANSACTION_ID_SQL} = ${id}`,
  paymentLinkId: (id) => sql`${LINK_ID_SQL} = ${id}`,
  createdFrom: (from) =>
    and(
      gte(events.createdAt, from),
      gte(events.id, buildMinUuid(Date.parse(from) - EVENT_ID_SKEW_MS)),
    ),
  createdTo: (to) =>
    and(lte(events.createdAt, to), lt(events.id, buildMinUuid(Date.parse(to) + EVENT_ID_SKEW_MS))),
}

export async function purgeEvents(db: Database, now: Date, { retention, after }: PurgeOptions) {
  const start = getRetentionStart(now, retention.eventsDays)
  const { rows } = await db.execute<WalkedRows>(sql`
    with ${selectAgedRows(events, { start, isOver: IS_OVER, after })},
    delivery as materialized (
      select id from webhook_deliveries where event_id in (select id from old)
    ),
    attempts_gone as (
      delete from webhook_attempts where delivery_id in (select id from delivery)
    ),
    deliveries_gone as (delete from webhook_deliveries where id in (select id from delivery)),
    gone as (delete from events where id in (select id from old))
    ${COUNT_WALKED_SQL}`)
  return toPurgeResult(rows)
}

// A subquery for each row, since Postgres may plan an `exists` as a scan of the whole other table.
const IS_OVER = sql`(
  select 1 from webhook_deliveries waiting
  join webhook_endpoints endpoint on endpoint.id = waiting.endpoint_id
  where waiting.event_id = events.id and waiting.due_at is not null
    and endpoint.disabled_at is null limit 1
) is null`
