// What must be in order before a company's payments are real, from facts; and what is only advised.

import { buildNotifyUrl } from '../../providers/accounts.ts'
import { getEntries } from '../../record.ts'
import { listEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import type { DashboardNeeds, Visitor } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { ACCOUNT_PATH, CONTACT_PATH, INTEGRATIONS_PATH, SETTINGS_PATH } from '../layout/paths.ts'
import { type AccountView, accountPagePath, isConnectionTested } from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

type GoLiveCheckName = keyof typeof providerPageTexts.checks

export type GoLiveCheck = ReturnType<typeof toGoLiveCheck>

type GoLiveTexts = { text: string; todo: string; see: string | null }

const FIX_PATHS: Partial<Record<GoLiveCheckName, string>> = {
  taxId: SETTINGS_PATH,
  support: CONTACT_PATH,
  notice: INTEGRATIONS_PATH,
  secondStep: ACCOUNT_PATH,
}

export async function loadGoLiveChecks(
  { db, baseUrl, mail }: Pick<DashboardNeeds, 'db' | 'baseUrl' | 'mail'>,
  { company, user }: Visitor,
  account: AccountView,
) {
  const endpoints = await listEndpoints(db, company.id)
  const isHeard = endpoints.some(({ disabledAt }) => disabledAt === null)
  const facts: Record<GoLiveCheckName, boolean> = {
    taxId: company.taxId !== null,
    support: company.supportEmail !== null || company.supportPhone !== null,
    connection: isConnectionTested(account),
    https: baseUrl.startsWith('https:'),
    notice: isHeard || (mail !== null && company.mailPayments),
    secondStep: user.totpEnabled,
  }
  return {
    checks: getEntries(facts).map(([name, isDone]) => toGoLiveCheck(name, isDone, account)),
    notifyUrl: buildNotifyUrl(baseUrl, account),
  }
}

/** What keeps a company from going live. */
export function listUnmetChecks(checks: GoLiveCheck[]): FormError[] {
  return checks
    .filter(({ isDone, isAdvice }) => !isDone && !isAdvice)
    .map(({ id, todo }) => ({ field: id, message: todo }))
}

function toGoLiveCheck(name: GoLiveCheckName, isDone: boolean, { provider }: AccountView) {
  const { text, todo, see }: GoLiveTexts = providerPageTexts.checks[name]
  const href = name === 'connection' ? accountPagePath(provider) : FIX_PATHS[name]
  return {
    id: `check-${name}`,
    text,
    /** What to do where it is not in order, and where. */
    todo,
    isDone,
    isAdvice: name === 'secondStep',
    link: href && see ? { href, text: see } : null,
  }
}
