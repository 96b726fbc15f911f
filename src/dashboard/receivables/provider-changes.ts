// An account at a provider that several people may have open: one field as a whole, since credentials belong
// together. The audit log says which of its fields were changed; of secrets no more than that.

import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { findMaskedAccount, listAccountOrigins } from '../../providers/accounts.ts'
import type { PixApiPreset } from '../../providers/pix-api/presets.ts'
import type { RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { describeChanges, saveVersionedForm } from '../layout/forms/versioned.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { listAccountFields } from './provider-fields.ts'
import { describeSavedField, isFile } from './provider-form.ts'
import type { AccountView } from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

const words = providerPageTexts
const PROVIDER_LABELS = providerAccountTexts.providers
const SENT = 'sent'

type AccountValues = { account: string | null }
/** `lost`: the secrets and files that came with it. */
type AccountForm = { provider: RealProvider; preset: PixApiPreset; lost: string[] }

/** `save` is told as of when it may write. */
export async function saveAccountVersion(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { provider, preset, lost }: AccountForm,
  save: (unchangedSince: string | null) => Promise<unknown>,
) {
  const key = { companyId: request.visitor.company.id, provider }
  const find = () => findMaskedAccount(needs, key)
  return saveVersionedForm(needs, request, {
    ...{ find, toValues: toAccountValues, typed: { account: SENT } },
    describe: ({ account }: AccountValues) => ({
      account: account === SENT ? words.yourAccount : words.savedAccount,
    }),
    labels: { account: words.wholeAccount },
    audited: { action: 'provider_account_saved' },
    async save(before) {
      await save(before?.updatedAt ?? null)
      const details = describeAccountChanges({ provider, preset, lost }, before, await find())
      await recordAccountAudit(needs, request, provider, 'provider_account_saved', details)
      return { kind: 'saved' } as const
    },
  })
}

export function toAccountValues(account: AccountView | undefined): AccountValues {
  return { account: account?.updatedAt ?? null }
}

export async function recordAccountAudit(
  { db, mail, now }: DashboardNeeds,
  request: FastifyRequest,
  provider: RealProvider,
  action: 'provider_account_saved' | 'provider_account_removed',
  details: Record<string, string> = {},
) {
  const { testMode } = request.visitor.company
  const entry = { action, subject: PROVIDER_LABELS[provider].name, details, testMode, now: now() }
  await recordSecurityChange(db, mail, { ...getAuditActor(request), ...entry })
}

/** What was tried, and where; nobody is told of it: no secret goes anywhere that it was not entered for. */
export async function recordAccountTest(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  { provider, config }: { provider: RealProvider; config: Record<string, unknown> | null },
) {
  const subject = PROVIDER_LABELS[provider].name
  const details = { origins: listAccountOrigins(provider, config ?? {}).join(', ') }
  const entry = { action: 'provider_account_tested', subject, details, now: now() } as const
  await recordAudit(db, { ...getAuditActor(request), ...entry })
}

function describeAccountChanges(
  { provider, preset, lost }: AccountForm,
  before: AccountView | undefined,
  after: AccountView | undefined,
) {
  const { main, more } = listAccountFields(provider, preset)
  const fields = [...main, ...more]
  const describe = (account: AccountView | undefined): Record<string, string> => {
    const config = account?.config ?? null
    return Object.fromEntries(
      fields.map((field) => [field.name, describeSavedField(field, config)]),
    )
  }
  const sides = { before: describe(before), after: describe(after) }
  for (const { name } of fields.filter((field) => isFile(field) && lost.includes(field.name))) {
    if (sides.before[name] === words.sentFile) sides.after[name] = words.exchangedFile
  }
  const changed = fields
    .map(({ name }) => name)
    .filter((name) => sides.before[name] !== sides.after[name])
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]))
  return describeChanges<Record<string, string>>(changed, labels, sides)
}
