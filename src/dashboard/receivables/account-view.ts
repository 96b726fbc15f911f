// A company's account at a provider as its page and the list of providers show it.
import { type Company, getMethodProvider } from '../../companies/company.ts'
import { PAYMENT_METHODS, type PaymentMethod, type ProviderName } from '../../database/enums.ts'
import { countOf, formatDay, formatInstant } from '../../format.ts'
import type { findMaskedAccount } from '../../providers/accounts.ts'
import { type AccountField, ENVIRONMENT_FIELD } from '../../providers/profile.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import { getAdapter, type RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { ShownForm } from '../layout/form.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { type AccountConfig, type SentAccount, toFieldView } from './account-fields.ts'
import { stateTexts, accountTexts as words } from './texts.ts'

/** The form as it was sent; null before that. */
export type AccountForm = {
  /** The bank that was chosen in the form; undefined means the saved one. */
  bank: string | undefined
  sent: SentAccount | null
  steps?: ConnectionStep[]
}

type ShownAccount = ShownForm<AccountForm> & {
  company: Company
  provider: RealProvider
  account: AccountView | undefined
  notifyUrl: string
}

export function buildAccountPage({ account, provider, company, ...page }: ShownAccount) {
  const { form, errors, notifyUrl } = page
  const { sent, steps } = form
  const { name, credentials, notifications, banks, listFields, methods } = getAdapter(provider)
  const bank = form.bank ?? getSavedBank(account?.config)
  const config = (isSameBank(account, bank) && account?.config) || null
  const { main, more } = listFields(bank)
  // Credentials of the other environment would be refused.
  const ofEnvironment = { test: company.testMode }
  const toView = (field: AccountField) =>
    toFieldView(field, {
      sent,
      config: config ?? (field === ENVIRONMENT_FIELD ? ofEnvironment : null),
    })
  /** Opened when a folded field has lost its value or has an error. */
  const isMoreOpen = more.some(
    (field) =>
      sent?.lost.includes(field.name) || errors.some((error) => error.field === field.name),
  )
  return {
    title: name,
    section: 'recebimentos' as const,
    path: accountPagePath(provider),
    /** Whether saving this needs a confirmation. */
    isRisky: errors.some(({ field }) => field === 'mesmoAssim'),
    notifyUrl,
    bank: banks ? toBankView(banks, bank) : null,
    credentials,
    notifications,
    main: main.map(toView),
    more: more.map(toView),
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
  }
}

function getSavedBank(config: AccountConfig | null | undefined) {
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

export type AccountView = NonNullable<Awaited<ReturnType<typeof findMaskedAccount>>>

export const METHOD_PATHS: Record<PaymentMethod, string> = { pix: 'pix', credit_card: 'cartao' }

export const accountPagePath = (provider: string) => `${RECEIVABLES_PATH}/${provider}`

/** The question whether our address replaces that of another system. */
export const replacementPath = (provider: string) => `${accountPagePath(provider)}/notificacoes`

/** The page that chooses a provider for a method. */
export function choicePath(provider: ProviderName, method: PaymentMethod) {
  return `${accountPagePath(provider)}/${METHOD_PATHS[method]}`
}

export function isProviderInUse(company: Company, provider: RealProvider) {
  return PAYMENT_METHODS.some((method) => getMethodProvider(company, method) === provider)
}

export function toAccountState(account: AccountView) {
  const { unreadableAt, unreadableField } = account
  return {
    connection: describeConnection(account),
    registration: describeRegistration(account),
    /** The unreadable field of the provider's answers. */
    unreadable:
      unreadableAt && unreadableField
        ? stateTexts.unreadable(formatInstant(unreadableAt), unreadableField)
        : null,
  }
}

type ConnectionView = {
  icon: 'circle-dashed' | 'circle-check' | 'circle-x'
  isBad: boolean
  text: string
}

/** The result of the last test. */
function describeConnection({ testedAt, testFailure }: AccountView): ConnectionView {
  if (!testedAt) return { icon: 'circle-dashed', isBad: false, text: stateTexts.untested }
  const when = formatInstant(testedAt)
  return testFailure === null
    ? { icon: 'circle-check', isBad: false, text: stateTexts.tested(when) }
    : { icon: 'circle-x', isBad: true, text: stateTexts.failed(when, testFailure) }
}

/** Where the provider sends its notifications, if that needs attention. */
function describeRegistration({ provider, registration, registeredUrl: url }: AccountView) {
  if (registration !== 'kept' && registration !== 'lost') return null
  return {
    isBad: registration === 'lost',
    text: stateTexts[registration](url),
    replace: url === null ? null : replacementPath(provider),
  }
}

/** The provider's last notification, and refused ones. */
export function describeNotifications(account: AccountView) {
  const { notifiedAt, notifiedCount, refusedAt, refusedCount } = account
  return {
    good: notifiedAt
      ? stateTexts.notified(formatInstant(notifiedAt), countOf(notifiedCount, 'aviso'))
      : stateTexts.neverNotified,
    refused:
      refusedAt && refusedCount > 0
        ? stateTexts.refused(formatInstant(refusedAt), countOf(refusedCount, 'aviso'))
        : null,
  }
}
