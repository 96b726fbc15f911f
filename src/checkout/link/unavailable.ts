// The page of a link that cannot be paid: the reason, and what to do.

import { maskCardNumbers } from '../../card-numbers.ts'
import { listOfferedMethods } from '../../companies/company.ts'
import type { GetAssetUrl } from '../../http/assets.ts'
import { getLinkStatus, type LinkWithCompany } from '../../payment-links/payment-link.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { buildContact } from '../contact.ts'
import { listLanguageOptions, type MerchantView, toMerchant } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { linkPath, receiptRequestPath } from '../paths.ts'
import { getCardPauseSeconds } from '../payment/card-pause.ts'
import { getSoldOutReason, type SoldOutReason } from '../payment-state.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import { sendsReceipts } from './receipt-request.ts'

/** A link with only cards cannot be paid while they are paused. */
export function isPayable({ link, company }: LinkWithCompany, now: Date) {
  const offered = listOfferedMethods(company, link.methods)
  const open =
    offered.length > 0 && (offered.includes('pix') || getCardPauseSeconds(link, now) === 0)
  return open && getLinkStatus(link, now) === 'active'
}

export function buildUnknownLinkViewModel(
  needs: CheckoutNeeds,
  { slug, t }: { slug: string; t: CheckoutTexts },
) {
  return {
    ...BASE_VIEW_MODEL,
    ...{ asset: needs.asset, t },
    languages: listLanguageOptions(t, linkPath(needs, maskCardNumbers(slug))),
  }
}

export function buildUnpayableViewModel(
  needs: CheckoutNeeds,
  found: LinkWithCompany,
  { now, t }: { now: Date; t: CheckoutTexts },
): UnpayablePage {
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
    return { ...page, reason: 'method_unavailable', againUrl }
  }
  const retryAfterSeconds = getCardPauseSeconds(link, now)
  return { ...page, reason: 'cards_paused', retryAfterSeconds, againUrl }
}

export type UnpayablePage = UnpayableParts & {
  asset: GetAssetUrl
  t: CheckoutTexts
  languages: ReturnType<typeof listLanguageOptions>
}

type UnpayableParts = {
  merchant: MerchantView | null
  testMode: boolean
  reportUrl: null
  reason: 'unknown' | 'inactive' | 'expired' | SoldOutReason | 'cards_paused' | 'method_unavailable'
  title: string | null
  /** The company's own text for this page. */
  message: string | null
  /** For a link that can be paid again after this time. */
  retryAfterSeconds: number | null
  /** The contact by which the payer can inform the company, with the link in the message. */
  contact: ReturnType<typeof buildContact>
  /** The link itself, if it may be payable again soon. */
  againUrl: string | null
  /** Where payers ask for their receipt again; null when no e-mail is sent. */
  receiptUrl: string | null
}

const BASE_VIEW_MODEL: UnpayableParts = {
  merchant: null,
  testMode: false,
  reportUrl: null,
  reason: 'unknown',
  title: null,
  message: null,
  retryAfterSeconds: null,
  contact: null,
  againUrl: null,
  receiptUrl: null,
}
