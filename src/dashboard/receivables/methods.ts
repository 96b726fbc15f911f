// Which provider moves the money of each method, and which others could: what each can do says who stands
// where, and the company's accounts how it stands there.

import { type Company, getMethodProvider } from '../../companies/company.ts'
import {
  PAYMENT_METHODS,
  type PaymentMethod,
  PROVIDER_NAMES,
  type ProviderName,
} from '../../database/enums.ts'
import { findMaskedAccount } from '../../providers/accounts.ts'
import { getCapabilities } from '../../providers/capabilities.ts'
import { REAL_PROVIDERS } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import {
  type AccountView,
  accountPagePath,
  toConnectionView,
  toRegistrationView,
  toUnreadableText,
} from './provider-state.ts'
import { receivablesTexts } from './texts.ts'

export const METHOD_PATHS: Record<PaymentMethod, string> = { pix: 'pix', credit_card: 'cartao' }

const METHOD_ICONS = { pix: 'pix', credit_card: 'credit-card' } as const
const { providers } = providerAccountTexts
const { states } = receivablesTexts

/** Where a provider is chosen for a method. */
export function providerChoicePath(provider: ProviderName, method: PaymentMethod) {
  return `${RECEIVABLES_PATH}/${provider}/${METHOD_PATHS[method]}`
}

/** Where it is taken from its provider: nobody can pay by it then. */
function methodOffPath(method: PaymentMethod) {
  return `${RECEIVABLES_PATH}/desligar/${METHOD_PATHS[method]}`
}

export async function listMethodProviders(
  needs: Pick<DashboardNeeds, 'db' | 'cipher'>,
  company: Company,
) {
  const found = REAL_PROVIDERS.map((provider) =>
    findMaskedAccount(needs, { companyId: company.id, provider }),
  )
  const accounts = (await Promise.all(found)).filter((account) => account !== undefined)
  return PAYMENT_METHODS.map((method) => ({
    ...{ method, name: texts.methods[method], icon: METHOD_ICONS[method] },
    off: !company.testMode && getMethodProvider(company, method) ? methodOffPath(method) : null,
    providers: PROVIDER_NAMES.filter(
      (provider) =>
        getCapabilities(provider).methods.includes(method) &&
        (company.testMode || provider !== 'sandbox'),
    ).map((provider) => toProviderOption(company, { method, provider, accounts })),
  }))
}

type ProviderOptionInput = {
  method: PaymentMethod
  provider: ProviderName
  accounts: AccountView[]
}

function toProviderOption(company: Company, { method, provider, accounts }: ProviderOptionInput) {
  const isChosen = getMethodProvider(company, method) === provider
  const account = accounts.find((one) => one.provider === provider)
  const isReady = provider === 'sandbox' || account !== undefined
  return {
    ...{ ...providers[provider], isChosen },
    badge: isChosen ? { tone: 'good' as const, text: states.inUse } : null,
    connection: account ? toConnectionView(account) : null,
    registration: account ? toRegistrationView(account) : null,
    unreadable: account ? toUnreadableText(account) : null,
    missing: isReady ? null : states.missing,
    configure: provider === 'sandbox' ? null : accountPagePath(provider),
    use: isReady && !isChosen ? providerChoicePath(provider, method) : null,
  }
}
