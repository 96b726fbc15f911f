// Quotes what a payer may choose from: the installments of a card, and a Pix, which may cost less. The same quote is
// shown on the page, charged by the provider, printed on the receipt and sent in the webhook.

import type { Company } from '../companies/company.ts'
import type { InterestMode, PaymentMethod } from '../database/enums.ts'
import { formatBrl, formatPercent } from '../format.ts'
import type { ProviderQuote } from '../providers/provider.ts'
import { getProfile } from '../providers/registry.ts'
import type { LinkRow } from './payment-link.ts'
import { installmentTexts } from './texts.ts'

export type Quote = {
  installments: number
  /** The amount of every installment except the first. */
  installmentCents: number
  /** Differs from the others only when an interest-free total does not divide evenly. */
  firstInstallmentCents: number
  totalCents: number
  interestCents: number
  /** Monthly, basis points; 0 where no interest is charged to the payer. */
  rateBps: number
  /** The discount; only for a Pix. */
  discountCents?: number
}

type QuoteTerms = {
  amountCents: number
  methods: readonly PaymentMethod[]
  maxInstallments: number
  interestMode: InterestMode
  interestRateBps: number
  /** Up to this count the company bears the interest itself. */
  interestFreeUpTo: number
  minInstallmentCents: number
}

/** The fields of a link that decide what a card pays. */
type PricedLink = Pick<
  LinkRow,
  'amountCents' | 'methods' | 'maxInstallments' | 'interestMode' | 'interestFreeInstallments'
>

const BPS_PER_UNIT = 10_000n

/**
 * The quotes of a link on its company's terms. When the provider makes the quotes, this is one installment until
 * the card is known.
 */
export function quoteLink(link: PricedLink, company: Company): Quote[] {
  const { interestRateBps, minInstallmentCents } = company
  const interestFreeUpTo = link.interestFreeInstallments ?? company.interestFreeUpTo
  const terms = { ...link, interestRateBps, interestFreeUpTo, minInstallmentCents }
  return quoteInstallments(isQuotedByProvider(company) ? { ...terms, maxInstallments: 1 } : terms)
}

type PixPrice = Quote & { discountCents: number; discountBps: number }

/** Quotes a Pix: the price less the link's own discount, or its company's. */
export function quotePix(
  { amountCents, pixDiscountBps }: Pick<LinkRow, 'amountCents' | 'pixDiscountBps'>,
  company: Pick<Company, 'pixDiscountBps'>,
): PixPrice {
  const discountBps = pixDiscountBps ?? company.pixDiscountBps
  const discountCents = computeDiscountCents(amountCents, discountBps)
  const quote = buildInterestFreeQuote(amountCents - discountCents, 1)
  return { ...quote, discountCents, discountBps }
}

/**
 * Returns the discount in whole cents, rounded half up. It is at most half of the price (schema.ts), so the least that
 * a payer pays is R$ 5,00.
 */
function computeDiscountCents(amountCents: number, bps: number) {
  return Math.floor((amountCents * bps + 5_000) / 10_000)
}

/** `R$ 95,00 no Pix (5% de desconto)` */
export function formatPixPrice({ totalCents, discountCents, discountBps }: PixPrice) {
  const share = discountCents > 0 ? formatPercent(discountBps) : null
  return installmentTexts.pix(formatBrl(totalCents), share)
}

/** Formats what a link costs: `R$ 100,00`, or `R$ 100,00, ou R$ 95,00 no Pix (5% de desconto)`. */
export function formatLinkPrice(link: LinkRow, company: Company) {
  const price = formatBrl(link.amountCents)
  const pix = quotePix(link, company)
  if (!link.methods.includes('pix') || pix.discountCents === 0) return price
  const pixPrice = formatPixPrice(pix)
  return link.methods.includes('credit_card') ? installmentTexts.orPix(price, pixPrice) : pixPrice
}

export function isQuotedByProvider({ cardProvider }: Company) {
  return cardProvider !== null && getProfile(cardProvider).installmentQuotes === 'provider'
}

