// Webhooks sent once more: what was recorded is made due again, under the ids that it had.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { buildMinUuid, newId } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { AppError, type FieldError, invalidFieldsError, notFoundError } from '../../http/errors.ts'
import { listEndpoints } from '../endpoints/endpoint.ts'
import { EVENT_ID_SKEW_MS } from '../event-id.ts'
import { findEvent } from '../events/log.ts'
import { webhookTexts } from '../texts.ts'
import { findDelivery } from './history.ts'

/** For so long what was sent may be sent again. */
export const RESEND_WINDOW_DAYS = 30
/** So many are sent again by one order, the oldest ones. */
export const MAX_RESENT_DELIVERIES = 10_000

/** The id of a delivery is made a moment before or after its event. */
const DELIVERY_ID_SKEW_MS = 60_000

/** What is sent again, at enabled endpoints; attempts under way are left out. */
export type ResendFilter = {
  /** Absent: of all companies, for the operator alone. */
  companyId?: string | undefined
  deliveryIds?: readonly string[] | undefined
  eventId?: string | undefined
  /** When the events happened, both instants included. */
  from?: Date | undefined
  to?: Date | undefined
  type?: EventType | undefined
  /** Only what failed at all of its attempts. */
  isGivenUp?: boolean | undefined
  /**
   * Only to this endpoint. Unless `isGivenUp` or `deliveryIds` are given, also what it never had: the types that it
   * subscribes to, or what `type` or `eventId` names.
   */
  endpointId?: string | undefined
  /** What was tried since then, or is due by itself, is left out: an order given twice sends nothing twice. */
  askedAt?: Date | undefined
}

type ResendPeriod = ResendFilter & { companyId: string; from: Date }

