// What the page of an account at a provider shows.

import { type Company, channelOf } from '../../companies/company.ts'
import { METHODS } from '../../database/enums.ts'
import { capabilitiesOf } from '../../providers/capabilities.ts'
import { type PixApiPreset, PRESETS } from '../../providers/pix-api/presets.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import type { RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { Typed } from '../layout/form.ts'
import type { Problem } from '../layout/page.ts'
import { choicePath } from './methods.ts'
import { type AccountField, BANKS, fieldsOf, presetOf } from './provider-fields.ts'
import { shownField } from './provider-form.ts'
import {
  accountPath,
  connectionOf,
  isInUse,
  modeBadge,
  type ShownAccount,
  shownSteps,
} from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

export type AccountPage = {
  company: Company
  provider: RealProvider
  account: ShownAccount | undefined
  notifyUrl: string
  /** The bank whose form is asked for; absent: the one that is saved. */
  preset?: PixApiPreset | undefined
  typed?: Typed
  steps?: ConnectionStep[]
  errors?: Problem[]
  /** Whether saving this needs a word more. */
  isRisky?: boolean
}

const words = providerPageTexts
const NAMES = providerAccountTexts.providers

export function accountPage({ account, provider, company, ...page }: AccountPage) {
  const { typed = null, errors = [], isRisky = false } = page
  const preset = page.preset ?? presetOf(account?.config?.preset)
  const isKept = provider !== 'pix-api' || preset === account?.config?.preset
  const saved = { typed, config: (isKept && account?.config) || null }
  const shown = (field: AccountField) => shownField(field, saved)
  const { main, more } = fieldsOf(provider, preset ?? 'custom')
  return {
    ...{ title: NAMES[provider].name, section: 'recebimentos' as const, errors },
    ...{ provider, path: accountPath(provider), isRisky, notifyUrl: page.notifyUrl },
    bank: provider === 'pix-api' ? bankOf(preset) : null,
    ...{ main: main.map(shown), more: more.map(shown), isKept: saved.config !== null },
    isMoreOpen: more.some(({ name }) => errors.some(({ field }) => field === name)),
    account: account && {
      badge: modeBadge(account.testMode),
      connection: connectionOf(account),
      isInUse: isInUse(company, provider),
      unreadable: account.config === null ? providerAccountTexts.unreadable : null,
    },
    steps: page.steps ? shownSteps(provider, page.steps) : null,
    uses: account ? usesOf(company, provider) : [],
    scripts: ['try-account.js'],
  }
}

function bankOf(preset: PixApiPreset | undefined) {
  return {
    preset: preset ?? null,
    options: preset ? BANKS : [{ value: '', text: words.chooseBank }, ...BANKS],
    credentials: preset ? PRESETS[preset].credentials : null,
  }
}

/** What the account could be used for by now. */
function usesOf(company: Company, provider: RealProvider) {
  return METHODS.filter((method) => capabilitiesOf(provider).methods.includes(method)).map(
    (method) => ({
      name: texts.methods[method],
      isChosen: channelOf(company, method).provider === provider,
      href: choicePath(provider, method),
    }),
  )
}
