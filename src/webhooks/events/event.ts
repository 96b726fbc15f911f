// The outbox. An event and its deliveries are written in the transaction that made the event true:
// a committed payment always has its webhooks, one that was rolled back never does.
import type { Transaction } from '../../database/connect.ts'
import type { EventType } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { runNamedStatement } from '../../database/statement.ts'
import { sanitizeJsonValue } from '../../http/text.ts'
import { MAX_ENDPOINTS } from '../endpoints/endpoint.ts'
import { newEventId } from '../event-id.ts'

export type NewEvent = {
  /** One that nobody has yet, made at about `now`; a new one unless told. */
  id?: string
  companyId: string
  type: EventType
  testMode: boolean
  /** What happened, as the receiver reads it. No whole tax id and no card number. */
  data: Record<string, unknown>
  now: Date
  /** Only to this endpoint, whatever it subscribes to. */
  endpointId?: string
}

/**
 * Writes the event, one delivery for each of the company's endpoints that subscribes to it, where a
 * disabled one's waits, and wakes the workers and whoever follows the company on commit: one round trip
 * in all.
 */
export async function recordEvent(
  tx: Transaction,
  { id, companyId, type, testMode, data, now, endpointId }: NewEvent,
) {
  const eventId = id ?? newEventId(now)
  const timestamp = now.toISOString()
  const body = JSON.stringify({ id: eventId, type, timestamp, testMode, data }, sanitizeJsonValue)
  const deliveryIds = Array.from({ length: MAX_ENDPOINTS }, newId)
  const values = [eventId, companyId, type, body, timestamp, endpointId ?? null, deliveryIds]
  await runNamedStatement(tx, 'record_event', RECORD_EVENT_SQL, values)
  return { eventId }
}

// `for key share` makes this wait for an endpoint that is being removed and then pass it over,
// instead of failing the payment on its foreign key. Nor does an endpoint too many, put there by hand,
// fail it: its delivery gets a random id.
const RECORD_EVENT_SQL = `
with event as (
  insert into events (id, company_id, type, body, created_at) values ($1, $2, $3, $4, $5)
),
endpoint as (
  select id, disabled_at from webhook_endpoints
  where company_id = $2 and case when $6::uuid is null then $3 = any(events) else id = $6 end
  for key share
),
delivery as (
  insert into webhook_deliveries (id, event_id, endpoint_id, due_at, created_at)
  select coalesce(($7::uuid[])[row_number() over ()], gen_random_uuid()), $1, id, $5, $5 from endpoint
)
select pg_notify('event_recorded', $2::text),
  case when exists (select from endpoint where disabled_at is null) then pg_notify('delivery_due', '') end`
