// How the checkout will look in a colour, in both colour schemes, and how well it can be read.
import { merchantOf } from '../../checkout/shell.ts'
import { contrast, OWN_COLOR, shadesOf } from '../../companies/brand-color.ts'
import type { Company } from '../../companies/company.ts'
import { formatBrl } from '../../format.ts'

/** What WCAG 2 asks of text. */
const READABLE = 4.5
const EXAMPLE_CENTS = 19_900
const SCHEMES = ['light', 'dark'] as const

const HEX = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i
const ratio = new Intl.NumberFormat('pt-BR', {
  ...{ minimumFractionDigits: 1, maximumFractionDigits: 1, roundingMode: 'floor' },
})

/** `#0F6B50`, `0f6b50` or `#0A7` → `#rrggbb` */
export function parseColor(typed: string) {
  const digits = typed.trim().match(HEX)?.[1]?.toLowerCase()
  if (!digits) return undefined
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

export function brandPreview(company: Company, color: string | null) {
  const base = color ?? OWN_COLOR
  const shades = shadesOf(base)
  const { name, initials, logoUrl } = merchantOf(company)
  const white = shades.light.text === '#fff'
  return {
    merchant: { name, initials, logoUrl },
    amount: formatBrl(EXAMPLE_CENTS),
    color: base,
    isOwn: color === null,
    views: SCHEMES.map((scheme) => ({ scheme, ...shades[scheme] })),
    button: { white, ratio: shown(contrast(base, white ? '#ffffff' : '#000000')) },
    grounds: SCHEMES.map((scheme) => {
      const { surface, accent } = shades[scheme]
      const plain = contrast(base, surface)
      return {
        scheme,
        ratio: shown(plain),
        isLow: plain < READABLE,
        /** What the page uses instead. */
        shade: accent === base ? null : { color: accent, ratio: shown(contrast(accent, surface)) },
      }
    }),
  }
}

/** `4,5:1`; rounded down, so that no ratio reads as enough that is not. */
function shown(value: number) {
  return `${ratio.format(value)}:1`
}
