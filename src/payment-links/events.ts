// The events of a link's life.
import type { Transaction } from '../database/connect.ts'
import type { EventType } from '../database/enums.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { completeLink, type LinkRow } from './payment-link.ts'
import { toLinkEventData } from './serialize.ts'

type LinkEventType = Extract<EventType, `payment_link.${string}`>

type NewLinkEvent = { link: LinkRow; type: LinkEventType; testMode: boolean; now: Date }

export async function emitLinkEvent(tx: Transaction, { link, type, testMode, now }: NewLinkEvent) {
  const data = { paymentLink: toLinkEventData(link) }
  await recordEvent(tx, { companyId: link.companyId, type, testMode, data, now })
}

export async function completeSoldOutLink(
  tx: Transaction,
  linkId: string,
  { testMode, now }: { testMode: boolean; now: Date },
) {
  const completed = await completeLink(tx, linkId, now)
  if (completed.kind !== 'completed') return
  const { link } = completed
  await emitLinkEvent(tx, { link, type: 'payment_link.completed', testMode, now })
}
