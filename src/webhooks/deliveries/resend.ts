// Resends webhooks: makes recorded deliveries due again, with their ids.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { buildMinUuid, newId } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { AppError, invalidFieldsError, notFoundError } from '../../http/errors.ts'
import { listEndpoints } from '../endpoints/endpoint.ts'
import { EVENT_ID_SKEW_MS, findEvent } from '../events/log.ts'
import { webhookTexts } from '../texts.ts'
import { findDelivery } from './history.ts'

export const RESEND_WINDOW_DAYS = 30
/** The most deliveries that are resent at once, oldest first. */
export const MAX_RESENT_DELIVERIES = 10_000

/** The id of a delivery is created shortly before or after its event. */
const DELIVERY_ID_SKEW_MS = 60_000

/** Selects deliveries to resend, at enabled endpoints; running attempts are left out. */
export type ResendFilter = {
  /** When absent, all companies, for the operator only. */
  companyId?: string | undefined
  /** One delivery; an error when it does not exist or may not be resent. */
  deliveryId?: string | undefined
  /** Several deliveries; unknown ones are left out. */
  deliveryIds?: readonly string[] | undefined
  eventId?: string | undefined
  /** When the events happened, including both instants. */
  from?: Date | undefined
  to?: Date | undefined
  type?: EventType | undefined
  /** Only deliveries that failed at all attempts. */
  isGivenUp?: boolean | undefined
  /**
   * Only this endpoint. Unless `isGivenUp` or deliveries are given, it also gets events that were never sent to it: of
   * its subscribed types, or as `type` or `eventId` say.
   */
  endpointId?: string | undefined
  /**
   * Leaves out deliveries that were tried since then or are due anyway, so that the same filter sends nothing twice.
   */
  askedAt?: Date | undefined
}

/**
 * Makes the selected deliveries due now, oldest first, whatever their outcome, and returns their number. Attempts keep
 * counting up; the number of automatic ones that remain does not change. Throws 404, 409 or (for an endpoint) 422 when
 * a named delivery, event or endpoint is missing, too old or cannot be sent.
 */
export async function resendDeliveries(db: Database, filter: ResendFilter, now: Date) {
  await checkNamed(db, filter, now)
  const resent = await makeDue(db, filter, now)
  const isOne = filter.deliveryId ?? (filter.eventId && filter.endpointId)
  if (resent > 0 || !isOne) return resent
  throw new AppError(409, 'not_resendable', webhookTexts.notResendable)
}

/**
 * Counts the deliveries that `resendDeliveries` would make due. Throws the same errors, and 422 for an invalid period
 * or one with more deliveries than may be resent at once.
 */
export async function countResendable(db: Database, filter: ResendFilter, now: Date) {
  checkPeriod(filter, now)
  await checkNamed(db, filter, now)
  const { rows } = await db.execute<{ count: number }>(sql`
    with chosen as (${selectResendable(filter, now, MAX_RESENT_DELIVERIES + 1)})
    select count(*)::int as count from chosen`)
  const { count } = requireFound(rows[0])
  if (count <= MAX_RESENT_DELIVERIES) return count
  const message = webhookTexts.tooManyInPeriod(MAX_RESENT_DELIVERIES)
  throw invalidFieldsError([{ field: 'createdTo', code: 'too_many', message }])
}

function checkPeriod({ from, to }: ResendFilter, now: Date) {
  if (from && from.getTime() < getOldestResendable(now)) {
    const message = webhookTexts.periodTooOld(RESEND_WINDOW_DAYS)
    throw invalidFieldsError([{ field: 'createdFrom', code: 'too_old', message }])
  }
  if (from && to && to < from) {
    const message = webhookTexts.periodReversed
    throw invalidFieldsError([{ field: 'createdTo', code: 'too_small', message }])
  }
}

async function checkNamed(db: Database, filter: ResendFilter, now: Date) {
  const { companyId, deliveryId, eventId, endpointId } = filter
  if (deliveryId) {
    const delivery = await findDelivery(db, deliveryId, companyId)
    if (!delivery) throw notFoundError(webhookTexts.deliveryNotFound)
    requireResendableAge(delivery, now)
  }
  if (!companyId) return
  if (eventId) {
    const event = await findEvent(db, companyId, eventId)
    if (!event) throw notFoundError(webhookTexts.eventNotFound)
    requireResendableAge(event, now)
  }
  if (!endpointId) return
  const endpoint = (await listEndpoints(db, companyId)).find(({ id }) => id === endpointId)
  if (!endpoint) {
    const message = webhookTexts.endpointNotFound
    throw invalidFieldsError([{ field: 'endpointId', code: 'not_found', message }])
  }
  if (endpoint.disabledAt) throw new AppError(409, 'not_resendable', webhookTexts.endpointDisabled)
}

function requireResendableAge({ createdAt }: { createdAt: string }, now: Date) {
  if (Date.parse(createdAt) >= getOldestResendable(now)) return
  throw new AppError(409, 'event_too_old', webhookTexts.tooOld(RESEND_WINDOW_DAYS))
}

function getOldestResendable(now: Date) {
  return now.getTime() - RESEND_WINDOW_DAYS * DAY_MS
}

async function makeDue(db: Database, filter: ResendFilter, now: Date) {
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

function selectResendable(filter: ResendFilter, now: Date, limit: number) {
  return sql`
    select event.id as event_id, endpoint.id as endpoint_id
    from ${joinResendable(filter)}
    where ${sql.join(listResendConditions(filter, now), sql` and `)}
    order by event.id, endpoint.id
    limit ${limit}`
}

function includesNewDeliveries(filter: ResendFilter) {
  const { endpointId, isGivenUp, deliveryId, deliveryIds } = filter
  return endpointId !== undefined && !isGivenUp && !deliveryId && !deliveryIds
}

function joinResendable(filter: ResendFilter) {
  const { isGivenUp, from } = filter
  if (isGivenUp) {
    // Failed deliveries have an index of their own, so that other events are not read.
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
  const { companyId, deliveryId, deliveryIds, eventId, type, endpointId, askedAt } = filter
  const at = sql`${now.toISOString()}::timestamptz`
  const isForSubscribers = includesNewDeliveries(filter) && !type && !eventId
  const conditions = [
    sql`endpoint.disabled_at is null`,
    sql`(delivery.leased_until is null or delivery.leased_until <= ${at})`,
    companyId && sql`endpoint.company_id = ${companyId} and event.company_id = ${companyId}`,
    deliveryId && sql`delivery.id = ${deliveryId}`,
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

/** The ids limit the rows that are read; the instants are exact. */
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
