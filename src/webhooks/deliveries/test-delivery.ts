// Sends a sample to one endpoint while somebody waits for what the receiver answers.

import type { EventType } from '../../database/enums.ts'
import { AppError } from '../../http/errors.ts'
import { findEndpoint } from '../endpoints/endpoint.ts'
import { recordEvent } from '../events/event.ts'
import { sampleData } from '../events/sample.ts'
import { webhookTexts } from '../texts.ts'
import { claimRecorded } from './claim.ts'
import { type DeliveryNeeds, deliver } from './delivery.ts'

type Test = { companyId: string; endpointId: string; type: EventType; checkoutUrl: string }

/**
 * Answers the id of the delivery once its first attempt has ended, well or not; it goes on like any
 * other. Throws 404, or 409 where the endpoint is disabled.
 */
export async function deliverTestEvent(
  needs: DeliveryNeeds,
  { companyId, endpointId, type, checkoutUrl }: Test,
  clock: () => Date,
) {
  await findEndpoint(needs.db, companyId, endpointId)
  const now = clock()
  const data = sampleData(type, { checkoutUrl, now })
  const event = { companyId, type, testMode: true, data, now, endpointId }
  const claimed = await needs.db.transaction(async (tx) => {
    const { eventId } = await recordEvent(tx, event)
    const delivery = await claimRecorded(tx, eventId, now)
    // Thrown inside, so that no event stays behind that went nowhere.
    if (!delivery) throw new AppError(409, 'endpoint_disabled', webhookTexts.endpointDisabled)
    return delivery
  })
  await deliver(needs, claimed, clock)
  return claimed.id
}
