// The events of a link's life.
import type { Transaction } from '../database/connect.ts'
import type { EventType } from '../database/enums.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import type { LinkRow } from './payment-link.ts'
import { toLinkEventData } from './serialize.ts'

type LinkEventType = Extract<EventType, `payment_link.${string}`>

export async function emitLinkEvent(
  tx: Transaction,
  {
    link,
    type,
    testMode,
    now,
  }: { link: LinkRow; type: LinkEventType; testMode: boolean; now: Date },
) {
  const data = { paymentLink: toLinkEventData(link) }
  await recordEvent(tx, { companyId: link.companyId, type, testMode, data, now })
}
