// How a company's account at a provider stands, in words: whether it is set up, real, in use, and how
// the last test of its connection went.

import { type Company, getMethodProvider } from '../../companies/company.ts'
import { PAYMENT_METHODS, type ProviderName } from '../../database/enums.ts'
import { countOf } from '../../format.ts'
import type { AccountNeeds, findMaskedAccount } from '../../providers/accounts.ts'
import { hasFailedStep, isOtherAccount } from '../../providers/connection.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import type { RealProvider } from '../../providers/registry.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'
import { providerPageTexts, receivablesTexts } from './texts.ts'

export type AccountView = NonNullable<Awaited<ReturnType<typeof findMaskedAccount>>>

const { states } = receivablesTexts
const words = providerPageTexts

export function toAccountNeeds({ db, cipher, log, webhookAllowPrivate = false }: DashboardNeeds) {
  return { db, cipher, log, allowPrivate: webhookAllowPrivate } satisfies AccountNeeds
}

export const accountPagePath = (provider: string) => `${RECEIVABLES_PATH}/${provider}`

/** Where it is asked whether the address of somebody else is replaced by ours. */
export const replacementPath = (provider: string) => `${accountPagePath(provider)}/notificacoes`

export function isProviderInUse(company: Company, provider: RealProvider) {
  return PAYMENT_METHODS.some((method) => getMethodProvider(company, method) === provider)
}

/** Why what was tried is saved only by who says so; undefined where nothing can be lost by it. */
export function describeRisk(company: Company, provider: RealProvider, steps: ConnectionStep[]) {
  if (isOtherAccount(steps)) return words.notReplaced
  const isBroken = hasFailedStep(steps) && isProviderInUse(company, provider)
  return isBroken ? words.notSaved : undefined
}

/** Whether its people give the provider the address of our notifications; else it is done by API. */
export function isNotifyUrlPasted(provider: ProviderName) {
  return provider === 'mercadopago'
}

export function isConnectionTested({ testedAt, testFailure }: AccountView) {
  return testedAt !== null && testFailure === null
}

type ConnectionView = {
  icon: 'circle-dashed' | 'circle-check' | 'circle-x'
  isBad: boolean
  text: string
}

/** How the last test went. */
export function toConnectionView({ testedAt, testFailure }: AccountView): ConnectionView {
  if (!testedAt) return { icon: 'circle-dashed', isBad: false, text: states.untested }
  const when = toTimeView(testedAt).text
  return testFailure === null
    ? { icon: 'circle-check', isBad: false, text: states.tested(when) }
    : { icon: 'circle-x', isBad: true, text: states.failed(when, testFailure) }
}

/** What of its answers could not be read; null where all could. */
export function toUnreadableText({ unreadableAt: at, unreadableField: field }: AccountView) {
  return at && field ? states.unreadable(toTimeView(at).text, field) : null
}

/** Whom the provider tells its news, where that is worth a word. */
export function toRegistrationView({ provider, registration, registeredUrl: url }: AccountView) {
  const replace = url === null ? null : replacementPath(provider)
  switch (registration) {
    case 'kept':
      return { isBad: false, text: states.kept(url), replace }
    case 'lost':
      return { isBad: true, text: states.lost(url), replace }
    default:
      return null
  }
}

/** When the provider last told us something, and what of it could not be believed. */
export function toNotificationView(account: AccountView) {
  const { notifiedAt, notifiedCount, refusedAt, refusedCount } = account
  const good = notifiedAt
    ? states.notified(toTimeView(notifiedAt).text, countOf(notifiedCount, 'aviso'))
    : states.neverNotified
  const refused =
    refusedAt && refusedCount > 0
      ? states.refused(toTimeView(refusedAt).text, countOf(refusedCount, 'aviso'))
      : null
  return { good, refused }
}

export function toStepViews(provider: RealProvider, steps: ConnectionStep[]) {
  return steps.map(({ step, ok, reason }) => ({
    text: step === 'read' || step === 'webhook' ? words.steps[step][provider] : words.steps[step],
    ...{ ok, reason: reason ?? null },
  }))
}
