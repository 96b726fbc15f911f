// Prints a company's accounts without their secrets, and the known banks.

import type { Company } from '../companies/company.ts'
import { PAYMENT_METHODS } from '../database/enums.ts'
import { buildNotifyUrl, findMaskedAccount } from '../providers/accounts.ts'
import type { BankAddress } from '../providers/profile.ts'
import { getAdapter, REAL_PROVIDERS } from '../providers/registry.ts'
import { type CommandResult, formatColumns } from './command.ts'
import type { CommandContext } from './context.ts'

export async function showProviders(
  at: CommandContext,
  { id: companyId, testMode, pixProvider, cardProvider }: Company,
): Promise<CommandResult> {
  const found = REAL_PROVIDERS.map((provider) => findMaskedAccount(at, { companyId, provider }))
  const accounts = (await Promise.all(found)).flatMap((account) => {
    if (!account) return []
    const { notifyToken, ...shown } = account
    return { ...shown, notifyUrl: buildNotifyUrl(at.config.baseUrl, account) }
  })
  const chosen = { pix: pixProvider, credit_card: cardProvider }
  const said = [
    testMode ? 'Test environment' : 'Real environment',
    ...PAYMENT_METHODS.map((method) => `${method}: ${chosen[method] ?? 'not offered'}`),
    ...accounts.map(formatAccount),
  ]
  return { json: { companyId, testMode, chosen, accounts }, text: said.join('\n') }
}

type MaskedAccount = NonNullable<Awaited<ReturnType<typeof findMaskedAccount>>>
type AccountListing = Omit<MaskedAccount, 'notifyToken'> & { notifyUrl: string }

function formatAccount({ provider, config, notifyUrl, ...account }: AccountListing) {
  const { registration, registeredUrl, testedAt, testFailure } = account
  const tested = testedAt ? `${testedAt} ${testFailure ?? 'ok'}` : 'never since it was saved'
  const lines = Object.entries(config ?? {}).map(([name, value]) => [name, JSON.stringify(value)])
  lines.push(['notifications', notifyUrl])
  if (registration) lines.push(['registration', `${registration} ${registeredUrl ?? ''}`])
  lines.push(['tested', tested])
  const sealed = '\n  Its configuration was encrypted with another SECRET_KEY: set it again.'
  return `\nAccount at ${provider}\n${formatColumns(lines, '  ')}${config ? '' : sealed}`
}

export function listPresets(): CommandResult {
  const banks = REAL_PROVIDERS.flatMap((provider) =>
    Object.entries(getAdapter(provider).banks ?? {}).map(([preset, bank]) => ({ preset, ...bank })),
  )
  const presets = banks.map(
    ({ behavior, fields: _fields, credentials: _credentials, ...bank }) => ({
      ...bank,
      ...behavior,
    }),
  )
  const said = banks.map(({ preset, label, production, homologation, behavior, source }) => {
    const lines = [
      ['production', production ? formatAddress(production) : 'to be configured'],
      ['homologation', homologation ? formatAddress(homologation) : 'unknown'],
      ...Object.entries(behavior).map(([name, value]) => [name, JSON.stringify(value)]),
      ['source', source ? `${source.from} (${source.date})` : 'the company'],
    ]
    return [`${preset}  ${label}`, formatColumns(lines, '  ')].join('\n')
  })
  return { json: { presets }, text: said.join('\n\n') }
}

function formatAddress({ baseUrl, tokenUrl }: BankAddress) {
  return `${baseUrl}, token from ${tokenUrl}`
}
