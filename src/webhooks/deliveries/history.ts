// What became of the webhooks, and sending them once more.

import type { Database } from '../../database/connect.ts'
import { and, desc, eq, inArray, lt, type SQL, sql } from '../../database/drizzle.ts'
import type { DeliveryStatus } from '../../database/enums.ts'
import { isUuid } from '../../database/id.ts'
import {
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  events,
  webhookAttempts,
} from '../../database/tables.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { firstIdAt } from '../events/id.ts'
import { webhookTexts } from '../texts.ts'

/** For so long what was sent may be sent again. */
export const REPLAY_DAYS = 30
/** So many are sent again by one order, the oldest ones. */
export const MAX_RESENT = 10_000

const DAY_MS = 24 * 60 * 60 * 1_000
/** The id of a delivery is made a moment before or after its row says. */
const ID_SLACK_MS = 60_000

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

function selectDeliveries(db: Database) {
  return db
    .select(DELIVERY)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
}

/** Newest first. */
export async function listDeliveries(db: Database, filter: Filter) {
  const { companyId, endpointId, status, limit, before } = filter
  return selectDeliveries(db)
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

export type ListedDelivery = Awaited<ReturnType<typeof listDeliveries>>[number]

/** These, newest first. */
export async function readDeliveries(db: Database, ids: string[]): Promise<ListedDelivery[]> {
  if (ids.length === 0) return []
  return selectDeliveries(db).where(inArray(deliveries.id, ids)).orderBy(desc(deliveries.id))
}

/** With the body that was sent and each attempt's answer, the first attempt first. Null: not found. */
export async function findDelivery(db: Database, id: string, companyId?: string) {
  if (!isUuid(id)) return null
  const [delivery] = await db
    .select({
      ...DELIVERY,
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

/**
 * Makes one delivery due now, whatever became of it; the numbers of its attempts go on. Throws 404,
 * or 409 while an attempt is under way, its endpoint is disabled or it is too old.
 */
export async function resendDelivery(db: Database, id: string, now: Date, companyId?: string) {
  const delivery = await findDelivery(db, id, companyId)
  if (!delivery) throw notFound()
  refuseTooOld(delivery, now)
  const ofCompany = companyId ? sql`and endpoint.company_id = ${companyId}` : sql``
  const resent = await resend(db, now, sql`delivery.id = ${id} ${ofCompany}`)
  if (resent === 0) throw new AppError(409, 'not_resendable', webhookTexts.notResendable)
}

/** Throws 409 for what is no longer sent again. */
export function refuseTooOld({ createdAt }: { createdAt: string }, now: Date) {
  if (Date.parse(createdAt) >= now.getTime() - REPLAY_DAYS * DAY_MS) return
  throw new AppError(409, 'event_too_old', webhookTexts.tooOld(REPLAY_DAYS))
}

/** Makes the deliveries of one event due now, and answers how many those are. */
export async function resendEvent(db: Database, companyId: string, eventId: string, now: Date) {
  return resend(db, now, sql`endpoint.company_id = ${companyId} and delivery.event_id = ${eventId}`)
}

/** What was given up, at all enabled endpoints of a company or at one. */
export type GivenUp = { companyId: string; endpointId?: string | undefined; since: Date }

/** Makes what was given up since then due now, and answers how many those are. */
export async function resendFailed(db: Database, which: GivenUp, now: Date) {
  return resend(db, now, isGivenUp(which))
}

/** How many resendFailed would make due. */
export async function countFailed(db: Database, which: GivenUp, now: Date) {
  const { rows } = await db.execute<{ count: number }>(
    sql`with chosen as (${chosen(isGivenUp(which), now)}) select count(*)::int as count from chosen`,
  )
  return rows[0]!.count
}

function isGivenUp({ companyId, endpointId, since }: GivenUp) {
  const ofEndpoint = endpointId ? sql`and endpoint.id = ${endpointId}` : sql``
  // The ids bound the walk, the instant makes it exact.
  const first = firstIdAt(new Date(since.getTime() - ID_SLACK_MS))
  return sql`endpoint.company_id = ${companyId} ${ofEndpoint} and delivery.status = 'failed'
    and delivery.id >= ${first} and delivery.created_at >= ${since.toISOString()}::timestamptz`
}

async function resend(db: Database, now: Date, which: SQL) {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<{ resent: number }>(sql`
    with chosen as (${chosen(which, now)} for update of delivery),
    resent as (
      update webhook_deliveries delivery set status = 'pending', due_at = ${at}, leased_until = null
      from chosen where delivery.id = chosen.id
      returning delivery.id
    )
    select count(*)::int as resent, case when count(*) > 0 then pg_notify('delivery_due', '') end
    from resent`)
  return rows[0]!.resent
}

function chosen(which: SQL, now: Date) {
  return sql`
    select delivery.id
    from webhook_deliveries delivery
    join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where ${which} and endpoint.disabled_at is null
      and (delivery.leased_until is null or delivery.leased_until <= ${now.toISOString()}::timestamptz)
    order by delivery.id
    limit ${MAX_RESENT}`
}
