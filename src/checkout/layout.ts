// The parts that all pages of a company's checkout share: its name, its colours, and the link.

import type { FastifyReply } from 'fastify'
import { buildBrandStyle } from '../companies/brand-color.ts'
import type { Company } from '../companies/company.ts'
import { formatBrl, formatTaxId } from '../format.ts'
import type { GetAssetUrl } from '../http/assets.ts'
import { buildContentPolicy, type PolicyParts, sendPage, type Views } from '../http/html.ts'
import type { LinkRow, LinkWithCompany } from '../payment-links/payment-link.ts'
import { linkImageUrl, linkUrl } from '../payment-links/serialize.ts'
import { buildLanguageHeaders } from './language.ts'
import type { CheckoutNeeds } from './needs.ts'
import { linkPath } from './paths.ts'
import { LANGUAGES } from './texts/languages.ts'
import type { CheckoutTexts } from './texts/pt.ts'

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

export type MerchantView = ReturnType<typeof toMerchant>

export function toMerchant(company: Company) {
  const { name, taxId, color } = company
  return {
    name,
    /** The name inside a sentence, isolated if it is read from right to left. */
    nameInText: isolateRightToLeft(name),
    /** Shown without a logo. */
    initials: getInitials(name),
    taxId: taxId && formatTaxId(taxId),
    logoUrl: company.logoUrl,
    /** The text of the page's only <style>; the security policy has its hash. */
    brandStyle: color && buildBrandStyle(color),
    supportEmail: company.supportEmail,
    supportPhone: company.supportPhone,
  }
}

type LayoutOptions = {
  asset: GetAssetUrl
  t: CheckoutTexts
  /** The page's own address. */
  address: string
  testMode: boolean
  /** The address of "Denunciar este link"; null on pages without a link. */
  reportUrl: string | null
}

export function buildCheckoutLayout(company: Company, { address, ...options }: LayoutOptions) {
  const languages = listLanguageOptions(options.t, address)
  return { ...options, languages, merchant: toMerchant(company) }
}

export type LinkSummary = ReturnType<typeof toLinkSummary>

export function toLinkSummary(
  { checkoutUrl }: CheckoutNeeds,
  link: LinkRow,
  { locale }: CheckoutTexts,
) {
  return {
    title: link.title,
    amount: formatBrl(link.amountCents, locale),
    url: linkUrl(checkoutUrl, link.slug),
    imageUrl: linkImageUrl(checkoutUrl, link),
  }
}

/** Builds what the small pages of a link share; their form is posted to their own address. */
export function buildLinkPage(
  needs: CheckoutNeeds,
  { link, company }: LinkWithCompany,
  { t, address }: Pick<LayoutOptions, 't' | 'address'>,
) {
  const { asset } = needs
  const { testMode } = company
  return {
    ...buildCheckoutLayout(company, { asset, t, address, testMode, reportUrl: null }),
    link: toLinkSummary(needs, link, t),
    action: address,
    backUrl: linkPath(needs, link.slug),
  }
}

type TranslatedViews = {
  [Name in keyof Views]: Views[Name] extends { t: CheckoutTexts } ? Name : never
}

/** Sends a page in the language of its texts, with a security policy for its colour and pictures. */
export function sendCheckoutPage<Name extends TranslatedViews[keyof Views]>(
  reply: FastifyReply,
  name: Name,
  model: Views[Name] & CheckoutModel,
  policy: Pick<PolicyParts, 'frames' | 'framed' | 'origins'> = {},
) {
  const { t, merchant, link } = model
  const style = merchant?.brandStyle ?? null
  const pictures = [merchant?.logoUrl, link?.imageUrl]
  reply.headers({
    ...buildLanguageHeaders(t),
    'content-security-policy': buildContentPolicy({ style, pictures, ...policy }),
  })
  return sendPage(reply, name, model)
}

type CheckoutModel = {
  t: CheckoutTexts
  merchant?: Pick<MerchantView, 'logoUrl' | 'brandStyle'> | null
  link?: Pick<LinkSummary, 'imageUrl'>
}

/** Lists the same page in each of our languages; `address` is the page's own, if the page is shown by a GET. */
export function listLanguageOptions({ locale: chosen }: CheckoutTexts, address: string) {
  const query = address.includes('?') ? '&' : '?'
  return LANGUAGES.map(({ locale, ...names }) => {
    return { ...names, href: `${address}${query}lang=${locale}`, isChosen: locale === chosen }
  })
}

/** Isolates right-to-left names, which would move the text around them (FSI and PDI of Unicode). */
function isolateRightToLeft(name: string) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name
}

/** Returns `EV` for `Escola Vila`, shown without a logo. */
function getInitials(name: string) {
  const words = name
    .split(/\s+/)
    .filter((word) => /^[\p{L}\d]/u.test(word) && !/^d[aeo]s?$/i.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('')
}
