// Samples sent to one endpoint of the test environment, whatever it subscribes to.
import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import type { EventType } from '../../database/enums.ts'
import { AppError, conflictError } from '../../http/errors.ts'
import { findEndpoint } from '../endpoints/endpoint.ts'
import { recordEvent } from '../events/event.ts'
import { findEvent } from '../events/log.ts'
import { buildSampleData } from '../events/sample.ts'
import { webhookTexts } from '../texts.ts'
import { claimRecordedDelivery } from './claim.ts'
import { attemptDelivery, type DeliveryNeeds } from './delivery.ts'

type TestEventInput = {
  company: Company
  endpointId: string
  /** Of the request: sent again, it finds the event that it made. */
  id: string
  type: EventType
  checkoutUrl: string
  now: Date
}

/** Sends a sample in the background. Throws 404, or 409 where the endpoint is real or disabled. */
export async function sendTestEvent(db: Database, { endpointId, id, ...event }: TestEventInput) {
  const { company, type, now } = event
  const companyId = company.id
  const { disabledAt } = await findEndpoint(db, companyId, endpointId)
  requireTestEnvironment(company)
  if (await findEvent(db, companyId, id)) return
  if (disabledAt) throw new AppError(409, 'endpoint_disabled', webhookTexts.endpointDisabled)
  const data = buildSampleData(type, event)
  await db.transaction((tx) =>
    recordEvent(tx, { id, companyId, type, testMode: true, data, now, endpointId }),
  )
}

type TestDeliveryInput = {
  company: Company
  endpointId: string
  type: EventType
  checkoutUrl: string
}

/**
 * Sends a sample while somebody waits: answers the id of the delivery once its first attempt has ended,
 * well or not; it goes on like any other. Throws 404, or 409 where the endpoint is real or disabled.
 */
export async function deliverTestEvent(
  needs: DeliveryNeeds,
  { company, endpointId, type, checkoutUrl }: TestDeliveryInput,
  clock: () => Date,
) {
  const companyId = company.id
  await findEndpoint(needs.db, companyId, endpointId)
  requireTestEnvironment(company)
  const now = clock()
  const data = buildSampleData(type, { checkoutUrl, now })
  const event = { companyId, type, testMode: true, data, now, endpointId }
  const claimed = await needs.db.transaction(async (tx) => {
    const { eventId } = await recordEvent(tx, event)
    const claim = await claimRecordedDelivery(tx, eventId, now)
    // Thrown inside, so that no event stays behind that went nowhere.
    if (claim.kind === 'undelivered') {
      throw new AppError(409, 'endpoint_disabled', webhookTexts.endpointDisabled)
    }
    return claim.delivery
  })
  await attemptDelivery(needs, claimed, clock)
  return claimed.id
}

/** A receiver of real events never hears of a payment that nobody made. */
function requireTestEnvironment({ testMode }: Company) {
  if (!testMode) throw conflictError('test_environment_only', webhookTexts.testEnvironmentOnly)
}
