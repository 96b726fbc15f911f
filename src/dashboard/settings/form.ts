// What a company says of itself and which e-mails it wants, as it is typed.

import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import { EMAIL } from '../../customers/contact.ts'
import { parseTaxId } from '../../customers/tax-id.ts'
import { customerTexts } from '../../customers/texts.ts'
import { formatTaxId } from '../../format.ts'
import { text } from '../../http/text.ts'
import { texts } from '../../texts.ts'
import { setUpTexts } from '../access/texts.ts'
import { checkbox, optional, parsed, type Typed } from '../layout/form.ts'
import { parseSupportPhone } from './support-phone.ts'
import { settingsTexts } from './texts.ts'

const email = text({ max: 254 }).regex(EMAIL, customerTexts.email)

export const CompanyForm = z.object({
  name: text({ max: 128 }).min(2, setUpTexts.companyName),
  taxId: optional(parsed(parseTaxId, texts.fields.taxId)),
  city: text({ max: 64 }).min(2, settingsTexts.city),
  supportEmail: optional(email),
  supportPhone: optional(parsed(parseSupportPhone, settingsTexts.phone)),
})

export const MailForm = z.object({
  mailReceipts: checkbox,
  mailPayments: checkbox,
  mailFailures: checkbox,
  noticeEmail: optional(email),
})

export function companyAsTyped({ name, taxId, city, ...company }: Company): Typed {
  return {
    name,
    taxId: taxId ? formatTaxId(taxId) : '',
    city,
    supportEmail: company.supportEmail ?? '',
    supportPhone: company.supportPhone ?? '',
  }
}

export function mailAsTyped(company: Company): Typed {
  return {
    mailReceipts: ticked(company.mailReceipts),
    mailPayments: ticked(company.mailPayments),
    mailFailures: ticked(company.mailFailures),
    noticeEmail: company.noticeEmail ?? '',
  }
}

export function ticked(is: boolean) {
  return is ? 'on' : ''
}
