// What the page of an account at a provider shows.

import { type Company, getMethodProvider } from '../../companies/company.ts'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { formatDay } from '../../format.ts'
import { getCapabilities } from '../../providers/capabilities.ts'
import { type PixApiPreset, PRESETS } from '../../providers/pix-api/presets.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import type { RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { TypedFields } from '../layout/forms/form.ts'
import type { FormError } from '../layout/page.ts'
import { providerChoicePath } from './methods.ts'
import {
  type AccountField,
  BANK_OPTIONS,
  listAccountFields,
  parsePreset,
} from './provider-fields.ts'
import { toFieldView } from './provider-form.ts'
import {
  type AccountView,
  accountPagePath,
  isNotifyUrlPasted,
  isProviderInUse,
  toConnectionView,
  toRegistrationView,
  toStepViews,
} from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

export type AccountViewInput = {
  company: Company
  provider: RealProvider
  account: AccountView | undefined
  notifyUrl: string
  /** The bank whose form is asked for; absent: the one that is saved. */
  preset?: PixApiPreset | undefined
  typed?: TypedFields
  lost?: string[]
  steps?: ConnectionStep[]
  errors?: FormError[]
  /** Whether saving this needs a word more. */
  isRisky?: boolean
}

const words = providerPageTexts
const PROVIDER_LABELS = providerAccountTexts.providers

export function buildAccountViewModel({ account, provider, company, ...page }: AccountViewInput) {
  const { typed = null, lost = [], errors = [], isRisky = false } = page
  const preset = page.preset ?? parsePreset(account?.config?.preset)
  const isKept = provider !== 'pix-api' || preset === account?.config?.preset
  const saved = { typed, lost, config: (isKept && account?.config) || null }
  const shown = (field: AccountField) => toFieldView(field, saved)
  const { main, more } = listAccountFields(provider, preset ?? 'custom')
  return {
    ...{ title: PROVIDER_LABELS[provider].name, section: 'recebimentos' as const, errors },
    ...{ provider, path: accountPagePath(provider), isRisky, notifyUrl: page.notifyUrl },
    bank: provider === 'pix-api' ? toBankView(preset) : null,
    ...describeSetup(provider),
    ...{ main: main.map(shown), more: more.map(shown), isKept: saved.config !== null },
    isMoreOpen: more.some(
      ({ name }) => lost.includes(name) || errors.some(({ field }) => field === name),
    ),
    account: account && {
      connection: toConnectionView(account),
      isInUse: isProviderInUse(company, provider),
      registration: toRegistrationView(account),
      unreadable: account.config === null ? providerAccountTexts.unreadable : null,
    },
    steps: page.steps ? toStepViews(provider, page.steps) : null,
    uses: account ? listAccountUses(company, provider) : [],
    scripts: ['try-account.js'],
  }
}

function toBankView(preset: PixApiPreset | undefined) {
  const source = preset && PRESETS[preset].source
  return {
    source: source ? words.presetSource(source.from, formatDay(`${source.date}T12:00:00Z`)) : null,
    preset: preset ?? null,
    options: preset ? BANK_OPTIONS : [{ value: '', text: words.chooseBank }, ...BANK_OPTIONS],
    credentials: preset ? PRESETS[preset].credentials : null,
  }
}

/** Where its credentials are had, unless its bank tells, and how the provider comes to notify us. */
function describeSetup(provider: RealProvider) {
  return {
    credentials: provider === 'pix-api' ? null : words.credentials[provider],
    notifications: { text: words.notifications[provider], isPasted: isNotifyUrlPasted(provider) },
  }
}

/** What the account could be used for by now. */
function listAccountUses(company: Company, provider: RealProvider) {
  return PAYMENT_METHODS.filter((method) => getCapabilities(provider).methods.includes(method)).map(
    (method) => ({
      name: texts.methods[method],
      isChosen: getMethodProvider(company, method) === provider,
      href: providerChoicePath(provider, method),
    }),
  )
}
