// Saves the changed settings, unless another person changed the same ones meanwhile, and audits their old and new
// values.

import type { FastifyRequest } from 'fastify'
import {
  type CompanyChanges,
  findCompany,
  updateUnchangedCompany,
} from '../../companies/company.ts'
import type { PayerEmailMode } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { formatBrl, formatPercent, formatRate, formatTaxId } from '../../format.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { buildRecord, getKeys } from '../../record.ts'
import { pickFields, saveVersionedForm } from '../layout/forms/versioned.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { queueSecurityNotice, recordAct } from '../layout/security.ts'
import { ContactForm } from './form.ts'
import { settingsTexts } from './texts.ts'

export type SettingName = keyof CompanyChanges

const words = settingsTexts

export async function saveSettings(
  needs: Pick<DashboardNeeds, 'db' | 'mail' | 'now'>,
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
