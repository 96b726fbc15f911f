// Sends sample events to one endpoint of the test environment, also of types that it does not subscribe to.
import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import type { EventType } from '../../database/enums.ts'
import { AppError, conflictError } from '../../http/errors.ts'
import { findEndpoint } from '../endpoints/endpoint.ts'
import { recordEvent } from '../events/event.ts'
import { findEvent } from '../events/log.ts'
import { webhookTexts } from '../texts.ts'

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
