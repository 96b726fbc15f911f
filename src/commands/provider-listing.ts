// What there is to see of providers: a company's accounts without their secrets, and the banks that are known.

import type { Company } from '../companies/company.ts'
import { PAYMENT_METHODS } from '../database/enums.ts'
import { buildNotifyUrl, findMaskedAccount } from '../providers/accounts.ts'
import {
  DEFAULT_BEHAVIOR,
  PIX_API_PRESETS,
  type PixApiPreset,
  PRESETS,
} from '../providers/pix-api/presets.ts'
import { REAL_PROVIDERS } from '../providers/registry.ts'
import { type CommandResult, formatColumns } from './command.ts'
import type { CommandContext } from './context.ts'

export async function showProviders(
  at: CommandContext,
  { id: companyId, ...company }: Company,
): Promise<CommandResult> {
  const found = REAL_PROVIDERS.map((provider) => findMaskedAccount(at, { companyId, provider }))
  const accounts = (await Promise.all(found)).flatMap((account) => {
    if (!account) return []
    const { notifyToken, ...shown } = account
    return { ...shown, notifyUrl: buildNotifyUrl(at.config.baseUrl, account) }
  })
  const { testMode } = company
  const chosen = { pix: company.pixProvider, credit_card: company.cardProvider }
  const said = [
    testMode ? 'Test environment' : 'Real environment',
    ...PAYMENT_METHODS.map((method) => `${method}: ${chosen[method] ?? 'nobody can pay by it'}`),
    ...accounts.map(formatAccount),
  ]
  return { json: { companyId, testMode, chosen, accounts }, text: said.join('\n') }
}

type MaskedAccount = NonNullable<Awaited<ReturnType<typeof findMaskedAccount>>>
type AccountListing = Omit<MaskedAccount, 'notifyToken'> & { notifyUrl: string }

function formatAccount({ provider, config, notifyUrl, ...account }: AccountListing) {
  const { registration, registeredUrl } = account
  const lines = Object.entries(config ?? {}).map(([name, value]) => [name, JSON.stringify(value)])
  const tested = account.testedAt
    ? `${account.testedAt} ${account.testFailure ?? 'ok'}`
    : 'never since it was saved'
  return [
    `\nAccount at ${provider}`,
    formatColumns(
      [
        ...lines,
        ['notifications', notifyUrl],
        ...(registration
          ? [['registration', [registration, registeredUrl].filter(Boolean).join(' ')]]
          : []),
        ['tested', tested],
      ],
      '  ',
    ),
    ...(config ? [] : ['  Its configuration was sealed under another SECRET_KEY: set it again.']),
  ].join('\n')
}

export function listPresets(): CommandResult {
  const presets = PIX_API_PRESETS.map((preset) => {
    const { label, source, production, homologation, behavior } = PRESETS[preset]
    return { preset, label, source, production, homologation, ...DEFAULT_BEHAVIOR, ...behavior }
  })
  return { json: { presets }, text: presets.map(formatPreset).join('\n\n') }
}

function formatPreset({
  preset,
  label,
  source,
  production,
  homologation,
  ...behavior
}: PresetListing) {
  const { tokenAuth, scope, extraHeaders, extraQuery } = behavior
  const lines = [
    ['production', production?.baseUrl ?? 'to be configured', production?.tokenUrl ?? ''],
    ['homologation', homologation?.baseUrl ?? 'none is known', homologation?.tokenUrl ?? ''],
    ['token', `tokenAuth ${tokenAuth}`, `scope ${scope ?? 'as each call takes'}`],
    ['headers', JSON.stringify(extraHeaders), `query ${JSON.stringify(extraQuery)}`],
    ['source', source ? `${source.from} (${source.date})` : 'the company', ''],
  ]
  return [`${preset}  ${label}`, formatColumns(lines, '  ')].join('\n')
}

type PresetListing = { preset: PixApiPreset } & Pick<
  (typeof PRESETS)[PixApiPreset],
  'label' | 'source' | 'production' | 'homologation'
> &
  typeof DEFAULT_BEHAVIOR