/** Makes due now what the filter names, the oldest first, and answers how many deliveries those are. */
export async function resend(db: Database, filter: ResendFilter, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`
  const mostNew = filter.eventId ? 1 : MAX_RESENT_DELIVERIES
  const newIds = Array.from({ length: includesNewDeliveries(filter) ? mostNew : 0 }, newId)
  const { rows } = await db.execute<{ resent: number }>(sql`
    with chosen as (${selectResendable(filter, now, MAX_RESENT_DELIVERIES)}),
    target as (
      select id from webhook_endpoints where id in (select endpoint_id from chosen) for key share
    ),
    numbered as (
      select event_id, endpoint_id, row_number() over (order by event_id, endpoint_id) as position
      from chosen where endpoint_id in (select id from target)
    ),
    resent as (
      insert into webhook_deliveries as delivery (id, event_id, endpoint_id, due_at, created_at)
      select coalesce((${sql.param(newIds)}::uuid[])[position], gen_random_uuid()), event_id,
        endpoint_id, ${at}, ${at}
      from numbered order by position
      on conflict (event_id, endpoint_id) do update
      -- Asked for before it was tried at all, the attempt is one of those that it has by itself.
      set status = 'pending', due_at = ${at}, leased_until = null,
        resends = least(delivery.resends + 1, delivery.attempts)
      where delivery.leased_until is null or delivery.leased_until <= ${at}
      returning delivery.id
    )
    select count(*)::int as resent, case when count(*) > 0 then pg_notify('delivery_due', '') end
    from resent`)
  return requireFound(rows[0]).resent
}

/** The same for one company. Throws what `countResendable` throws. */
export async function resendPeriod(db: Database, filter: ResendPeriod, now: Date) {
  const count = await countResendable(db, filter, now)
  return count > 0 ? resend(db, filter, now) : 0
}

/**
 * How many deliveries `resend` would make due. Throws 422 for a period or an endpoint that cannot be, and for more
 * deliveries than one order may name; 409 for an endpoint that is disabled.
 */
export async function countResendable(db: Database, filter: ResendPeriod, now: Date) {
  await checkResendPeriod(db, filter, now)
  const { rows } = await db.execute<{ count: number }>(sql`
    with chosen as (${selectResendable(filter, now, MAX_RESENT_DELIVERIES + 1)})
    select count(*)::int as count from chosen`)
  const { count } = requireFound(rows[0])
  if (count <= MAX_RESENT_DELIVERIES) return count
  const message = webhookTexts.tooManyInPeriod(MAX_RESENT_DELIVERIES)
  throw buildFieldRefusal({ field: 'createdTo', code: 'too_many', message })
}

/**
 * Makes one delivery due now, whatever became of it; the numbers of its attempts go on, and so do those that
 * it has by itself. Throws 404, or 409 while an attempt is under way, its endpoint is disabled or it is too old.
 */
export async function resendDelivery(db: Database, id: string, now: Date, companyId?: string) {
  const delivery = await findDelivery(db, id, companyId)
  if (!delivery) throw notFoundError(webhookTexts.deliveryNotFound)
  requireResendableAge(delivery, now)
  const resent = await resend(db, { companyId, deliveryIds: [delivery.id] }, now)
  if (resent === 0) throw new AppError(409, 'not_resendable', webhookTexts.notResendable)
}

type ResendEventInput = {
  companyId: string
  id: string
  endpointId?: string | undefined
  now: Date
}

/**
 * Makes an event's deliveries due now, whatever became of them, and answers how many those are: all
 * that it had, those of disabled endpoints and those under way aside, or that of one endpoint alone.
 */
export async function resendEvent(
  db: Database,
  { companyId, id, endpointId, now }: ResendEventInput,
) {
  const event = await findEvent(db, companyId, id)
  if (!event) throw notFoundError(webhookTexts.eventNotFound)
  requireResendableAge(event, now)
  if (endpointId) await findEndpointToResend(db, companyId, endpointId)
  const resent = await resend(db, { companyId, eventId: event.id, endpointId }, now)
  if (resent > 0 || !endpointId) return resent
  throw new AppError(409, 'not_resendable', webhookTexts.notResendable)
}

/** Throws 409 for what is no longer sent again. */
function requireResendableAge({ createdAt }: { createdAt: string }, now: Date) {
  if (Date.parse(createdAt) >= getOldestResendable(now)) return
  throw new AppError(409, 'event_too_old', webhookTexts.tooOld(RESEND_WINDOW_DAYS))
}

function getOldestResendable(now: Date) {
  return now.getTime() - RESEND_WINDOW_DAYS * DAY_MS
}

async function checkResendPeriod(
  db: Database,
  { companyId, from, to, endpointId }: ResendPeriod,
  now: Date,
) {
  if (from.getTime() < getOldestResendable(now)) {
    const message = webhookTexts.periodTooOld(RESEND_WINDOW_DAYS)
    throw buildFieldRefusal({ field: 'createdFrom', code: 'too_old', message })
  }
  if (to && to < from) {
    const message = webhookTexts.periodReversed
    throw buildFieldRefusal({ field: 'createdTo', code: 'too_small', message })
  }
  if (!endpointId) return
  const { disabledAt } = await findEndpointToResend(db, companyId, endpointId)
  if (disabledAt) throw new AppError(409, 'not_resendable', webhookTexts.endpointDisabled)
}

async function findEndpointToResend(db: Database, companyId: string, endpointId: string) {
  const endpoint = (await listEndpoints(db, companyId)).find(({ id }) => id === endpointId)
  if (endpoint) return endpoint
  const message = webhookTexts.endpointNotFound
  throw buildFieldRefusal({ field: 'endpointId', code: 'not_found', message })
}

function buildFieldRefusal(error: FieldError) {
  return invalidFieldsError([error])
}

function selectResendable(filter: ResendFilter, now: Date, limit: number) {
  return sql`
    select event.id as event_id, endpoint.id as endpoint_id
    from ${joinResendable(filter)}
    where ${sql.join(listResendConditions(filter, now), sql` and `)}
    order by event.id, endpoint.id
    limit ${limit}`
}

function includesNewDeliveries({ endpointId, isGivenUp, deliveryIds }: ResendFilter) {
  return endpointId !== undefined && !isGivenUp && !deliveryIds
}

function joinResendable(filter: ResendFilter) {
  const { isGivenUp, from } = filter
  if (isGivenUp) {
    // What failed has an index of its own: events of which nothing failed are not looked at.
    const first = buildMinUuid((from?.getTime() ?? DELIVERY_ID_SKEW_MS) - DELIVERY_ID_SKEW_MS)
    return sql`webhook_endpoints endpoint
      cross join lateral (
        select * from webhook_deliveries
        where endpoint_id = endpoint.id and status = 'failed' and id >= ${first}
        offset 0
      ) delivery
      join events event on event.id = delivery.event_id`
  }
  const hadOrNot = includesNewDeliveries(filter) ? sql`left` : sql``
  return sql`events event
    join webhook_endpoints endpoint on endpoint.company_id = event.company_id
    ${hadOrNot} join webhook_deliveries delivery
      on delivery.event_id = event.id and delivery.endpoint_id = endpoint.id`
}

function listResendConditions(filter: ResendFilter, now: Date): SQL[] {
  const { companyId, deliveryIds, eventId, type, endpointId, askedAt } = filter
  const at = sql`${now.toISOString()}::timestamptz`
  const isForSubscribers = includesNewDeliveries(filter) && !type && !eventId
  const conditions = [
    sql`endpoint.disabled_at is null`,
    sql`(delivery.leased_until is null or delivery.leased_until <= ${at})`,
    companyId && sql`endpoint.company_id = ${companyId} and event.company_id = ${companyId}`,
    deliveryIds && sql`delivery.id = any(${sql.param(deliveryIds)}::uuid[])`,
    eventId && sql`event.id = ${eventId}`,
    type && sql`event.type = ${type}`,
    endpointId && sql`endpoint.id = ${endpointId}`,
    isForSubscribers && sql`event.type = any(endpoint.events)`,
    askedAt &&
      sql`(delivery.status is null or delivery.status <> 'pending' or delivery.due_at > ${at})
      and not exists (
        select from webhook_attempts attempt
        where attempt.delivery_id = delivery.id and attempt.started_at >= ${askedAt.toISOString()}::timestamptz
      )`,
    ...listInstantConditions(filter),
  ]
  return conditions.filter((condition) => typeof condition === 'object')
}

/** The ids bound the walk, the instants make it exact. */
function listInstantConditions({ from, to }: ResendFilter) {
  return [
    from &&
      sql`event.id >= ${buildMinUuid(from.getTime() - EVENT_ID_SKEW_MS)}
        and event.created_at >= ${from.toISOString()}::timestamptz`,
    to &&
      sql`event.id < ${buildMinUuid(to.getTime() + EVENT_ID_SKEW_MS)}
        and event.created_at <= ${to.toISOString()}::timestamptz`,
  ]
}
