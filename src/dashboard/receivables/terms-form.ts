// On which terms a company is paid, as it is typed.

import { z } from 'zod'
import type { Company, CompanyChanges } from '../../companies/company.ts'
import { INTEREST_MODES } from '../../database/enums.ts'
import { formatRate } from '../../format.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import {
  checkboxField,
  formatBrlInput,
  moneyField,
  parsedField,
  type TypedFields,
} from '../layout/forms/form.ts'
import { formatCheckbox } from '../settings/form.ts'
import { receivablesTexts } from './texts.ts'

const MAX_INTEREST_RATE_BPS = 1500
const MIN_PIX_EXPIRY_MINUTES = 5
const MAX_PIX_EXPIRY_MINUTES = 7 * 24 * 60
const RATE_INPUT = /^(\d{1,2})(?:[.,](\d{1,2}))?\s*%?$/
const words = receivablesTexts

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
  pixMinutes: parsedField(
    (typed) =>
      parseWholeNumber(typed, { min: MIN_PIX_EXPIRY_MINUTES, max: MAX_PIX_EXPIRY_MINUTES }),
    words.pixExpiry(MIN_PIX_EXPIRY_MINUTES, MAX_PIX_EXPIRY_MINUTES),
  ),
  defaultMaxInstallments: installmentsField,
  defaultInterestMode: z.enum(INTEREST_MODES),
  askPhone: checkboxField,
})

/** What the form is about, as the company has it. */
export const TERMS_SETTINGS = [
  'interestRateBps',
  'interestFreeUpTo',
  'minInstallmentCents',
  'pixExpirySeconds',
  'defaultMaxInstallments',
  'defaultInterestMode',
  'askPhone',
] as const

export function toTermsForm(company: Company): TypedFields {
  return {
    interestRate: formatRate(company.interestRateBps).replace('%', ''),
    interestFreeUpTo: String(company.interestFreeUpTo),
    minInstallment: formatBrlInput(company.minInstallmentCents),
    pixMinutes: String(Math.round(company.pixExpirySeconds / 60)),
    defaultMaxInstallments: String(company.defaultMaxInstallments),
    defaultInterestMode: company.defaultInterestMode,
    askPhone: formatCheckbox(company.askPhone),
  }
}

export function toCompanyChanges({
  interestRate: interestRateBps,
  minInstallment: minInstallmentCents,
  pixMinutes,
  ...terms
}: z.output<typeof TermsForm>): CompanyChanges {
  const pixExpirySeconds = pixMinutes * 60
  return { interestRateBps, minInstallmentCents, pixExpirySeconds, ...terms }
}

/** `2,99` → 299 basis points */
export function parseRate(typed: string, most: number) {
  const [, whole, part = ''] = typed.trim().match(RATE_INPUT) ?? []
  if (whole === undefined) return undefined
  const bps = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return bps <= most ? bps : undefined
}

export function parseWholeNumber(typed: string, { min, max }: { min: number; max: number }) {
  const value = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  return value >= min && value <= max ? value : undefined
}
