// All events of a period sent once more, of one type or of any: after a receiver lost what it had, or for
// one that came later. What is due is worked off by the queue like all else.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { buildMinUuid, newId } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { AppError, type FieldError, invalidFieldsError } from '../../http/errors.ts'
import { listEndpoints } from '../endpoints/endpoint.ts'
import { EVENT_ID_SKEW_MS } from '../event-id.ts'
import { webhookTexts } from '../texts.ts'
import { MAX_RESENT_DELIVERIES, makeDue, RESEND_WINDOW_DAYS } from './resend.ts'

export type ResendPeriod = {
  companyId: string
  from: Date
  /** Up to and with this instant. */
  to: Date
  type?: EventType | undefined
  /** Only to this one, also what it never had; of those types that it subscribes to unless `type` is given. */
  endpointId?: string | undefined
  /** What was tried since then is left out: the same order sent again sends nothing twice. */
  askedAt?: Date | undefined
}

/**
 * Makes due now what the enabled endpoints had of these events, attempts under way aside, and answers how
 * many deliveries those are. Throws 422 for a period or an endpoint that cannot be, and for too many.
 */
export async function resendPeriod(db: Database, period: ResendPeriod, now: Date) {
  if ((await countPeriodDeliveries(db, period, now)) === 0) return 0
  const at = sql`${now.toISOString()}::timestamptz`
  const deliveryIds = Array.from({ length: MAX_RESENT_DELIVERIES }, newId)
  const { rows } = await db.execute<{ resent: number }>(sql`
    with chosen as (${selectPeriodDeliveries(period, now)}),
    target as (select id from webhook_endpoints where id in (select endpoint_id from chosen) for key share),
    numbered as (
      select event_id, endpoint_id, row_number() over (order by event_id, endpoint_id) as position
      from chosen where endpoint_id in (select id from target) limit ${MAX_RESENT_DELIVERIES}
    ),
    resent as (
      insert into webhook_deliveries as delivery (id, event_id, endpoint_id, due_at, created_at)
      select (${sql.param(deliveryIds)}::uuid[])[position], event_id, endpoint_id, ${at}, ${at}
      from numbered order by position
      on conflict (event_id, endpoint_id) do update
      set ${makeDue(now)}
      where delivery.leased_until is null or delivery.leased_until <= ${at}
      returning delivery.id
    )
    select count(*)::int as resent, case when count(*) > 0 then pg_notify('delivery_due', '') end
    from resent`)
  return requireFound(rows[0]).resent
}

/** How many resendPeriod would make due; throws as it does. */
export async function countPeriodDeliveries(db: Database, period: ResendPeriod, now: Date) {
  await checkPeriod(db, period, now)
  const { rows } = await db.execute<{ count: number }>(
    sql`with chosen as (${selectPeriodDeliveries(period, now)}) select count(*)::int as count from chosen`,
  )
  const { count } = requireFound(rows[0])
  if (count <= MAX_RESENT_DELIVERIES) return count
  const message = webhookTexts.tooManyInPeriod(MAX_RESENT_DELIVERIES)
  throw buildFieldRefusal({ field: 'createdTo', code: 'too_many', message })
}

async function checkPeriod(
  db: Database,
  { companyId, from, to, endpointId }: ResendPeriod,
  now: Date,
) {
  if (from.getTime() < now.getTime() - RESEND_WINDOW_DAYS * DAY_MS) {
    const message = webhookTexts.periodTooOld(RESEND_WINDOW_DAYS)
    throw buildFieldRefusal({ field: 'createdFrom', code: 'too_old', message })
  }
  if (to < from) {
    const message = webhookTexts.periodReversed
    throw buildFieldRefusal({ field: 'createdTo', code: 'too_small', message })
  }
  if (!endpointId) return
  const endpoint = (await listEndpoints(db, companyId)).find(({ id }) => id === endpointId)
  if (!endpoint) {
    const message = webhookTexts.endpointNotFound
    throw buildFieldRefusal({ field: 'endpointId', code: 'not_found', message })
  }
  if (endpoint.disabledAt) throw new AppError(409, 'not_resendable', webhookTexts.endpointDisabled)
}

function buildFieldRefusal(error: FieldError) {
  return invalidFieldsError([error])
}

/** One more than may be sent says that there are too many. */
function selectPeriodDeliveries(period: ResendPeriod, now: Date) {
  const { companyId, endpointId, askedAt } = period
  const isFree = sql`(delivery.leased_until is null
    or delivery.leased_until <= ${now.toISOString()}::timestamptz)`
  const isUntried = askedAt
    ? sql`and not exists (
        select from webhook_attempts attempt
        where attempt.delivery_id = delivery.id and attempt.started_at >= ${askedAt.toISOString()}::timestamptz
      )`
    : sql``
  // Those that had it; one that is named had it or not.
  const targets = endpointId
    ? sql`
      join webhook_endpoints endpoint on endpoint.id = ${endpointId}
      left join webhook_deliveries delivery
        on delivery.event_id = event.id and delivery.endpoint_id = endpoint.id`
    : sql`
      join webhook_deliveries delivery on delivery.event_id = event.id
      join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id`
  return sql`
    select event.id as event_id, endpoint.id as endpoint_id
    from events event ${targets}
    where ${buildPeriodCondition(period)} and ${isFree} ${isUntried}
      and endpoint.company_id = ${companyId} and endpoint.disabled_at is null
    limit ${MAX_RESENT_DELIVERIES + 1}`
}

function buildPeriodCondition({ companyId, from, to, type, endpointId }: ResendPeriod): SQL {
  const ofType = type ? sql`and event.type = ${type}` : sql``
  const subscribed = endpointId && !type ? sql`and event.type = any(endpoint.events)` : sql``
  // The ids bound the walk, the instants make it exact.
  return sql`event.company_id = ${companyId}
    and event.id >= ${buildMinUuid(from.getTime() - EVENT_ID_SKEW_MS)}
    and event.id < ${buildMinUuid(to.getTime() + EVENT_ID_SKEW_MS)}
    and event.created_at between ${from.toISOString()}::timestamptz and ${to.toISOString()}::timestamptz
    ${ofType} ${subscribed}`
}
