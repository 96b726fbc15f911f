// What all pages of one company's checkout share: who is paid, in which colours.

import type { Company } from '../companies/company.ts'
import { formatTaxId } from '../format.ts'
import type { Asset } from '../http/pages.ts'
import type { Merchant } from './pages.ts'

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

/** @param color `#rrggbb`; the text on it is black or white, whichever contrasts more (WCAG 2). */
function brandStyle(color: string) {
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16)))
  const luminance = 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  const onBrand = 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000'
  return `:root{--brand:${color};--on-brand:${onBrand}}`
}

/** One channel of sRGB, 0–255, as linear light. */
function linear(channel: number) {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
