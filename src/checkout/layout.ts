// The parts that all pages of a company's checkout share: its name, its colours, and the link.

import { buildBrandStyle } from '../companies/brand-color.ts'
import type { Company } from '../companies/company.ts'
import { formatBrl, formatTaxId } from '../format.ts'
import type { GetAssetUrl } from '../http/assets.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { linkImageUrl, linkUrl } from '../payment-links/serialize.ts'
import type { CheckoutViewNeeds } from './needs.ts'
import { LANGUAGES } from './texts/languages.ts'
import type { CheckoutTexts } from './texts/pt.ts'
import type { LinkSummary, MerchantView } from './view-models.ts'

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

const merchants = new WeakMap<Company, MerchantView>()

/** Computed once for each read of the company. */
export function toMerchant(company: Company): MerchantView {
  const merchant = merchants.get(company) ?? buildMerchant(company)
  merchants.set(company, merchant)
  return merchant
}

function buildMerchant(company: Company): MerchantView {
  const { name, taxId, color } = company
  return {
    name,
    nameInText: isolateRightToLeft(name),
    initials: getInitials(name),
    taxId: taxId && formatTaxId(taxId),
    logoUrl: company.logoUrl,
    brandStyle: color && buildBrandStyle(color),
    supportEmail: company.supportEmail,
    supportPhone: company.supportPhone,
  }
}

export function buildCheckoutLayout(company: Company, { address, ...options }: LayoutOptions) {
  const languages = listLanguageOptions(options.t, address)
  return { ...options, languages, merchant: toMerchant(company) }
}

export function toLinkSummary(
  { checkoutUrl }: CheckoutViewNeeds,
  link: LinkRow,
  { locale }: CheckoutTexts,
): LinkSummary {
  return {
    title: link.title,
    amount: formatBrl(link.amountCents, locale),
    url: linkUrl(checkoutUrl, link.slug),
    imageUrl: linkImageUrl(checkoutUrl, link),
  }
}

/** Lists the pictures of the company and the link on a page. */
export function listPictures({ merchant, link }: PicturedPage) {
  return [merchant?.logoUrl, link?.imageUrl]
}

type PicturedPage = {
  merchant: Pick<MerchantView, 'logoUrl'> | null
  link?: Pick<LinkSummary, 'imageUrl'> | null
}

/** Lists the same page in each of our languages; `address` is the page's own, if the page is shown by a GET. */
export function listLanguageOptions({ locale: chosen }: CheckoutTexts, address: string) {
  const query = address.includes('?') ? '&' : '?'
  return LANGUAGES.map(({ locale, ...names }) => {
    return { ...names, href: `${address}${query}lang=${locale}`, isChosen: locale === chosen }
  })
}

type LayoutOptions = {
  asset: GetAssetUrl
  t: CheckoutTexts
  address: string
  testMode: boolean
  reportUrl: string | null
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
