// How a link looks to a company: in the API's answers and in webhooks.
import { type LinkRow, statusOf } from './payment-link.ts'
import type { PaymentLink } from './schema.ts'

export function toWire(row: LinkRow, checkoutUrl: string, now: Date): PaymentLink {
  const { companyId: _, expiryToldFor: __, description, ...rest } = row
  return {
    ...rest,
    url: linkUrl(checkoutUrl, row.slug),
    ...(description !== null && { description }),
    priceMode: 'fixed',
    status: statusOf(row, now),
    threeDsMode: 'always',
  }
}

export function linkUrl(checkoutUrl: string, slug: string) {
  return `${checkoutUrl}/${slug}`
}

/** What a webhook carries about a link. */
export function linkEventData(row: LinkRow) {
  const { id, slug, title, amountCents, tags, externalReference, metadata } = row
  return { id, slug, title, amountCents, tags, externalReference, metadata }
}
