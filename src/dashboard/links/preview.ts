// Previews the payment options of a link that is still being typed.
import type { Company } from '../../companies/company.ts'
import { formatBrl, formatRate } from '../../format.ts'
import {
  formatInstallment,
  formatPixPrice,
  quoteLink,
  quotePix,
} from '../../payment-links/installments.ts'
import { MAX_AMOUNT_CENTS, MAX_INSTALLMENTS, MIN_AMOUNT_CENTS } from '../../payment-links/schema.ts'
import { parseBrl } from '../layout/form.ts'
import { getQuotingProvider } from '../receivables/terms.ts'
import { type LinkForm, parsePixDiscount } from './form.ts'

type PreviewTerms = Pick<
  LinkForm,
  | 'amount'
  | 'methods'
  | 'maxInstallments'
  | 'interestMode'
  | 'interestFreeInstallments'
  | 'pixDiscount'
>

/** Null as long as there is no amount that a link may have. */
export function buildLinkPreview(form: PreviewTerms, company: Company) {
  const link = readTerms(form)
  const { amountCents, methods, maxInstallments: most } = link
  if (amountCents < MIN_AMOUNT_CENTS || amountCents > MAX_AMOUNT_CENTS) return null
  const quotes = quoteLink(link, company)
  const quotedBy = most > 1 ? getQuotingProvider(company) : null
  const pix = methods.includes('pix') ? formatPixPrice(quotePix(link, company)) : null
  const common = { pix, most }
  if (!methods.includes('credit_card')) {
    return { ...common, installments: [], quotedBy: null, least: null, rate: null }
  }
  return {
    ...common,
    installments: quotes.map(formatInstallment),
    /** The provider that says what more than one installment costs. */
    quotedBy,
    /** Of how much a part may be, where that leaves some out. */
    least: !quotedBy && quotes.length < most ? formatBrl(company.minInstallmentCents) : null,
    rate: quotes.some(({ rateBps }) => rateBps > 0) ? formatRate(company.interestRateBps) : null,
  }
}

/** What is typed as a link has it; what cannot be read yet is as if it was not typed. */
function readTerms({ amount, methods, interestMode, ...typed }: PreviewTerms) {
  const { maxInstallments, interestFreeInstallments: free } = typed
  const discountBps = parsePixDiscount(typed)
  return {
    amountCents: parseBrl(amount) ?? 0,
    methods,
    maxInstallments: parseInstallments(maxInstallments),
    interestMode: interestMode === 'absorb' ? ('absorb' as const) : ('pass_to_customer' as const),
    interestFreeInstallments: free ? parseInstallments(free) : null,
    pixDiscountBps: Number.isNaN(discountBps) ? null : discountBps,
  }
}

function parseInstallments(typed: string) {
  return Math.min(Math.max(Math.trunc(Number(typed)) || 1, 1), MAX_INSTALLMENTS)
}
