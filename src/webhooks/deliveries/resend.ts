// Webhooks sent once more: what was recorded is made due again, under the ids that it had.

import type { Database } from '../../database/connect.ts'
import { and, eq, type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { buildMinUuid, newId } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { webhookEndpoints as endpoints } from '../../database/tables.ts'
import { AppError, invalidFieldsError, notFoundError } from '../../http/errors.ts'
import { type EventRow, findEvent } from '../events/log.ts'
import { webhookTexts } from '../texts.ts'
import { findDelivery } from './history.ts'

/** For so long what was sent may be sent again. */
export const RESEND_WINDOW_DAYS = 30
/** So many are sent again by one order, the oldest ones. */
export const MAX_RESENT_DELIVERIES = 10_000

/** The id of a delivery is made a moment before or after its row says. */
const DELIVERY_ID_SKEW_MS = 60_000

/**
 * Makes one delivery due now, whatever became of it; the numbers of its attempts go on, and so do those that
 * it has by itself. Throws 404, or 409 while an attempt is under way, its endpoint is disabled or it is too old.
 */
export async function resendDelivery(db: Database, id: string, now: Date, companyId?: string) {
  const delivery = await findDelivery(db, id, companyId)
  if (!delivery) throw notFoundError(webhookTexts.deliveryNotFound)
  requireResendableAge(delivery, now)
  const ofCompany = companyId ? sql`and endpoint.company_id = ${companyId}` : sql``
  const resent = await resendDeliveries(db, now, sql`delivery.id = ${id} ${ofCompany}`)
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
  if (endpointId) return resendToEndpoint(db, event, endpointId, now)
  return resendDeliveries(
    db,
    now,
    sql`endpoint.company_id = ${companyId} and delivery.event_id = ${event.id}`,
  )
}

/** What was given up, at all enabled endpoints of a company or at one. */
type GivenUpFilter = { companyId: string; endpointId?: string | undefined; since: Date }

/** Makes what was given up since then due now, and answers how many those are. */
export async function resendFailedDeliveries(db: Database, which: GivenUpFilter, now: Date) {
  return resendDeliveries(db, now, buildGivenUpCondition(which))
}

/** How many resendFailedDeliveries would make due. */
export async function countFailedDeliveries(db: Database, which: GivenUpFilter, now: Date) {
  const { rows } = await db.execute<{ count: number }>(
    sql`with chosen as (${selectResendable(buildGivenUpCondition(which), now)}) select count(*)::int as count from chosen`,
  )
  return requireFound(rows[0]).count
}

/** What `delivery` is set to; asked for before it was tried at all, this attempt is one of its own. */
export function makeDue(now: Date) {
  return sql`status = 'pending', due_at = ${now.toISOString()}::timestamptz, leased_until = null,
    resends = least(delivery.resends + 1, delivery.attempts)`
}

/** Throws 409 for what is no longer sent again. */
function requireResendableAge({ createdAt }: { createdAt: string }, now: Date) {
  if (Date.parse(createdAt) >= now.getTime() - RESEND_WINDOW_DAYS * DAY_MS) return
  throw new AppError(409, 'event_too_old', webhookTexts.tooOld(RESEND_WINDOW_DAYS))
}

async function resendToEndpoint(db: Database, event: EventRow, endpointId: string, now: Date) {
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
      set ${makeDue(now)}
      where delivery.leased_until is null or delivery.leased_until <= ${at}
      returning id
    )
    select pg_notify('delivery_due', '') from due`)
  if (rowCount === 1) return 1
  const ours = and(eq(endpoints.id, endpointId), eq(endpoints.companyId, event.companyId))
  if (await db.$count(endpoints, ours)) {
    throw new AppError(409, 'not_resendable', webhookTexts.notResendable)
  }
  const message = webhookTexts.endpointNotFound
  throw invalidFieldsError([{ field: 'endpointId', code: 'not_found', message }])
}

function buildGivenUpCondition({ companyId, endpointId, since }: GivenUpFilter) {
  const ofEndpoint = endpointId ? sql`and endpoint.id = ${endpointId}` : sql``
  // The ids bound the walk, the instant makes it exact.
  const first = buildMinUuid(since.getTime() - DELIVERY_ID_SKEW_MS)
  return sql`endpoint.company_id = ${companyId} ${ofEndpoint} and delivery.status = 'failed'
    and delivery.id >= ${first} and delivery.created_at >= ${since.toISOString()}::timestamptz`
}

async function resendDeliveries(db: Database, now: Date, which: SQL) {
  const { rows } = await db.execute<{ resent: number }>(sql`
    with chosen as (${selectResendable(which, now)} for update of delivery),
    resent as (
      update webhook_deliveries delivery set ${makeDue(now)}
      from chosen where delivery.id = chosen.id
      returning delivery.id
    )
    select count(*)::int as resent, case when count(*) > 0 then pg_notify('delivery_due', '') end
    from resent`)
  return requireFound(rows[0]).resent
}

function selectResendable(which: SQL, now: Date) {
  return sql`
    select delivery.id
    from webhook_deliveries delivery
    join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where ${which} and endpoint.disabled_at is null
      and (delivery.leased_until is null or delivery.leased_until <= ${now.toISOString()}::timestamptz)
    order by delivery.id
    limit ${MAX_RESENT_DELIVERIES}`
}
