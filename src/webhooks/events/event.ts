// The outbox. An event and its deliveries are written in the transaction that made the event true:
// a committed payment always has its webhooks, one that was rolled back never does.
import type { Transaction } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { sanitizeJsonValue } from '../../http/text.ts'
import { MAX_ENDPOINTS } from '../endpoints/endpoint.ts'
import { newEventId } from '../event-id.ts'

export type NewEvent = {
  /** An unused id, made at about `now`; absent: a new one. */
  id?: string
  companyId: string
  type: EventType
  testMode: boolean
  /** The data of the event for its receiver. No whole tax id and no card number. */
  data: Record<string, unknown>
  now: Date
  /** Only to this endpoint, whatever it subscribes to. */
  endpointId?: string
}

/**
 * Writes the event, one delivery for each of the company's endpoints that subscribes to it, where a
 * disabled one's waits, and wakes the workers on commit: one round trip in all.
 */
export async function recordEvent(
  tx: Transaction,
  { id, companyId, type, testMode, data, now, endpointId }: NewEvent,
) {
  const eventId = id ?? newEventId(now)
  const timestamp = now.toISOString()
  const body = JSON.stringify({ id: eventId, type, timestamp, testMode, data }, sanitizeJsonValue)
  const deliveryIds = Array.from({ length: MAX_ENDPOINTS }, newId)
  const target = endpointId ?? null
  // `for key share` makes this wait for an endpoint that is being removed and then pass it over,
  // instead of failing the payment on its foreign key. Nor does an endpoint too many, put there by hand,
  // fail it: its delivery gets a random id.
  await tx.execute(sql`
    with event as (
      insert into events (id, company_id, type, body, created_at)
      values (${eventId}, ${companyId}, ${type}, ${body}, ${timestamp})
    ),
    endpoint as (
      select id, disabled_at from webhook_endpoints
      where company_id = ${companyId}
        and case when ${target}::uuid is null then ${type} = any(events) else id = ${target} end
      for key share
    ),
    delivery as (
      insert into webhook_deliveries (id, event_id, endpoint_id, due_at, created_at)
      select coalesce((${sql.param(deliveryIds)}::uuid[])[row_number() over ()], gen_random_uuid()),
        ${eventId}::uuid, id, ${timestamp}::timestamptz, ${timestamp}::timestamptz
      from endpoint
    )
    select pg_notify('delivery_due', '') where exists (select from endpoint where disabled_at is null)`)
  return { eventId }
}
