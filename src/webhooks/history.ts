// What became of the webhooks, and sending them once more.
import type { Database } from '../database/connect.ts'
import { and, desc, eq, lt, type SQL, sql } from '../database/drizzle.ts'
import {
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  events,
  webhookAttempts,
} from '../database/tables.ts'
import type { DeliveryStatus } from '../database/words.ts'
import { AppError, notFound } from '../http/errors.ts'
import { texts } from '../texts.ts'

type Filter = {
  /** Absent: of all companies, which only the operator may see. */
  companyId?: string | undefined
  endpointId?: string | undefined
  status?: DeliveryStatus | undefined
  limit: number
  /** The id of the last delivery of the page before. */
  before?: string | undefined
}

const DELIVERY = {
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

/** Newest first. */
export async function listDeliveries(db: Database, filter: Filter) {
  const { companyId, endpointId, status, limit, before } = filter
  return db
    .select(DELIVERY)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
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
  const [delivery] = await db
    .select({ ...DELIVERY, body: events.body })
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

/**
 * Makes one delivery due now, whatever became of it; the numbers of its attempts go on. Throws 404,
 * or 409 while an attempt is under way or its endpoint is disabled.
 */
export async function resendDelivery(db: Database, id: string, now: Date, companyId?: string) {
  const ofCompany = companyId ? sql`and endpoint.company_id = ${companyId}` : sql``
  const resent = await resend(db, now, sql`delivery.id = ${id} ${ofCompany}`)
  if (resent > 0) return
  if (await findDelivery(db, id, companyId)) {
    throw new AppError(409, 'not_resendable', texts.webhooks.notResendable)
  }
  throw notFound()
}

/** Makes the deliveries of one event due now, and answers how many those are. */
export async function resendEvent(db: Database, companyId: string, eventId: string, now: Date) {
  return resend(db, now, sql`endpoint.company_id = ${companyId} and delivery.event_id = ${eventId}`)
}

/** Makes what was given up and is not older than `since` due now, and answers how many those are. */
export async function resendFailed(db: Database, companyId: string, since: Date, now: Date) {
  return resend(
    db,
    now,
    sql`endpoint.company_id = ${companyId} and delivery.status = 'failed'
      and delivery.created_at >= ${since.toISOString()}::timestamptz`,
  )
}

async function resend(db: Database, now: Date, which: SQL) {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<{ resent: number }>(sql`
    with chosen as (
      select delivery.id
      from webhook_deliveries delivery
      join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
      where ${which} and endpoint.disabled_at is null
        and (delivery.leased_until is null or delivery.leased_until <= ${at})
      for update of delivery
    ),
    resent as (
      update webhook_deliveries delivery set status = 'pending', due_at = ${at}, leased_until = null
      from chosen where delivery.id = chosen.id
      returning delivery.id
    )
    select count(*)::int as resent, case when count(*) > 0 then pg_notify('delivery_due', '') end
    from resent`)
  return rows[0]!.resent
}
