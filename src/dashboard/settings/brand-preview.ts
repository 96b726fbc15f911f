// How the checkout will look in a colour and with the logos, in both colour schemes: a link's own page,
// drawn without its scripts. And how well the colour can be read.
import { BLANK_VALUES } from '../../checkout/form.ts'
import { buildLinkViewModel } from '../../checkout/link/page.ts'
import { pt } from '../../checkout/texts/pt.ts'
import {
  buildShades,
  type ColorScheme,
  computeContrast,
  DEFAULT_COLOR,
} from '../../companies/brand-color.ts'
import type { Company } from '../../companies/company.ts'
import { renderView } from '../../http/html.ts'
import { buildLinkRow } from '../../payment-links/payment-link.ts'
import { NewPaymentLink } from '../../payment-links/schema.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { BRAND_PATH } from '../layout/paths.ts'
import { settingsTexts } from './texts.ts'

/** What WCAG 2 asks of text. */
const MIN_CONTRAST = 4.5
const EXAMPLE_CENTS = 19_900
const SCHEMES = ['light', 'dark'] as const
const SCRIPTS = /<script\b[^>]*><\/script>/g

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

export type BrandPreview = ReturnType<typeof measureContrasts> & {
  frames: { scheme: ColorScheme; html: string }[]
}

export function createBrandPreviewer(needs: DashboardNeeds) {
  return (company: Company, color: string | null): BrandPreview => {
    const frames = SCHEMES.map((scheme) => ({
      scheme,
      html: drawCheckout({ ...company, color: color ?? DEFAULT_COLOR }, scheme),
    }))
    return { ...measureContrasts(color), frames }
  }

  /** As a document of its own. Its style is a file, since the page around it allows no other. */
  function drawCheckout({ color, ...company }: Company, scheme: ColorScheme) {
    const page = buildExamplePage(needs, withLogoOf({ ...company, color: null }, scheme))
    const html = renderView('checkout/link/page', page)
    const query = new URLSearchParams({ cor: color ?? DEFAULT_COLOR, tema: scheme })
    const href = `${BRAND_PATH}/cores.css?${query}`.replaceAll('&', '&amp;')
    const style = `<link rel="stylesheet" href="${href}">\n</head>`
    return html.replace(SCRIPTS, '').replace('</head>', () => style)
  }
}

/** The browser's own scheme may be another than the frame's, so only the logo of that one is in it. */
function withLogoOf(company: Company, scheme: ColorScheme): Company {
  const { logoUrl, logoDarkUrl, logoWide, logoDarkWide } = company
  const isWide = logoWide && (logoDarkUrl === null || logoDarkWide)
  const isDark = scheme === 'dark' && logoDarkUrl !== null
  return {
    ...company,
    logoUrl: isDark ? logoDarkUrl : logoUrl,
    ...(isDark && { logoOpaque: true }),
    ...{ logoWide: isWide, logoDarkUrl: null },
  }
}

function buildExamplePage(needs: DashboardNeeds, company: Company) {
  const real = {
    ...company,
    testMode: false,
    pixProvider: 'sandbox',
    cardProvider: 'sandbox',
  } as const
  const row = buildLinkRow(
    real,
    NewPaymentLink.parse({
      ...{ title: settingsTexts.previewTitle, amountCents: EXAMPLE_CENTS },
      methods: ['pix', 'credit_card'],
    }),
    { id: company.id, now: needs.now() },
  )
  // Else each would be another.
  const link = { ...row, slug: 'previa' }
  const cards = { script: '', form: {}, publicKey: null }
  return buildLinkViewModel({ ...needs, mount: '' }, { link, company: real }, cards, {
    ...{ attempt: '', values: BLANK_VALUES, errors: [], notice: null },
    ...{ linkedCustomer: null, cardsPaused: false, t: pt, query: '' },
  })
}

/** @param color `#rrggbb`; null: ours. */
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
