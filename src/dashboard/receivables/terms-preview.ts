// What payers may choose from on the terms that are being typed, by who bears the interest.

import type { Company } from '../../companies/company.ts'
import type { InterestMode } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { formatBrl, formatRate } from '../../format.ts'
import {
  formatInstallment,
  isQuotedByProvider,
  type Quote,
  quoteInstallments,
} from '../../payment-links/installments.ts'
import { MAX_AMOUNT_CENTS, MAX_INSTALLMENTS, MIN_AMOUNT_CENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { moneyField, readForm } from '../layout/forms/form.ts'
import { TermsForm } from './terms-form.ts'
import { receivablesTexts } from './texts.ts'

/** What stands in the field before anybody types another. */
export const EXAMPLE_AMOUNT = '1.000,00'

const PreviewForm = TermsForm.pick({
  ...{ interestRate: true, interestFreeUpTo: true, minInstallment: true },
  ...{ defaultMaxInstallments: true, defaultInterestMode: true },
}).extend({ example: moneyField({ min: MIN_AMOUNT_CENTS, max: MAX_AMOUNT_CENTS }) })

/** Null as long as something in it cannot be read. */
export function buildTermsPreview(typed: unknown, company: Company) {
  const form = readForm(PreviewForm, typed)
  if (form.kind === 'invalid') return null
  const { values } = form
  const quotes = (interestMode: InterestMode) =>
    quoteInstallments({
      amountCents: values.example,
      methods: ['credit_card'],
      maxInstallments: MAX_INSTALLMENTS,
      interestMode,
      interestRateBps: values.interestRate,
      interestFreeUpTo: values.interestFreeUpTo,
      minInstallmentCents: values.minInstallment,
    })
  const [passed, absorbed] = [quotes('pass_to_customer'), quotes('absorb')]
  const most = Math.max(passed.length, absorbed.length)
  return {
    amount: formatBrl(values.example),
    rate: formatRate(values.interestRate),
    rows: Array.from({ length: most }, (_, at) => ({
      count: `${at + 1}x`,
      passed: toPreviewCell(passed[at]),
      absorbed: toPreviewCell(absorbed[at]),
    })),
    /** The whole sentence, as the checkout has it. */
    sentence: formatInstallment(requireFound(passed.at(-1))),
    quotedBy: getQuotingProvider(company),
    least: most < MAX_INSTALLMENTS ? formatBrl(values.minInstallment) : null,
    newLinks: {
      most: values.defaultMaxInstallments,
      interest: linkTexts.interest[values.defaultInterestMode].toLowerCase(),
    },
  }
}

/** Who says what installments cost; null where the terms here do. */
export function getQuotingProvider(company: Company) {
  const { cardProvider } = company
  return cardProvider && isQuotedByProvider(company)
    ? providerAccountTexts.providers[cardProvider].name
    : null
}

/** Null where the parts would be too small to be offered. */
function toPreviewCell(quote: Quote | undefined) {
  if (!quote) return null
  const { installments, installmentCents, totalCents, rateBps } = quote
  const { atSight, free, total } = receivablesTexts
  const note = installments === 1 ? atSight : rateBps > 0 ? total(formatBrl(totalCents)) : free
  return { part: formatBrl(installmentCents), note }
}
