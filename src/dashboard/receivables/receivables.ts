// `/painel/recebimentos`: the provider of each method, and the terms for payers with a preview table. `/calendario`:
// the payouts that providers announce, after fees, by day.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Company, getMethodProvider } from '../../companies/company.ts'
import {
  isSandbox,
  PAYMENT_METHODS,
  type PaymentMethod,
  PROVIDER_NAMES,
  type ProviderName,
} from '../../database/enums.ts'
import { sendPage } from '../../http/html.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { findMaskedAccount } from '../../providers/accounts.ts'
import { getProfile, REAL_PROVIDERS } from '../../providers/registry.ts'
import { toDay } from '../../reports/days.ts'
import { listPayoutDays } from '../../reports/payouts.ts'
import { texts } from '../../texts.ts'
import {
  readForm,
  readTypedFields,
  registerForm,
  registerPage,
  type TypedFields,
} from '../layout/form.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { pickSettings, saveSettings } from '../settings/save.ts'
import {
  type AccountView,
  accountPagePath,
  choicePath,
  METHOD_PATHS,
  toAccountState,
} from './account-view.ts'
import {
  buildTermsPreview,
  EXAMPLE_AMOUNT,
  TERMS_SETTINGS,
  TermsForm,
  toCompanyChanges,
  toTermsForm,
} from './terms.ts'
import { payoutTexts, termsTexts } from './texts.ts'

const METHOD_ICONS = { pix: 'pix', credit_card: 'credit-card' } as const
const INSTALLMENT_COUNTS = Array.from({ length: MAX_INSTALLMENTS }, (_, at) => at + 1)
const TERMS_OPTIONS = {
  upTo: INSTALLMENT_COUNTS.map((n) => ({ value: n, text: linkTexts.upTo(n) })),
  freeUpTo: INSTALLMENT_COUNTS.map((n) => ({
    value: n,
    text: termsTexts.freeUpTo(n, n === MAX_INSTALLMENTS),
  })),
}

export async function receivablesPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  registerForm(app, '/recebimentos', {
    right: 'receivables',
    load: async ({ visitor }) => visitor.company,
    toValues: (company) => pickSettings(company, TERMS_SETTINGS),
    toForm: (company): TypedFields => ({ ...toTermsForm(company), example: EXAMPLE_AMOUNT }),
    readForm: ({ body }) => readTypedFields(body),
    // The preview button shows the form again.
    parse: (form) =>
      form.preview === undefined ? readForm(TermsForm, form) : { kind: 'invalid', errors: [] },
    save: (request, _company, terms) => saveSettings(needs, request, toCompanyChanges(terms)),
    view: async (request, reply, shown, company) => {
      const page = await loadTerms(needs, company, shown.form)
      return show(request, reply, 'dashboard/receivables/receivables', { ...page, ...shown })
    },
    done: `${RECEIVABLES_PATH}?feito=recebimentos-salvos`,
  })

  app.get('/recebimentos/previa', requireRight('receivables'), async (request, reply) =>
    sendPage(reply, 'dashboard/receivables/terms-preview', {
      preview: buildTermsPreview(request.query, request.visitor.company),
    }),
  )

  registerPage(
    app,
    needs,
    '/recebimentos/calendario',
    ['payouts', 'dashboard/receivables/payouts'],
    loadPayouts,
  )
}

export async function loadTerms(needs: DashboardNeeds, company: Company, form: TypedFields) {
  const { cardProvider } = company
  return {
    title: 'Recebimentos',
    section: 'recebimentos' as const,
    form,
    ways: await loadWays(needs, company),
    selects: TERMS_OPTIONS,
    takesForeignDocuments:
      cardProvider !== null && getProfile(cardProvider).cardTakesForeignDocuments,
    preview: buildTermsPreview(form, company),
    scripts: ['preview.js'],
  }
}

/** The provider of each method, the other possible ones, and the state of the company's accounts. */
async function loadWays(needs: DashboardNeeds, company: Company) {
  const found = REAL_PROVIDERS.map((provider) =>
    findMaskedAccount(needs, { companyId: company.id, provider }),
  )
  const accounts = (await Promise.all(found)).filter((account) => account !== undefined)
  const offered = PROVIDER_NAMES.filter((one) => company.testMode || !isSandbox(one))
  return PAYMENT_METHODS.map((method) => {
    const providers = offered
      .filter((provider) => getProfile(provider).methods.includes(method))
      .map((provider) => toWay(company, { method, provider, accounts }))
    const isChosen = providers.some((provider) => provider.isChosen)
    return {
      name: texts.methods[method],
      icon: METHOD_ICONS[method],
      /** The page that stops offering the method. */
      off:
        !company.testMode && isChosen
          ? `${RECEIVABLES_PATH}/desligar/${METHOD_PATHS[method]}`
          : null,
      inSight: providers.filter((provider) => !isChosen || isOwn(provider)),
      /** The other possible ones, folded as soon as one is chosen. */
      others: providers.filter((provider) => isChosen && !isOwn(provider)),
    }
  })
}

function isOwn({ isChosen, state }: ReturnType<typeof toWay>) {
  return isChosen || state !== null
}

type WayInput = { method: PaymentMethod; provider: ProviderName; accounts: AccountView[] }

function toWay(company: Company, { method, provider, accounts }: WayInput) {
  const { name, about } = getProfile(provider)
  const isChosen = getMethodProvider(company, method) === provider
  const account = accounts.find((one) => one.provider === provider)
  const isReady = isSandbox(provider) || account !== undefined
  return {
    name,
    about,
    isChosen,
    isReady,
    state: account ? toAccountState(account) : null,
    configure: isSandbox(provider) ? null : accountPagePath(provider),
    use: isReady && !isChosen ? choicePath(provider, method) : null,
  }
}

export async function loadPayouts({ db, now }: DashboardNeeds, { visitor }: FastifyRequest) {
  const days = await listPayoutDays(db, visitor.company.id, toDay(now()))
  return {
    title: payoutTexts.title,
    section: 'recebimentos' as const,
    days,
    totalCents: days.reduce((sum, { netCents }) => sum + netCents, 0),
  }
}