/** Quotes a link for a card, from the provider's rows. */
export function quoteLinkByProvider(
  { amountCents, maxInstallments }: LinkRow,
  { minInstallmentCents }: Company,
  rows: ProviderQuote[],
): Quote[] {
  const offered = rows.filter(({ installments: n, installmentCents }) => {
    return n > 1 && n <= maxInstallments && installmentCents >= minInstallmentCents
  })
  return [
    buildInterestFreeQuote(amountCents, 1),
    ...offered.map(({ installments, installmentCents, totalCents }) => ({
      installments,
      installmentCents,
      firstInstallmentCents: totalCents - installmentCents * (installments - 1),
      totalCents,
      interestCents: totalCents - amountCents,
      rateBps:
        totalCents > amountCents
          ? findMonthlyRateBps(amountCents, installmentCents, installments)
          : 0,
    })),
  ]
}

/** Formats `3x de R$ 33,33 sem juros`. */
export function formatInstallment(quote: Quote) {
  const { installments, installmentCents, firstInstallmentCents, totalCents, rateBps } = quote
  const part = formatBrl(installmentCents)
  if (installments === 1) return installmentTexts.atSight(formatBrl(totalCents))
  if (rateBps > 0) return installmentTexts.withInterest(installments, part, formatBrl(totalCents))
  return firstInstallmentCents === installmentCents
    ? installmentTexts.interestFree(installments, part)
    : installmentTexts.interestFreeUneven(installments, part, formatBrl(firstInstallmentCents))
}

/** Returns one row for each number of installments, from 1; more than 1 only while each part reaches the minimum. */
export function quoteInstallments(terms: QuoteTerms): Quote[] {
  const most = terms.methods.includes('credit_card') ? terms.maxInstallments : 1
  const quotes = Array.from({ length: most }, (_, i) => buildQuote(terms, i + 1))
  return quotes.filter(
    ({ installments, installmentCents }) =>
      installments === 1 || installmentCents >= terms.minInstallmentCents,
  )
}

function buildQuote(
  { amountCents, interestMode, interestRateBps, interestFreeUpTo }: QuoteTerms,
  n: number,
): Quote {
  const free = n <= Math.max(1, interestFreeUpTo) || interestMode === 'absorb'
  const part =
    free || interestRateBps === 0 ? 0 : computeInstallmentCents(amountCents, interestRateBps, n)
  // With very little interest, rounding down may take more off the parts than the interest adds.
  if (part * n <= amountCents) return buildInterestFreeQuote(amountCents, n)
  return {
    installments: n,
    installmentCents: part,
    firstInstallmentCents: part,
    totalCents: part * n,
    interestCents: part * n - amountCents,
    rateBps: interestRateBps,
  }
}

/** The remainder of an uneven division is added to the first part. */
function buildInterestFreeQuote(amountCents: number, n: number): Quote {
  const part = Math.floor(amountCents / n)
  return {
    installments: n,
    installmentCents: part,
    firstInstallmentCents: amountCents - part * (n - 1),
    totalCents: amountCents,
    interestCents: 0,
    rateBps: 0,
  }
}

/**
 * Tabela Price, paid at the end of each period: A·i / (1 − (1+i)^−n), in whole cents rounded half up. Only integers:
 * (1+i)^n = ((D+r)/D)^n with D = 10000 and r the rate in basis points.
 */
function computeInstallmentCents(amountCents: number, rateBps: number, n: number) {
  const [amount, rate, periods] = [BigInt(amountCents), BigInt(rateBps), BigInt(n)]
  const grown = (BPS_PER_UNIT + rate) ** periods
  const numerator = amount * rate * grown
  const denominator = BPS_PER_UNIT * (grown - BPS_PER_UNIT ** periods)
  return Number((2n * numerator + denominator) / (2n * denominator))
}

const MAX_DERIVED_RATE_BPS = 10_000

/** Returns the monthly rate of a part of n, in basis points: the lowest rate that reaches it. */
function findMonthlyRateBps(amountCents: number, partCents: number, n: number) {
  let [low, high] = [1, MAX_DERIVED_RATE_BPS]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (computeInstallmentCents(amountCents, middle, n) < partCents) low = middle + 1
    else high = middle
  }
  return low
}
