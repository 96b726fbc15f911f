// What all pages of one company's checkout share: who is paid, in which colours, and for what.

import { buildBrandStyle } from '../companies/brand-color.ts'
import type { Company } from '../companies/company.ts'
import { formatBrl, formatTaxId } from '../format.ts'
import type { GetAssetUrl } from '../http/assets/serve.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { linkImageUrl, linkUrl } from '../payment-links/serialize.ts'
import type { CheckoutViewNeeds } from './needs.ts'
import type { LinkSummary, MerchantView } from './view-models.ts'

export function toMerchant(company: Company): MerchantView {
  const { name, taxId, color } = company
  return {
    name,
    initials: getInitials(name),
    taxId: taxId && formatTaxId(taxId),
    logo: toLogo(company),
    brandStyle: color && buildBrandStyle(color),
    supportEmail: company.supportEmail,
    supportPhone: company.supportPhone,
  }
}

/** It stands alone where it is wide in both schemes: then it says the name itself. */
function toLogo({ logoUrl, logoWide, logoOpaque, logoDarkUrl, logoDarkWide }: Company) {
  if (!logoUrl) return null
  const isWide = logoWide && (logoDarkUrl === null || logoDarkWide)
  return { url: logoUrl, darkUrl: logoDarkUrl, isWide, hasGround: logoOpaque }
}

export function buildCheckoutLayout(
  company: Company,
  { asset, testMode, reportUrl }: LayoutOptions,
) {
  return { asset, testMode, reportUrl, merchant: toMerchant(company) }
}

export function toLinkSummary({ checkoutUrl }: CheckoutViewNeeds, link: LinkRow): LinkSummary {
  return {
    title: link.title,
    description: link.description,
    amount: formatBrl(link.amountCents),
    url: linkUrl(checkoutUrl, link.slug),
    imageUrl: linkImageUrl(checkoutUrl, link),
  }
}

type LayoutOptions = { asset: GetAssetUrl; testMode: boolean; reportUrl: string | null }

/** `EV` for `Escola Vila`: where there is no logo. */
function getInitials(name: string) {
  const words = name
    .split(/\s+/)
    .filter((word) => /^[\p{L}\d]/u.test(word) && !/^d[aeo]s?$/i.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('')
}
