// Serializes a link for the API's answers and for webhooks.
import { buildRecord } from '../record.ts'
import { getLinkStatus, type LinkRow } from './payment-link.ts'
import { EVENT_TEXT_NAMES, type EventTextName, pickPlainTexts } from './plain-texts.ts'
import type { PaymentLink } from './schema.ts'

export type LinkContext = { checkoutUrl: string; testMode: boolean; now: Date }

export function serializePaymentLink(
  row: LinkRow,
  { checkoutUrl, testMode, now }: LinkContext,
): PaymentLink {
  return {
    id: row.id,
    slug: row.slug,
    url: linkUrl(checkoutUrl, row.slug),
    title: row.title,
    ...pickPlainTexts(row),
    description: row.description ?? undefined,
    priceMode: 'fixed',
    amountCents: row.amountCents,
    methods: row.methods,
    maxInstallments: row.maxInstallments,
    interestMode: row.interestMode,
    interestFreeInstallments: row.interestFreeInstallments,
    pixDiscountBps: row.pixDiscountBps,
    status: getLinkStatus(row, now),
    threeDsMode: 'always',
    testMode,
    tags: row.tags,
    linkedCustomerId: row.linkedCustomerId,
    expiresAt: row.expiresAt,
    maxPayments: row.maxPayments,
    remindEveryDays: row.remindEveryDays,
    metadata: row.metadata,
    customFields: row.customFields ?? [],
    imageUrl: linkImageUrl(checkoutUrl, row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

export function linkUrl(checkoutUrl: string, slug: string) {
  return `${checkoutUrl}/${slug}`
}

/** The public address of the image, which contains its hash. */
export function linkImageUrl(checkoutUrl: string, { slug, imageHash }: LinkRow) {
  return imageHash && `${linkUrl(checkoutUrl, slug)}/image/${imageHash}.webp`
}

type EventFields = 'id' | 'slug' | 'title' | 'amountCents' | 'tags' | 'metadata' | EventTextName

/** The link in a webhook. */
export function toLinkEventData(link: Pick<LinkRow, EventFields>) {
  const { id, slug, title, amountCents, tags, metadata } = link
  const eventTexts = buildRecord(EVENT_TEXT_NAMES, (name) => link[name])
  return { id, slug, title, amountCents, tags, ...eventTexts, metadata }
}
