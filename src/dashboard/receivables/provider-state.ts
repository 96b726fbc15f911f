// How a company's account at a provider stands, in words: whether it is set up, real, in use, and how
// the last test of its connection went.

import { type Company, channelOf } from '../../companies/company.ts'
import { METHODS } from '../../database/enums.ts'
import type { AccountNeeds, showAccount } from '../../providers/accounts.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import type { RealProvider } from '../../providers/registry.ts'
import type { Badge } from '../layout/badge.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { momentOf } from '../layout/page.ts'
import { providerPageTexts, receivablesTexts } from './texts.ts'

export type ShownAccount = NonNullable<Awaited<ReturnType<typeof showAccount>>>

const { states } = receivablesTexts
const words = providerPageTexts

export function accountNeeds({ db, seal, log, webhookAllowPrivate = false }: DashboardNeeds) {
  return { db, seal, log, allowPrivate: webhookAllowPrivate } satisfies AccountNeeds
}

export const accountPath = (provider: string) => `/painel/recebimentos/${provider}`

export function isInUse(company: Company, provider: RealProvider) {
  return METHODS.some((method) => channelOf(company, method).provider === provider)
}

export function isTested({ testedAt, testFailure }: ShownAccount) {
  return testedAt !== null && testFailure === null
}

export function modeBadge(testMode: boolean): Badge {
  return testMode ? { tone: 'waiting', text: states.test } : { tone: 'good', text: states.real }
}

/** How the last test went. */
export function connectionOf({ testedAt, testFailure }: ShownAccount) {
  if (!testedAt) return { icon: 'circle-dashed', isBad: false, text: states.untested }
  const when = momentOf(testedAt).text
  return testFailure === null
    ? { icon: 'circle-check', isBad: false, text: states.tested(when) }
    : { icon: 'circle-x', isBad: true, text: states.failed(when, testFailure) }
}

export function shownSteps(provider: RealProvider, steps: ConnectionStep[]) {
  return steps.map(({ step, ok, reason }) => ({
    text: step === 'read' ? words.steps.read[provider] : words.steps[step],
    ...{ ok, reason: reason ?? null },
  }))
}

export function hasFailed(steps: ConnectionStep[]) {
  return steps.some(({ ok }) => !ok)
}
