// Parses a company's terms, and builds the preview of a payer's choices.
import { z } from 'zod'
import type { Company, CompanyChanges } from '../../companies/company.ts'
import { INTEREST_MODES, type InterestMode } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { formatBrl, formatPercent, formatRate } from '../../format.ts'
import {
  formatInstallment,
  formatPixPrice,
  isQuotedByProvider,
  type Quote,
  quoteInstallments,
  quotePix,
} from '../../payment-links/installments.ts'
import {
  MAX_AMOUNT_CENTS,
  MAX_INSTALLMENTS,
  MAX_PIX_DISCOUNT_BPS,
  MIN_AMOUNT_CENTS,
} from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { getProfile } from '../../providers/registry.ts'
import {
  checkboxField,
  cleanNumber,
  formatBrlInput,
  moneyField,
  parseCount,
  parsedField,
  readForm,
  type TypedFields,
} from '../layout/form.ts'
import { formatCheckbox } from '../settings/save.ts'
import { termsTexts as words } from './texts.ts'

const MAX_INTEREST_RATE_BPS = 1500
const MIN_PIX_EXPIRY_MINUTES = 5
const MAX_PIX_EXPIRY_MINUTES = 7 * 24 * 60
const RATE_INPUT = /^(\d{1,2})(?:[.,](\d{1,2}))?\s*%?$/

const installmentsField = parsedField(
  (typed) => parseWholeNumber(typed, { min: 1, max: MAX_INSTALLMENTS }),
  linkTexts.installments,
)

export const TermsForm = z.object({
  interestRate: parsedField(
    (typed) => parseRate(typed, MAX_INTEREST_RATE_BPS),
    words.rate(formatRate(MAX_INTEREST_RATE_BPS)),
  ),
  interestFreeUpTo: installmentsField,
  minInstallment: moneyField({ min: 100, max: 100_000 }),
  pixDiscount: parsedField(
    (typed) => parseRate(typed.trim() || '0', MAX_PIX_DISCOUNT_BPS),
    words.pixDiscount,
  ),
  pixMinutes: parsedField(
    (typed) =>
      parseWholeNumber(typed, { min: MIN_PIX_EXPIRY_MINUTES, max: MAX_PIX_EXPIRY_MINUTES }),
    words.pixExpiry(MIN_PIX_EXPIRY_MINUTES, MAX_PIX_EXPIRY_MINUTES),
  ),
  defaultMaxInstallments: installmentsField,
  defaultInterestMode: z.enum(INTEREST_MODES),
  askPhone: checkboxField,
  acceptsForeignDocuments: checkboxField,
})

/** The settings that the form changes. */
export const TERMS_SETTINGS = [
  'interestRateBps',
  'interestFreeUpTo',
  'minInstallmentCents',
  'pixDiscountBps',
  'pixExpirySeconds',
  'defaultMaxInstallments',
  'defaultInterestMode',
  'askPhone',
  'acceptsForeignDocuments',
] as const

export function toTermsForm(company: Company): TypedFields {
  return {
    interestRate: formatRate(company.interestRateBps).replace('%', ''),
    interestFreeUpTo: String(company.interestFreeUpTo),
    minInstallment: formatBrlInput(company.minInstallmentCents),
    pixDiscount: toPercentInput(company.pixDiscountBps),
    pixMinutes: String(Math.round(company.pixExpirySeconds / 60)),
    defaultMaxInstallments: String(company.defaultMaxInstallments),
    defaultInterestMode: company.defaultInterestMode,
    askPhone: formatCheckbox(company.askPhone),
    acceptsForeignDocuments: formatCheckbox(company.acceptsForeignDocuments),
  }
}

export function toCompanyChanges({
  interestRate: interestRateBps,
  minInstallment: minInstallmentCents,
  pixDiscount: pixDiscountBps,
  pixMinutes,
  ...terms
}: z.output<typeof TermsForm>): CompanyChanges {
  const pixExpirySeconds = pixMinutes * 60
  return { interestRateBps, minInstallmentCents, pixDiscountBps, pixExpirySeconds, ...terms }
}

/** 750 basis points → `7,5`, as a share stands in a field. */
export function toPercentInput(bps: number) {
  return formatPercent(bps).replace('%', '')
}

/** Reads `2,99` as 299 basis points. */
export function parseRate(typed: string, most: number) {
  const [, whole, part = ''] = cleanNumber(typed).match(RATE_INPUT) ?? []
  if (whole === undefined) return undefined
  const bps = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return bps <= most ? bps : undefined
}

function parseWholeNumber(typed: string, { min, max }: { min: number; max: number }) {
  const value = parseCount(typed)
  return value >= min && value <= max ? value : undefined
}

/** The initial amount of the preview. */
export const EXAMPLE_AMOUNT = '1.000,00'

const PreviewForm = TermsForm.omit({
  pixMinutes: true,
  askPhone: true,
  acceptsForeignDocuments: true,
}).extend({
  example: moneyField({ min: MIN_AMOUNT_CENTS, max: MAX_AMOUNT_CENTS }),
})

/** Null when a value is invalid. */
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
  const terms = { pixDiscountBps: values.pixDiscount }
  return {
    amount: formatBrl(values.example),
    rate: formatRate(values.interestRate),
    rows: Array.from({ length: most }, (_, at) => ({
      count: `${at + 1}x`,
      passed: toPreviewCell(passed[at]),
      absorbed: toPreviewCell(absorbed[at]),
    })),
    /** `R$ 950,00 no Pix (5% de desconto)`; null without a discount. */
    pix:
      values.pixDiscount > 0
        ? formatPixPrice(quotePix({ amountCents: values.example, ...terms }, terms))
        : null,
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

/** The provider that quotes installments; null when these terms apply. */
export function getQuotingProvider(company: Company) {
  const { cardProvider } = company
  return cardProvider && isQuotedByProvider(company) ? getProfile(cardProvider).name : null
}

/** Null when the parts would be below the minimum. */
function toPreviewCell(quote: Quote | undefined) {
  if (!quote) return null
  const { installments, installmentCents, totalCents, rateBps } = quote
  const { atSight, free, total } = words
  const note = installments === 1 ? atSight : rateBps > 0 ? total(formatBrl(totalCents)) : free
  return { part: formatBrl(installmentCents), note }
}
