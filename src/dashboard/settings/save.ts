// The forms of a company's settings. Changed ones are saved, unless another person changed the same meanwhile, and
// their old and new values are audited.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  type Company,
  type CompanyChanges,
  findCompany,
  updateUnchangedCompany,
} from '../../companies/company.ts'
import { emailField } from '../../customers/contact.ts'
import { PAYER_EMAIL_MODES, type PayerEmailMode } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { formatBrl, formatPercent, formatPhone, formatRate, formatTaxId } from '../../format.ts'
import { NAME_MAX_LENGTH } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { parsePhone, readTaxId } from '../../payer-rules.js'
import { linkTexts } from '../../payment-links/texts.ts'
import { buildRecord, getKeys } from '../../record.ts'
import { setUpTexts } from '../access/texts.ts'
import {
  checkboxField,
  describeTaxIdError,
  optionalField,
  parsedField,
  type TypedFields,
} from '../layout/form.ts'
import { type DashboardNeeds, queueSecurityNotice, recordAct } from '../layout/needs.ts'
import { pickFields, saveVersionedForm } from '../layout/versioned.ts'
import { settingsTexts } from './texts.ts'

type SettingName = keyof CompanyChanges

const words = settingsTexts

export async function saveSettings(
  needs: DashboardNeeds,
  request: FastifyRequest,
  values: CompanyChanges,
) {
  const { db } = needs
  const { id } = request.visitor.company
  const names = getKeys(values)
  return saveVersionedForm(needs, request, {
    find: async () => requireFound(await findCompany(db, id)),
    toValues: (company) => pickSettings(company, names),
    describe: (settings) => buildRecord(names, (name) => formatSetting(name, settings[name])),
    labels: words.names,
    typed: values,
    audited: { action: 'settings_changed' },
    async save(company, { changed, details }) {
      const changes = pickFields(values, changed)
      const updated = await updateUnchangedCompany(db, company, changes, needs.now())
      if (updated.kind !== 'updated') return undefined
      await recordAct(needs, request, { action: 'settings_changed', details })
      const contacts = changed.filter((name) => Object.hasOwn(ContactForm.shape, name))
      if (contacts.length > 0) {
        const subject = contacts.map((name) => details[name]).join('; ')
        await queueSecurityNotice(needs, request, { what: 'settings_changed', subject })
      }
      return { kind: 'saved' } as const
    },
  })
}

export function pickSettings(company: CompanyChanges, names: readonly SettingName[]) {
  return pickFields<CompanyChanges, SettingName>(company, names)
}

type SettingFormatters = {
  [Name in SettingName]?: (value: NonNullable<CompanyChanges[Name]>) => string
}

const SETTING_FORMATTERS: SettingFormatters = {
  taxId: formatTaxId,
  interestRateBps: formatRate,
  pixDiscountBps: formatPercent,
  minInstallmentCents: formatBrl,
  pixExpirySeconds: (seconds: number) => words.minutes(Math.round(seconds / 60)),
  payerEmail: (mode: PayerEmailMode) => words.payerEmails[mode],
  defaultInterestMode: (mode: keyof typeof linkTexts.interest) => linkTexts.interest[mode],
}

function formatSetting<Name extends SettingName>(name: Name, value: CompanyChanges[Name]) {
  if (value === null || value === undefined) return words.nothing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return SETTING_FORMATTERS[name]?.(value) ?? String(value)
}

/** 0800 and similar numbers. */
const TOLL_FREE = /^(0[3589]00)(\d{3})(\d{3,4})$/
/** 4004, 3003 and similar numbers. */
const SHARED_COST = /^([34]00\d)(\d{4})$/

export const CompanyForm = z.object({
  name: textField({ max: NAME_MAX_LENGTH }).min(2, setUpTexts.companyName),
  taxId: optionalField(parsedField(readTaxId, describeTaxIdError)),
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
