// What must be in order before a company's payments are real, from facts; and what is only advised.

import { notifyUrlOf } from '../../providers/accounts.ts'
import { listEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import type { DashboardNeeds, Visitor } from '../layout/needs.ts'
import type { Problem } from '../layout/page.ts'
import { accountPath, isTested, type ShownAccount } from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

type Name = keyof typeof providerPageTexts.checks

export type Check = {
  id: string
  text: string
  /** What to do where it is not in order, and where. */
  todo: string
  link: { href: string; text: string } | null
  isDone: boolean
  isAdvice: boolean
}

const PLACES: Partial<Record<Name, string>> = {
  taxId: '/painel/ajustes',
  support: '/painel/ajustes',
  notice: '/painel/integracoes',
  secondStep: '/painel/conta',
}

export async function goingLive(
  { db, baseUrl, mail }: Pick<DashboardNeeds, 'db' | 'baseUrl' | 'mail'>,
  { company, user }: Visitor,
  account: ShownAccount,
) {
  const endpoints = await listEndpoints(db, company.id)
  const isHeard = endpoints.some(({ disabledAt }) => disabledAt === null)
  const facts: Record<Name, boolean> = {
    taxId: company.taxId !== null,
    support: company.supportEmail !== null || company.supportPhone !== null,
    connection: isTested(account),
    https: baseUrl.startsWith('https:'),
    notice: isHeard || (mail !== null && company.mailPayments),
    secondStep: user.totpEnabled,
  }
  return {
    checks: Object.entries(facts).map(([name, isDone]) => checkOf(name as Name, isDone, account)),
    notifyUrl: notifyUrlOf(baseUrl, account),
  }
}

/** What keeps a company from going live. */
export function unmet(checks: Check[]): Problem[] {
  return checks
    .filter(({ isDone, isAdvice }) => !isDone && !isAdvice)
    .map(({ id, todo }) => ({ field: id, message: todo }))
}

function checkOf(name: Name, isDone: boolean, { provider }: ShownAccount): Check {
  const { text, todo, see } = providerPageTexts.checks[name]
  const href = name === 'connection' ? accountPath(provider) : PLACES[name]
  return {
    id: `check-${name}`,
    ...{ text, todo, isDone, isAdvice: name === 'secondStep' },
    link: href && see ? { href, text: see } : null,
  }
}
