// The form of a company's data and of its e-mails.

import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import { emailField } from '../../customers/contact.ts'
import { PAYER_EMAIL_MODES } from '../../database/enums.ts'
import { formatPhone, formatTaxId } from '../../format.ts'
import { NAME_MAX_LENGTH } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { parsePhone, parseTaxId } from '../../payer-rules.js'
import { texts } from '../../texts.ts'
import { setUpTexts } from '../access/texts.ts'
import {
  checkboxField,
  optionalField,
  parsedField,
  type TypedFields,
} from '../layout/forms/form.ts'
import { settingsTexts } from './texts.ts'

/** 0800 and similar numbers. */
const TOLL_FREE = /^(0[3589]00)(\d{3})(\d{3,4})$/
/** 4004, 3003 and similar numbers. */
const SHARED_COST = /^([34]00\d)(\d{4})$/

export const CompanyForm = z.object({
  name: textField({ max: NAME_MAX_LENGTH }).min(2, setUpTexts.companyName),
  taxId: optionalField(parsedField(parseTaxId, texts.fields.taxId)),
  city: textField({ max: 64 }).min(2, settingsTexts.city),
})

/** The addresses for notices and for payers' questions; a wrong one would send them to another person. */
export const ContactForm = z.object({
  supportEmail: optionalField(emailField),
  supportPhone: optionalField(parsedField(parseSupportPhone, settingsTexts.phone)),
  noticeEmail: optionalField(emailField),
})

export const MailForm = z.object({
  payerEmail: z.enum(PAYER_EMAIL_MODES),
  mailReceipts: checkboxField,
  mailPayments: checkboxField,
  mailFailures: checkboxField,
})

export function toCompanyForm({ name, taxId, city }: Company): TypedFields {
  return { name, taxId: taxId ? formatTaxId(taxId) : '', city }
}

export function toContactForm(company: Company): TypedFields {
  return {
    supportEmail: company.supportEmail ?? '',
    supportPhone: company.supportPhone ?? '',
    noticeEmail: company.noticeEmail ?? '',
  }
}

export function toMailForm(company: Company): TypedFields {
  return {
    payerEmail: company.payerEmail,
    mailReceipts: formatCheckbox(company.mailReceipts),
    mailPayments: formatCheckbox(company.mailPayments),
    mailFailures: formatCheckbox(company.mailFailures),
  }
}

export function formatCheckbox(is: boolean) {
  return is ? 'on' : ''
}

/** Formats the phone that payers call as people read it: `(11) 98765-4321`, `0800 123 4567`, `4004-1234`. */
function parseSupportPhone(typed: string): string | undefined {
  const local = parsePhone(typed)
  if (local) return formatPhone(local)
  const digits = typed.replace(/[\s().-]/g, '')
  if (TOLL_FREE.test(digits)) return digits.replace(TOLL_FREE, '$1 $2 $3')
  return SHARED_COST.test(digits) ? digits.replace(SHARED_COST, '$1-$2') : undefined
}
