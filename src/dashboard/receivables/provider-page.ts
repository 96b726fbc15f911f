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
import type { FormError } from '../layout/page.ts'
import { providerChoicePath } from './methods.ts'
import {
  type AccountField,
  BANK_OPTIONS,
  listAccountFields,
  parsePreset,
} from './provider-fields.ts'
import { type SentAccount, toFieldView } from './provider-form.ts'
import {
  type AccountView,
  accountPagePath,
  isNotifyUrlPasted,
  isProviderInUse,
  toConnectionView,
  toNotificationView,
  toRegistrationView,
  toStepViews,
  toUnreadableText,
} from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

/** The form as it was sent, or none yet. */
export type AccountForm = {
  /** The bank whose form is asked for; undefined: the one that is saved. */
  preset: PixApiPreset | undefined
  sent: SentAccount | null
  steps?: ConnectionStep[]
  /** Whether saving this needs a word more. */
  isRisky?: boolean
}

type AccountViewInput = {
  company: Company
  provider: RealProvider
  account: AccountView | undefined
  notifyUrl: string
  form: AccountForm
  errors: FormError[]
}

const words = providerPageTexts
const PROVIDER_LABELS = providerAccountTexts.providers

export function buildAccountViewModel({ account, provider, company, ...page }: AccountViewInput) {
  const { form, errors, notifyUrl } = page
  const { sent, steps, isRisky = false } = form
  const preset = form.preset ?? parsePreset(account?.config?.preset)
  const isKept = provider !== 'pix-api' || preset === account?.config?.preset
  const config = (isKept && account?.config) || null
  const shown = (field: AccountField) => toFieldView(field, { sent, config })
  const { main, more } = listAccountFields(provider, preset)
  return {
    title: PROVIDER_LABELS[provider].name,
    section: 'recebimentos' as const,
    errors,
    path: accountPagePath(provider),
    isRisky,
    notifyUrl,
    bank: provider === 'pix-api' ? toBankView(preset) : null,
    /** Where they are had, unless its bank tells. */
    credentials: provider === 'pix-api' ? null : words.credentials[provider],
    notifications: { text: words.notifications[provider], isPasted: isNotifyUrlPasted(provider) },
    main: main.map(shown),
    more: more.map(shown),
    isKept: config !== null,
    isMoreOpen: more.some(({ name }) => isToBeSeen(name, page)),
    account: account && toAccountState(company, account),
    steps: steps ? toStepViews(provider, steps) : null,
    uses: account ? listAccountUses(company, provider) : [],
    scripts: ['try-account.js'],
  }
}

/** What was lost of a field that is folded away, or is wrong with it. */
function isToBeSeen(name: string, { form, errors }: Pick<AccountViewInput, 'form' | 'errors'>) {
  return form.sent?.lost.includes(name) || errors.some(({ field }) => field === name)
}

function toAccountState(company: Company, account: AccountView) {
  return {
    connection: toConnectionView(account),
    isInUse: isProviderInUse(company, account.provider),
    registration: toRegistrationView(account),
    notified: toNotificationView(account),
    unreadAnswer: toUnreadableText(account),
    unreadable: account.config === null ? providerAccountTexts.unreadable : null,
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
