// A company's colour as typed, and its contrast with the backgrounds of the checkout.
import { buildShades, computeContrast, DEFAULT_COLOR } from '../../companies/brand-color.ts'

/** The contrast that WCAG 2 requires for text. */
const MIN_CONTRAST = 4.5
const SCHEMES = ['light', 'dark'] as const

const COLOR_INPUT = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i
const ratioFormat = new Intl.NumberFormat('pt-BR', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  roundingMode: 'floor',
})

/** Parses `#0F6B50`, `0f6b50` or `#0A7` to `#rrggbb`. */
export function parseColor(typed: string) {
  const digits = typed.trim().match(COLOR_INPUT)?.[1]?.toLowerCase()
  if (!digits) return undefined
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

/** @param color `#rrggbb`; null means our own */
export function measureContrasts(color: string | null) {
  const base = color ?? DEFAULT_COLOR
  const shades = buildShades(base)
  const white = shades.light.text === '#fff'
  return {
    color: base,
    isOwn: color === null,
    button: { white, ratio: formatContrast(computeContrast(base, white ? '#ffffff' : '#000000')) },
    grounds: SCHEMES.map((scheme) => {
      const { surface, accent } = shades[scheme]
      const plain = computeContrast(base, surface)
      return {
        scheme,
        ratio: formatContrast(plain),
        isLow: plain < MIN_CONTRAST,
        /** The shade that the page uses instead. */
        shade:
          accent === base
            ? null
            : { color: accent, ratio: formatContrast(computeContrast(accent, surface)) },
      }
    }),
  }
}

/** Formats `4,5:1`, rounded down, so that no insufficient ratio looks sufficient. */
function formatContrast(value: number) {
  return `${ratioFormat.format(value)}:1`
}
