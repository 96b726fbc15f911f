// How the checkout will look in a colour, in both colour schemes, and how well it can be read.
import { toMerchant } from '../../checkout/layout.ts'
import { buildShades, computeContrast, DEFAULT_COLOR } from '../../companies/brand-color.ts'
import type { Company } from '../../companies/company.ts'
import { formatBrl } from '../../format.ts'

/** What WCAG 2 asks of text. */
const MIN_CONTRAST = 4.5
const EXAMPLE_CENTS = 19_900
const SCHEMES = ['light', 'dark'] as const

const COLOR_INPUT = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i
const ratioFormat = new Intl.NumberFormat('pt-BR', {
  ...{ minimumFractionDigits: 1, maximumFractionDigits: 1, roundingMode: 'floor' },
})

/** `#0F6B50`, `0f6b50` or `#0A7` → `#rrggbb` */
export function parseColor(typed: string) {
  const digits = typed.trim().match(COLOR_INPUT)?.[1]?.toLowerCase()
  if (!digits) return undefined
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

export function buildBrandPreview(company: Company, color: string | null) {
  const base = color ?? DEFAULT_COLOR
  const shades = buildShades(base)
  const { name, initials, logoUrl } = toMerchant(company)
  const white = shades.light.text === '#fff'
  return {
    merchant: { name, initials, logoUrl },
    amount: formatBrl(EXAMPLE_CENTS),
    color: base,
    isOwn: color === null,
    views: SCHEMES.map((scheme) => ({ scheme, ...shades[scheme] })),
    button: { white, ratio: formatContrast(computeContrast(base, white ? '#ffffff' : '#000000')) },
    grounds: SCHEMES.map((scheme) => {
      const { surface, accent } = shades[scheme]
      const plain = computeContrast(base, surface)
      return {
        scheme,
        ratio: formatContrast(plain),
        isLow: plain < MIN_CONTRAST,
        /** What the page uses instead. */
        shade:
          accent === base
            ? null
            : { color: accent, ratio: formatContrast(computeContrast(accent, surface)) },
      }
    }),
  }
}

/** `4,5:1`; rounded down, so that no ratio reads as enough that is not. */
function formatContrast(value: number) {
  return `${ratioFormat.format(value)}:1`
}
