// Builds the page of an account at a provider.

import { type Company, getMethodProvider } from '../../companies/company.ts'
import { formatDay } from '../../format.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import { getAdapter, type RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { ShownForm } from '../layout/forms/register.ts'
import type { DashboardPage, FormError, LoadedPage } from '../layout/page.ts'
import { type AccountConfig, type SentAccount, toFieldView } from './account-fields.ts'
import {
  type AccountView,
  accountPagePath,
  choicePath,
  describeNotifications,
  isProviderInUse,
  toAccountState,
} from './account-state.ts'
import { accountTexts as words } from './texts.ts'

type AccountPage = LoadedPage<typeof buildAccountPage>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/receivables/provider-account': AccountPage
    'dashboard/receivables/provider-field': {
      errors: FormError[]
      field: ReturnType<typeof toFieldView>
    }
    /** The state of the connection; replaced while the form is tested. */
    'dashboard/receivables/connection': Pick<AccountPage, 'account' | 'steps'>
    // Parts of a page get the page's whole view model.
    'dashboard/receivables/provider-bank': DashboardPage<AccountPage>
    'dashboard/receivables/provider-form': DashboardPage<AccountPage>
    'dashboard/receivables/provider-aside': DashboardPage<AccountPage>
  }
}

/** The form as it was sent; null before that. */
export type AccountForm = {
  /** The bank that was chosen in the form; undefined means the saved one. */
  bank: string | undefined
  sent: SentAccount | null
  steps?: ConnectionStep[]
  /** Whether saving this needs a confirmation. */
  isRisky?: boolean
}

export type ShownAccount = ShownForm<AccountForm> & {
  company: Company
  provider: RealProvider
  account: AccountView | undefined
  notifyUrl: string
}

export function buildAccountPage({ account, provider, company, ...page }: ShownAccount) {
  const { form, errors, notifyUrl } = page
  const { sent, steps, isRisky = false } = form
  const { name, credentials, notifications, banks, listFields, methods } = getAdapter(provider)
  const bank = form.bank ?? getSavedBank(account?.config)
  const config = (isSameBank(account, bank) && account?.config) || null
  const { main, more } = listFields(bank)
  /** Opened when a folded field has lost its value or has an error. */
  const isMoreOpen = more.some(
    (field) =>
      sent?.lost.includes(field.name) || errors.some((error) => error.field === field.name),
  )
  return {
    title: name,
    section: 'recebimentos' as const,
    path: accountPagePath(provider),
    isRisky,
    notifyUrl,
    bank: banks && toBankView(banks, bank),
    credentials,
    notifications,
    main: main.map((field) => toFieldView(field, { sent, config })),
    more: more.map((field) => toFieldView(field, { sent, config })),
    isKept: config !== null,
    isMoreOpen,
    account: account && {
      ...toAccountState(account),
      isInUse: isProviderInUse(company, provider),
      notified: describeNotifications(account),
      sealed: account.config === null ? providerAccountTexts.unreadable : null,
    },
    steps: steps ? steps.map((step) => toStepView(provider, step)) : null,
    uses: (account ? methods : []).map((method) => ({
      name: texts.methods[method],
      isChosen: getMethodProvider(company, method) === provider,
      href: choicePath(provider, method),
    })),
    scripts: ['try-account.js'],
  }
}

export function getSavedBank(config: AccountConfig | null | undefined) {
  return typeof config?.preset === 'string' ? config.preset : undefined
}

/** The saved values of another bank are not kept. */
export function isSameBank(account: AccountView | undefined, bank: string | undefined) {
  return bank === getSavedBank(account?.config)
}

function toBankView(
  banks: NonNullable<ReturnType<typeof getAdapter>['banks']>,
  chosen: string | undefined,
) {
  const options = Object.entries(banks).map(([value, { label }]) => ({ value, text: label }))
  const { source = null, credentials = null } = (chosen && banks[chosen]) || {}
  return {
    source: source && words.source(source.from, formatDay(`${source.date}T12:00:00Z`)),
    preset: chosen ?? null,
    options: chosen ? options : [{ value: '', text: words.chooseBank }, ...options],
    credentials,
  }
}

function toStepView(provider: RealProvider, { step, ok, reason }: ConnectionStep) {
  const { read, webhook } = getAdapter(provider).steps
  return { text: { ...words.steps, read, webhook }[step], ok, reason: reason ?? null }
}
