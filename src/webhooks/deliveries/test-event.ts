// Samples sent to one endpoint, whatever it subscribes to.
import type { Database } from '../../database/connect.ts'
import type { EventType } from '../../database/enums.ts'
import { AppError } from '../../http/errors.ts'
import { findEndpoint } from '../endpoints/endpoint.ts'
import { recordEvent } from '../events/event.ts'
import { findEvent } from '../events/log.ts'
import { buildSampleData } from '../events/sample.ts'
import { webhookTexts } from '../texts.ts'
import { claimRecordedDelivery } from './claim.ts'
import { attemptDelivery, type DeliveryNeeds } from './delivery.ts'

type TestEventInput = {
  companyId: string
  endpointId: string
  /** Of the request: sent again, it finds the event that it made. */
  id: string
  type: EventType
  checkoutUrl: string
  now: Date
}

/** Sends a sample in the background. Throws 404, or 409 where the endpoint is disabled. */
export async function sendTestEvent(db: Database, { endpointId, id, ...event }: TestEventInput) {
  const { companyId, type, now } = event
  const { disabledAt } = await findEndpoint(db, companyId, endpointId)
  if (await findEvent(db, companyId, id)) return
  if (disabledAt) throw new AppError(409, 'endpoint_disabled', webhookTexts.endpointDisabled)
  const data = buildSampleData(type, event)
  await db.transaction((tx) =>
    recordEvent(tx, { id, companyId, type, testMode: true, data, now, endpointId }),
  )
}

type TestDeliveryInput = {
  companyId: string
  endpointId: string
  type: EventType
  checkoutUrl: string
}

/**
 * Sends a sample while somebody waits: answers the id of the delivery once its first attempt has ended, well or not; it goes on like any
 * other. Throws 404, or 409 where the endpoint is disabled.
 */
export async function deliverTestEvent(
  needs: DeliveryNeeds,
  { companyId, endpointId, type, checkoutUrl }: TestDeliveryInput,
  clock: () => Date,
) {
  await findEndpoint(needs.db, companyId, endpointId)
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
