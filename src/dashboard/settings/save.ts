// Settings are written where they differ, and the audit log tells which ones did, from what to what.

import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { type CompanyChanges, updateCompany } from '../../companies/company.ts'
import { formatBrl, formatRate, formatTaxId } from '../../format.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { getKeys } from '../../record.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { settingsTexts } from './texts.ts'

type SettingName = keyof CompanyChanges

const words = settingsTexts

export async function saveSettings(
  { db, now: clock }: Pick<DashboardNeeds, 'db' | 'now'>,
  request: FastifyRequest,
  values: CompanyChanges,
) {
  const { company } = request.visitor
  const names = getKeys(values).filter((name) => values[name] !== company[name])
  if (names.length === 0) return

  const now = clock()
  const changes = Object.fromEntries(names.map((name) => [name, values[name]]))
  await updateCompany(db, company.id, changes, now)
  const details = names.map((name) => [
    name,
    words.changed(
      words.names[name],
      formatSetting(name, company[name]),
      formatSetting(name, values[name]),
    ),
  ])
  await recordAudit(db, {
    ...getAuditActor(request),
    ...{ action: 'settings_changed', details: Object.fromEntries(details), now },
  })
}

type SettingFormatters = {
  [Name in SettingName]?: (value: NonNullable<CompanyChanges[Name]>) => string
}

const SETTING_FORMATTERS: SettingFormatters = {
  taxId: formatTaxId,
  interestRateBps: formatRate,
  minInstallmentCents: formatBrl,
  pixExpirySeconds: (seconds: number) => words.minutes(Math.round(seconds / 60)),
  defaultInterestMode: (mode: keyof typeof linkTexts.interest) => linkTexts.interest[mode],
}

function formatSetting<Name extends SettingName>(name: Name, value: CompanyChanges[Name]) {
  if (value === null || value === undefined) return words.nothing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return SETTING_FORMATTERS[name]?.(value) ?? String(value)
}
