// The state of a company's account at a provider, in words.

import { type Company, getMethodProvider } from '../../companies/company.ts'
import { PAYMENT_METHODS, type PaymentMethod, type ProviderName } from '../../database/enums.ts'
import { countOf } from '../../format.ts'
import type { AccountNeeds, findMaskedAccount } from '../../providers/accounts.ts'
import type { RealProvider } from '../../providers/registry.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'
import { stateTexts as words } from './texts.ts'

export type AccountView = NonNullable<Awaited<ReturnType<typeof findMaskedAccount>>>

export const METHOD_PATHS: Record<PaymentMethod, string> = { pix: 'pix', credit_card: 'cartao' }

export function toAccountNeeds({ db, cipher, log, webhookAllowPrivate = false }: DashboardNeeds) {
  return { db, cipher, log, allowPrivate: webhookAllowPrivate } satisfies AccountNeeds
}

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
        ? words.unreadable(toTimeView(unreadableAt).text, unreadableField)
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
  if (!testedAt) return { icon: 'circle-dashed', isBad: false, text: words.untested }
  const when = toTimeView(testedAt).text
  return testFailure === null
    ? { icon: 'circle-check', isBad: false, text: words.tested(when) }
    : { icon: 'circle-x', isBad: true, text: words.failed(when, testFailure) }
}

/** Where the provider sends its notifications, if that needs attention. */
function describeRegistration({ provider, registration, registeredUrl: url }: AccountView) {
  if (registration !== 'kept' && registration !== 'lost') return null
  return {
    isBad: registration === 'lost',
    text: words[registration](url),
    replace: url === null ? null : replacementPath(provider),
  }
}

/** The provider's last notification, and refused ones. */
export function describeNotifications(account: AccountView) {
  const { notifiedAt, notifiedCount, refusedAt, refusedCount } = account
  return {
    good: notifiedAt
      ? words.notified(toTimeView(notifiedAt).text, countOf(notifiedCount, 'aviso'))
      : words.neverNotified,
    refused:
      refusedAt && refusedCount > 0
        ? words.refused(toTimeView(refusedAt).text, countOf(refusedCount, 'aviso'))
        : null,
  }
}
