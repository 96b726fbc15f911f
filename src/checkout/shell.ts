// What all pages of one company's checkout share: who is paid, in which colours.

import { textOn } from '../companies/brand-color.ts'
import type { Company } from '../companies/company.ts'
import { formatTaxId } from '../format.ts'
import type { Asset } from '../http/html.ts'
import type { Merchant } from './view-models.ts'

export function merchantOf({ name, taxId, logoUrl, color, ...company }: Company): Merchant {
  return {
    name,
    initials: initialsOf(name),
    taxId: taxId && formatTaxId(taxId),
    logoUrl,
    brandStyle: color && brandStyle(color),
    supportEmail: company.supportEmail,
    supportPhone: company.supportPhone,
  }
}

export function shellOf(company: Company, { asset, testMode, reportUrl }: Shared) {
  return { asset, testMode, reportUrl, merchant: merchantOf(company) }
}

type Shared = { asset: Asset; testMode: boolean; reportUrl: string | null }

/** `EV` for `Escola Vila`: where there is no logo. */
function initialsOf(name: string) {
  const words = name
    .split(/\s+/)
    .filter((word) => /^[\p{L}\d]/u.test(word) && !/^d[aeo]s?$/i.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join('')
}

/** @param color `#rrggbb` */
function brandStyle(color: string) {
  return `:root{--brand:${color};--on-brand:${textOn(color)}}`
}
