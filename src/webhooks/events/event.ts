// The outbox: an event and its deliveries are written in the transaction that makes the event true. A committed payment
// always has its webhooks, and one that was rolled back never does.

import { v7 } from 'uuid'
import type { Company } from '../../companies/company.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { AppError, conflictError } from '../../http/errors.ts'
import { sanitizeJsonValue } from '../../http/text.ts'
import { findEndpoint, MAX_ENDPOINTS } from '../endpoints/endpoint.ts'
import { webhookTexts } from '../texts.ts'
import { findEvent } from './log.ts'

export type NewEvent = {
  /** An unused id, created at about `now`; a new one by default. */
  id?: string
  companyId: string
  type: EventType
  testMode: boolean
  /** The event's data for its receiver, without full tax ids and card numbers. */
  data: Record<string, unknown>
  now: Date
  /** Sends the event only to this endpoint, even if it does not subscribe to it. */
  endpointId?: string
}

/**
 * Writes the event and one delivery for each endpoint that subscribes to it (those of disabled endpoints wait), and
 * wakes the workers at commit. This takes one statement.
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
  // `for key share` waits for an endpoint that is being removed and then skips it, so that the payment does not fail on
  // its foreign key. Endpoints above the limit, inserted by hand, do not fail either: their deliveries get random ids.
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

const SEQUENCE = 2n ** 32n

/**
 * Creates a UUIDv7 of the event's instant, so events between two instants are a range of the primary key. Of two that
 * this process creates for one instant the later one sorts later.
 */
export function newEventId(now: Date) {
  const seq = Number((process.hrtime.bigint() / 1_000n) % SEQUENCE)
  return v7({ msecs: now.getTime(), seq })
}

type TestEventInput = {
  company: Company
  endpointId: string
  /** The request's id: a repeated request finds the event that it created. */
  id?: string
  type: EventType
  data: Record<string, unknown>
  now: Date
}

/** Writes the event, which the workers send, and returns its id. Throws 404, or 409 for a live or disabled endpoint. */
export async function sendTestEvent(db: Database, { endpointId, id, ...event }: TestEventInput) {
  const { company, type, data, now } = event
  const companyId = company.id
  const { disabledAt } = await findEndpoint(db, companyId, endpointId)
  requireTestEnvironment(company)
  if (id && (await findEvent(db, companyId, id))) return id
  if (disabledAt) throw new AppError(409, 'endpoint_disabled', webhookTexts.endpointDisabled)
  const { eventId } = await db.transaction((tx) =>
    recordEvent(tx, { companyId, type, testMode: true, data, now, endpointId, ...(id && { id }) }),
  )
  return eventId
}

/** A receiver of live events must never get an invented payment. */
function requireTestEnvironment({ testMode }: Company) {
  if (!testMode) throw conflictError('test_environment_only', webhookTexts.testEnvironmentOnly)
}
