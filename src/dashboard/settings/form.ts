// What a company says of itself and which e-mails it wants, as it is typed.

import { z } from 'zod'
import type { Company, CompanyChanges } from '../../companies/company.ts'
import { emailField } from '../../customers/contact.ts'
import { parseTaxId } from '../../customers/tax-id.ts'
import { PAYER_EMAIL_MODES } from '../../database/enums.ts'
import { formatTaxId } from '../../format.ts'
import { NAME_MAX_LENGTH } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { texts } from '../../texts.ts'
import { setUpTexts } from '../access/texts.ts'
import {
  checkboxField,
  type FormResult,
  optionalField,
  parsedField,
  readForm,
  type TypedFields,
} from '../layout/forms/form.ts'
import { parseSupportPhone } from './support-phone.ts'
import { settingsTexts } from './texts.ts'

export const CompanyForm = z.object({
  name: textField({ max: NAME_MAX_LENGTH }).min(2, setUpTexts.companyName),
  taxId: optionalField(parsedField(parseTaxId, texts.fields.taxId)),
  city: textField({ max: 64 }).min(2, settingsTexts.city),
})

/** Where notices go, and whom payers are told to ask: somebody else's would hear in the company's place. */
export const ContactForm = z.object({
  supportEmail: optionalField(emailField),
  supportPhone: optionalField(parsedField(parseSupportPhone, settingsTexts.phone)),
  noticeEmail: optionalField(emailField),
})

export const MailForm = z.object({
  payerEmail: z.enum(PAYER_EMAIL_MODES).optional(),
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

/** A form that was open during an update says nothing of the payer's e-mail. */
export function readMailForm(fields: TypedFields): FormResult<CompanyChanges> {
  const read = readForm(MailForm, fields)
  if (read.kind === 'invalid') return read
  const { payerEmail, ...mails } = read.values
  return { kind: 'valid', values: { ...mails, ...(payerEmail && { payerEmail }) } }
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
