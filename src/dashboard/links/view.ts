// Links as the pages of the dashboard show them.

import type { Company } from '../../companies/company.ts'
import type { LinkStatus } from '../../database/enums.ts'
import { formatBrl } from '../../format.ts'
import { type LinkRow, statusOf } from '../../payment-links/payment-link.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import type { Sum } from '../../reports/revenue.ts'
import type { Approval } from '../../reports/summary.ts'
import type { Badge, Tone } from '../layout/badge.ts'
import { momentOf } from '../layout/page.ts'
import { LINKS, linkPath } from '../layout/paths.ts'
import { linkPageTexts } from './texts.ts'

const TONES: Record<LinkStatus, Tone> = {
  active: 'good',
  inactive: 'waiting',
  expired: 'neutral',
  completed: 'neutral',
  archived: 'neutral',
}

/** One row of the list. */
export function linkRow(link: LinkRow, now: Date) {
  const { id, title, slug, amountCents, createdAt } = link
  return {
    ...{ title, slug, href: linkPath(id) },
    amount: formatBrl(amountCents),
    methods: methodsText(link),
    status: badgeOf(link, now),
    tags: tagsOf(link),
    created: momentOf(createdAt),
  }
}

export function badgeOf(link: LinkRow, now: Date): Badge {
  const status = statusOf(link, now)
  return { tone: TONES[status], text: linkTexts.statuses[status] }
}

export function tagsOf({ tags }: LinkRow) {
  return tags.map((text) => ({ text, href: `${LINKS}?${new URLSearchParams({ tag: text })}` }))
}

/** `Pix ou cartão em até 12x` */
export function methodsText({ methods, maxInstallments }: LinkRow) {
  const words = linkPageTexts.methods
  if (!methods.includes('credit_card')) return words.pix
  return methods.includes('pix') ? words.both(maxInstallments) : words.card(maxInstallments)
}

/** Everything about one link. */
export function linkFacts(link: LinkRow) {
  const { expiresAt, maxPayments } = link
  return {
    ...{ title: link.title, slug: link.slug, description: link.description, id: link.id },
    href: linkPath(link.id),
    amount: formatBrl(link.amountCents),
    methods: methodsText(link),
    interest: link.maxInstallments > 1 ? linkTexts.interest[link.interestMode] : null,
    tags: tagsOf(link),
    created: momentOf(link.createdAt),
    updated: momentOf(link.updatedAt),
    expires: expiresAt ? momentOf(expiresAt) : null,
    uses: linkPageTexts.uses(maxPayments),
    redirectUrl: link.redirectUrl,
    externalReference: link.externalReference,
    inactiveMessage: link.inactiveMessage,
    metadata: Object.entries(link.metadata).map(([name, value]) => ({ name, value })),
  }
}

/** Its address, and the ways to send it to somebody. */
export function shareOf(
  { title, slug, amountCents }: LinkRow,
  company: Company,
  checkoutUrl: string,
) {
  const words = linkPageTexts.share
  const url = linkUrl(checkoutUrl, slug)
  const text = words.text(title, formatBrl(amountCents), url)
  const subject = words.subject(title, company.name)
  return {
    url,
    whatsapp: `https://wa.me/?text=${encodeURIComponent(text)}`,
    mail: `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`,
  }
}

export function earningsOf(sum: Sum, { rate, decided }: Approval) {
  return {
    net: formatBrl(sum.netCents),
    gross: formatBrl(sum.grossCents),
    refunded: sum.refundedCents > 0 ? formatBrl(sum.refundedCents) : null,
    count: sum.count,
    approval: rate === null ? null : `${Math.round(rate * 100)}%`,
    decided: linkPageTexts.attempts(decided),
  }
}
