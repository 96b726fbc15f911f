// Previews the payment options of a link while it is typed.
import type { Company } from '../../companies/company.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { formatBrl, formatRate } from '../../format.ts'
import { formatInstallment, quoteInstallments } from '../../payment-links/installments.ts'
import { MAX_AMOUNT_CENTS, MAX_INSTALLMENTS, MIN_AMOUNT_CENTS } from '../../payment-links/schema.ts'
import { parseBrl } from '../layout/forms/amount.ts'
import { getQuotingProvider } from '../receivables/terms.ts'
import type { LinkForm } from './form.ts'

type PreviewTerms = Pick<
  LinkForm,
  'amount' | 'methods' | 'maxInstallments' | 'interestMode' | 'interestFreeInstallments'
>

/** Null as long as there is no amount that a link may have. */
export function buildLinkPreview(
  { amount, methods, maxInstallments, interestMode, interestFreeInstallments }: PreviewTerms,
  company: Company,
) {
  const amountCents = parseBrl(amount) ?? 0
  if (amountCents < MIN_AMOUNT_CENTS || amountCents > MAX_AMOUNT_CENTS) return null
  const { interestRateBps, minInstallmentCents } = company
  const most = parseInstallments(maxInstallments)
  const quotedBy = most > 1 ? getQuotingProvider(company) : null
  const quotes = quoteInstallments({
    amountCents,
    methods,
    maxInstallments: quotedBy ? 1 : most,
    interestMode: interestMode === 'absorb' ? 'absorb' : 'pass_to_customer',
    interestFreeUpTo: parseInterestFree(interestFreeInstallments) ?? company.interestFreeUpTo,
    ...{ interestRateBps, minInstallmentCents },
  })
  const common = { amount: formatBrl(amountCents), pix: includesMethod(methods, 'pix'), most }
  if (!includesMethod(methods, 'credit_card')) {
    return { ...common, installments: [], quotedBy: null, least: null, rate: null }
  }
  return {
    ...common,
    installments: quotes.map(formatInstallment),
    /** The provider that quotes more than one installment. */
    quotedBy,
    /** Of how much a part may be, where that leaves some out. */
    least: !quotedBy && quotes.length < most ? formatBrl(minInstallmentCents) : null,
    rate: quotes.some(({ rateBps }) => rateBps > 0) ? formatRate(interestRateBps) : null,
  }
}

function parseInstallments(typed: string) {
  return Math.min(Math.max(Math.trunc(Number(typed)) || 1, 1), MAX_INSTALLMENTS)
}

function includesMethod(methods: PaymentMethod[], method: PaymentMethod) {
  return methods.includes(method)
}

function parseInterestFree(typed: string) {
  return typed === '' ? null : parseInstallments(typed)
}
