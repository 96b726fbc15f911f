// What a company is told of a link's life.
import type { Company } from '../companies/company.ts'
import type { Transaction } from '../database/connect.ts'
import type { EventType } from '../database/words.ts'
import type { Providers } from '../providers/provider.ts'
import { recordEvent } from '../webhooks/event.ts'
import type { LinkRow } from './payment-link.ts'
import { linkEventData } from './wire.ts'

type LinkEvent = Extract<EventType, `payment_link.${string}`>

export async function tellOfLink(
  tx: Transaction,
  { link, type, testMode, now }: { link: LinkRow; type: LinkEvent; testMode: boolean; now: Date },
) {
  const data = { paymentLink: linkEventData(link) }
  await recordEvent(tx, { companyId: link.companyId, type, testMode, data, now })
}

/** Whether nothing that is paid to this company is real. */
export function isTestMode(
  providers: Providers,
  { pixProvider, cardProvider }: Pick<Company, 'pixProvider' | 'cardProvider'>,
) {
  return [pixProvider, cardProvider].some((name) => providers[name].capabilities.testMode)
}
