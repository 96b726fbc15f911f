// How a link looks to a company: in the API's answers and in webhooks.
import { getLinkStatus, type LinkRow } from './payment-link.ts'
import type { PaymentLink } from './schema.ts'

type LinkContext = { checkoutUrl: string; testMode: boolean; now: Date }

export function serializePaymentLink(
  row: LinkRow,
  { checkoutUrl, testMode, now }: LinkContext,
): PaymentLink {
  const { companyId: _, expiryToldFor: __, description, ...rest } = row
  return {
    ...rest,
    url: linkUrl(checkoutUrl, row.slug),
    ...(description !== null && { description }),
    priceMode: 'fixed',
    status: getLinkStatus(row, now),
    threeDsMode: 'always',
    testMode,
  }
}

export function linkUrl(checkoutUrl: string, slug: string) {
  return `${checkoutUrl}/${slug}`
}

/** What a webhook carries about a link. */
export function toLinkEventData(row: LinkRow) {
  const { id, slug, title, amountCents, tags, externalReference, metadata } = row
  return { id, slug, title, amountCents, tags, externalReference, metadata }
}
