// What a company says of itself and which e-mails it wants, as it is typed.

import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import { EMAIL_PATTERN } from '../../customers/contact.ts'
import { parseTaxId } from '../../customers/tax-id.ts'
import { customerTexts } from '../../customers/texts.ts'
import { formatTaxId } from '../../format.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { texts } from '../../texts.ts'
import { setUpTexts } from '../access/texts.ts'
import {
  checkboxField,
  optionalField,
  parsedField,
  type TypedFields,
} from '../layout/forms/form.ts'
import { parseSupportPhone } from './support-phone.ts'
import { settingsTexts } from './texts.ts'

const EmailInput = textField({ max: EMAIL_MAX_LENGTH }).regex(EMAIL_PATTERN, customerTexts.email)

export const CompanyForm = z.object({
  name: textField({ max: NAME_MAX_LENGTH }).min(2, setUpTexts.companyName),
  taxId: optionalField(parsedField(parseTaxId, texts.fields.taxId)),
  city: textField({ max: 64 }).min(2, settingsTexts.city),
  supportEmail: optionalField(EmailInput),
  supportPhone: optionalField(parsedField(parseSupportPhone, settingsTexts.phone)),
})

export const MailForm = z.object({
  mailReceipts: checkboxField,
  mailPayments: checkboxField,
  mailFailures: checkboxField,
  noticeEmail: optionalField(EmailInput),
})

export function toCompanyForm({ name, taxId, city, ...company }: Company): TypedFields {
  return {
    name,
    taxId: taxId ? formatTaxId(taxId) : '',
    city,
    supportEmail: company.supportEmail ?? '',
    supportPhone: company.supportPhone ?? '',
  }
}

export function toMailForm(company: Company): TypedFields {
  return {
    mailReceipts: formatCheckbox(company.mailReceipts),
    mailPayments: formatCheckbox(company.mailPayments),
    mailFailures: formatCheckbox(company.mailFailures),
    noticeEmail: company.noticeEmail ?? '',
  }
}

export function formatCheckbox(is: boolean) {
  return is ? 'on' : ''
}
