// The page of a link that cannot be paid: the reason, and what to do.

import { maskCardNumbers } from '../../card-numbers.ts'
import { listOfferedMethods } from '../../companies/company.ts'
import { getLinkStatus, type LinkWithCompany } from '../../payment-links/payment-link.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { buildContact } from '../contact.ts'
import { listLanguageOptions, toMerchant } from '../layout.ts'
import type { CheckoutViewNeeds } from '../needs.ts'
import { linkPath, receiptRequestPath } from '../paths.ts'
import { getCardPauseSeconds } from '../payment/card-pause.ts'
import { getSoldOutReason } from '../payment/state.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import type { UnpayableViewModel } from '../view-models.ts'
import { sendsReceipts } from './receipt-request.ts'

/** A link with only cards cannot be paid while they are paused. */
export function isPayable({ link, company }: LinkWithCompany, now: Date) {
  const offered = listOfferedMethods(company, link.methods)
  const open =
    offered.length > 0 && (offered.includes('pix') || getCardPauseSeconds(link, now) === 0)
  return open && getLinkStatus(link, now) === 'active'
}

export function buildUnknownLinkViewModel(
  needs: CheckoutViewNeeds,
  { slug, t }: { slug: string; t: CheckoutTexts },
): UnpayableViewModel {
  return {
    ...BASE_VIEW_MODEL,
    ...{ asset: needs.asset, t },
    languages: listLanguageOptions(t, linkPath(needs, maskCardNumbers(slug))),
    merchant: null,
    reason: 'unknown',
    message: null,
    title: null,
  }
}

export function buildUnpayableViewModel(
  needs: CheckoutViewNeeds,
  found: LinkWithCompany,
  { now, t }: { now: Date; t: CheckoutTexts },
): UnpayableViewModel {
  const { link, company } = found
  const againUrl = linkPath(needs, link.slug)
  const page = {
    ...BASE_VIEW_MODEL,
    ...{ asset: needs.asset, t },
    languages: listLanguageOptions(t, againUrl),
    testMode: company.testMode,
    merchant: toMerchant(company),
    title: link.title,
    receiptUrl: sendsReceipts(needs, found) ? receiptRequestPath(needs, link.slug) : null,
    contact: buildContact(company, {
      subject: t.unpayable.contactSubject(link.title),
      text: t.unpayable.contactText(link.title, linkUrl(needs.checkoutUrl, link.slug)),
    }),
  }
  const status = getLinkStatus(link, now)
  if (status !== 'active') {
    const ended = status === 'expired' ? status : 'inactive'
    const reason = status === 'completed' ? getSoldOutReason(link) : ended
    return { ...page, reason, message: link.inactiveMessage }
  }
  if (listOfferedMethods(company, link.methods).length === 0) {
    return { ...page, reason: 'method_unavailable', message: null, againUrl }
  }
  const retryAfterSeconds = getCardPauseSeconds(link, now)
  return { ...page, reason: 'cards_paused', message: null, retryAfterSeconds, againUrl }
}

const BASE_VIEW_MODEL = {
  testMode: false,
  reportUrl: null,
  retryAfterSeconds: null,
  contact: null,
  againUrl: null,
  receiptUrl: null,
} as const
